import type { Field, FieldTag, YearRange } from "./ast.ts";
import type { Query, Scope, Spelling } from "./query.ts";
import type { Effect } from "./report.ts";

/** A condition beside the query: one of several values of a key, or years. */
export type Restriction =
  | { key: string; values: string[]; years?: undefined }
  | { key: "years"; years: YearRange; values?: undefined };

/** What a source makes of a field that restricts: something, with the words it does not know, or nothing. */
export type Restricting =
  | { restriction: Restriction; unknown: string[]; refused?: undefined }
  | { refused: string; restriction?: undefined };

/** A field within which words are looked for. */
export interface Scoped {
  scope: Scope;
  effect: Effect;
  reason: string;
}

/** What became of one word with a wildcard. */
export type Wild =
  | { query: Query; reason: string; change: Effect | "unstemmed"; action: "kept" | "rewritten" }
  | { query: null; reason: string };

/** How one source understands equations. */
export interface Dialect {
  spelling: Spelling;
  /** Signs for AND, OR and NOT, where they are others than these words. */
  signs: Readonly<Record<"and" | "or" | "not", string>> | null;
  /** What must not stand inside a word, and is sent as a space. */
  separators: RegExp;
  scopes: Partial<Record<FieldTag, Scoped>>;
  /** What becomes of a field that is no scope. */
  restrict(tag: FieldTag, values: readonly string[] | null): Restricting;
  /** How the report says what a restriction became. */
  said(restriction: Restriction): string;
  wild(word: string, scope: Scope): Wild;
  /** A phrase with wildcards that is the whole equation; null when it cannot be sent as it is. */
  wildPhrase(phrase: string): { reason: string } | null;
}

/** The texts that a field's value offers as alternatives; null when it is more than a list. */
export function valuesOf(value: Field["value"]): string[] | null {
  if (value.kind === "word" || value.kind === "phrase") return [value.text.trim()];
  if (value.kind === "or") {
    const lists = value.parts.map(valuesOf);
    return lists.includes(null) ? null : lists.flatMap((list) => list ?? []);
  }
  // `DT=(Proceedings Paper)` is one value of two words.
  if (value.kind !== "and" || value.operators.some(Boolean)) return null;
  const words = value.parts.map((part) => (part.kind === "word" ? part.text : null));
  return words.includes(null) ? null : [words.join(" ")];
}

/** One range that covers several without a gap; null when there is a gap. */
export function spanOf(ranges: readonly YearRange[]): YearRange | null {
  const sorted = ranges
    .map(({ from, to }) => ({ from: from ?? -Infinity, to: to ?? Infinity }))
    .sort((a, b) => a.from - b.from);
  const [first, ...rest] = sorted;
  if (!first) return null;
  let { to } = first;
  for (const next of rest) {
    if (next.from > to + 1) return null;
    to = Math.max(to, next.to);
  }
  return { from: Number.isFinite(first.from) ? first.from : null, to: Number.isFinite(to) ? to : null };
}

interface Reading {
  read: (text: string) => string | undefined;
  reason: string;
  /** One unknown value spoils the list. */
  all?: boolean;
}

/** A restriction to one of several values, in the source's words. */
export function listed(key: string, values: readonly string[], { read, reason, all }: Reading): Restricting {
  const known = values.map(read).filter((value) => value !== undefined);
  const unknown = values.filter((value) => read(value) === undefined);
  if (known.length === 0 || (all && unknown.length > 0)) return { refused: reason };
  return { restriction: { key, values: [...new Set(known)] }, unknown };
}

/** A restriction to years, which every source takes as a first and a last one. */
export function restrictedYears(ranges: readonly YearRange[]): Restricting {
  const years = spanOf(ranges);
  if (!years) return { refused: "its years leave a gap, and a source takes only a first and a last one" };
  if (years.from === null && years.to === null) return { refused: "any year is one of its years" };
  return { restriction: { key: "years", years }, unknown: [] };
}
