import type { Phrase, Place, Word } from "./ast.ts";
import { below } from "./findings.ts";
import { allOf, type Query, type Term } from "./query.ts";
import type { Outcome, Position, Resolving } from "./resolving.ts";

const wildcard = /[*?$]/;
const operator = /^(?:AND|OR|NOT)$/;

/** The parts of a word between signs that a source would read as its own, with their offsets. */
export function piecesOf(text: string, separators: RegExp): { text: string; offset: number }[] {
  const pieces: { text: string; offset: number }[] = [];
  let offset = 0;
  for (const piece of text.split(separators)) {
    if (piece !== "") pieces.push({ text: piece, offset: text.indexOf(piece, offset) });
    offset = (pieces.at(-1)?.offset ?? 0) + (pieces.at(-1)?.text.length ?? 0);
  }
  return pieces;
}

/** A word as a source takes it; several words where signs inside it must not be sent. */
export function resolveWord(resolver: Resolving, word: Word, at: Position): Outcome {
  const pieces = piecesOf(word.text, resolver.dialect.separators);
  if (pieces.length === 1 && pieces[0]?.text === word.text) return plainWord(resolver, word, at);
  const reason = "it is made of signs that the source reads as its own";
  if (pieces.length === 0) return resolver.drop(word, at.frame, { construct: "comma", reason });
  resolver.note(word, at.frame, {
    construct: "comma",
    action: "rewritten",
    change: "unknown",
    reason: `sent as “${pieces.map(({ text }) => text).join(" ")}”: the source reads the signs in it as its own`,
  });
  const frame = below(at.frame, "and");
  const last = pieces.length - 1;
  const words = pieces.map(({ text, offset }, i): Word => {
    const from = word.at.from + offset;
    return {
      kind: "word",
      text,
      fuzzy: i === last ? word.fuzzy : null,
      at: { from, to: from + text.length },
    };
  });
  const outcomes = words.map((piece) => plainWord(resolver, piece, { ...at, frame }));
  const parts = outcomes.filter((outcome) => outcome !== null);
  frame.vanished = parts.length === 0;
  return frame.vanished
    ? null
    : allOf(
        parts,
        parts.map(() => true),
      );
}

function plainWord(resolver: Resolving, word: Word, at: Position): Query | null {
  if (!wildcard.test(word.text)) {
    at.used();
    const tilde = word.fuzzy === null ? "" : `~${word.fuzzy}`;
    // Of a word like `either:OR` the second half is a word.
    const text = operator.test(word.text) ? `"${word.text}"` : word.text + tilde;
    return term(text, at);
  }
  const reason = "a word has either a wildcard or ~n";
  if (word.fuzzy !== null) return resolver.drop(word, at.frame, { construct: "wildcard", reason });
  const wild = resolver.dialect.wild(word.text, at.scope);
  if (wild.query === null)
    return resolver.drop(word, at.frame, { construct: "wildcard", reason: wild.reason });
  at.used();
  const { change, action } = wild;
  // A word that is sent as it is typed, to a source that reads it the same way, needs no mention.
  if (change !== "same" || action !== "kept")
    resolver.note(word, at.frame, { construct: "wildcard", action, change, reason: wild.reason });
  return wild.query;
}

function term(text: string, { scope }: Position): Term {
  return { kind: "term", text, scope, wild: false };
}

/** A phrase as a source takes it; its words joined by AND where it holds wildcards that cannot stand in a phrase. */
export function resolvePhrase(resolver: Resolving, phrase: Phrase, at: Position): Outcome {
  const slop = phrase.slop === null ? "" : `~${phrase.slop}`;
  const clean = spaced(phrase.text, resolver.dialect.separators);
  if (wildcard.test(phrase.text)) return wildPhrase(resolver, phrase, at);
  if (clean === "") {
    const reason = "it is made of signs that the source reads as its own";
    return resolver.drop(phrase, at.frame, { construct: "comma", reason });
  }
  at.used();
  if (clean !== phrase.text) noteSigns(resolver, phrase, at);
  return term(`"${clean}"${slop}`, at);
}

function noteSigns(resolver: Resolving, phrase: Phrase, at: Position): void {
  const onlyCommas = spaced(phrase.text, /,/) === spaced(phrase.text, resolver.dialect.separators);
  resolver.note(phrase, at.frame, {
    construct: "comma",
    action: "rewritten",
    change: onlyCommas ? "same" : "unknown",
    reason: onlyCommas
      ? "a comma separates words, and is sent as a space"
      : "signs in it that the source reads as its own are sent as spaces",
  });
}

function spaced(text: string, separators: RegExp): string {
  const signs = new RegExp(`${separators.source}|[,\\p{Cc}]+`, "gu");
  const clean = text.replaceAll(signs, " ");
  return clean === text ? text : clean.replaceAll(/\s+/g, " ").trim();
}

function wildPhrase(resolver: Resolving, phrase: Phrase, at: Position): Query | null {
  const kept = at.whole && spaced(phrase.text, resolver.dialect.separators) === phrase.text;
  const sent = kept ? resolver.dialect.wildPhrase(phrase.text) : null;
  if (sent) {
    at.used();
    const { reason } = sent;
    resolver.note(phrase, at.frame, { construct: "wildcard", action: "kept", change: "unstemmed", reason });
    const slop = phrase.slop === null ? "" : `~${phrase.slop}`;
    return { ...term(`"${phrase.text}"${slop}`, at), wild: true };
  }
  const frame = below(at.frame, "and");
  resolver.note(phrase, at.frame, {
    construct: "wildcard",
    action: "rewritten",
    change: "broader",
    reason: "a phrase cannot hold a wildcard here; its words are joined by AND, in any order and place",
  });
  const words = [...phrase.text.matchAll(/[^\s,()[\]\p{Cc}]+/gu)].map((found): Word => {
    const from = phrase.at.from + 1 + found.index;
    return { kind: "word", text: found[0], fuzzy: null, at: placeOf(from, found[0]) };
  });
  const outcomes = words.map((word) => resolveWord(resolver, word, { ...at, frame, whole: false }));
  const parts = outcomes.filter((outcome) => outcome !== null && outcome !== "restriction");
  if (parts.length > 0) return allOf(parts);
  const reason = "no word of it can be asked of this source";
  return resolver.drop(phrase, at.frame, { construct: "wildcard", reason });
}

function placeOf(from: number, text: string): Place {
  return { from, to: from + text.length };
}
