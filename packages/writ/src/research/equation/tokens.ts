import { limits } from "../model.ts";
import type { Place } from "./ast.ts";
import { boundError, syntaxError } from "./refuse.ts";

/** `text` is what was typed; of a phrase, what stands between the quotes. */
export interface Token {
  kind: "(" | ")" | "[" | "]" | "," | "word" | "phrase" | "-" | "end";
  text: string;
  at: Place;
  /** The number behind `~`; null without one. */
  tilde: number | null;
  /** Whether white space or the end of something stands before it. */
  spaced: boolean;
}

const blank = /[\s\p{Cc}]/u;
const single = "()[],";
const curly = /[\u201c\u201d\u201e\u201f]/g;
// Signs that are no word on their own; a lone one is a slip, and dropping it silently would change the meaning.
const signs = /^[!|:&\\~+\-=<>^]+$/;
const comparison = /^[<>]=?$/;
const behindTilde = /^~(\d+)/;

/** The text that places refer to: well-formed Unicode with straight double quotes, of the same length. */
export function normalise(text: string): string {
  const bytes = Buffer.byteLength(text, "utf8");
  if (bytes > limits.equationBytes) throw boundError("bytes", limits.equationBytes, bytes);
  return text.toWellFormed().replace(curly, '"');
}

/** Splits a normalised equation into tokens; the last one is `end`. */
export function tokenise(text: string): Token[] {
  const tokens: Token[] = [];
  let spaced = true;
  for (let at = 0; at < text.length; ) {
    const sign = text[at] ?? "";
    if (blank.test(sign)) {
      spaced = true;
      at += 1;
      continue;
    }
    const token = single.includes(sign) ? mark(text, at) : sign === '"' ? phrase(text, at) : word(text, at);
    tokens.push({ ...token, spaced });
    at = token.at.to;
    spaced = false;
  }
  const end = { from: text.length, to: text.length };
  tokens.push({ kind: "end", text: "", at: end, tilde: null, spaced: true });
  return tokens;
}

type Bare = Omit<Token, "spaced">;

function mark(text: string, from: number): Bare {
  const sign = (text[from] ?? "") as "(" | ")" | "[" | "]" | ",";
  return { kind: sign, text: sign, at: { from, to: from + 1 }, tilde: null };
}

function phrase(text: string, from: number): Bare {
  const close = text.indexOf('"', from + 1);
  if (close === -1) throw syntaxError(from, "a quote that is not closed", 'a second "');
  const inner = text.slice(from + 1, close);
  if (inner.trim() === "") throw syntaxError(from, "an empty phrase", "words between the quotes");
  const slop = behindTilde.exec(text.slice(close + 1, close + 12));
  const to = close + 1 + (slop?.[0].length ?? 0);
  const tilde = slop ? distance(slop[1] ?? "", close + 1) : null;
  return { kind: "phrase", text: inner, at: { from, to }, tilde };
}

/** A number of words; nobody means a longer one than three digits, and a source may refuse it. */
export function distance(digits: string, position: number): number {
  if (digits.length <= 3) return Number(digits);
  throw syntaxError(position, digits, "a distance of at most 999");
}

function word(text: string, from: number): Bare {
  if (text[from] === "-" && /[^\s\p{Cc})\],-]/u.test(text[from + 1] ?? " "))
    return { kind: "-", text: "-", at: { from, to: from + 1 }, tilde: null };
  let to = from;
  while (to < text.length && !isBoundary(text[to] ?? "")) to += 1;
  const whole = text.slice(from, to);
  if (signs.test(whole) && !isPartOfField(text, { from, to }))
    throw syntaxError(from, `“${whole}”`, "a word; operators are AND, OR, NOT, NEAR/n");
  const tail = /^(.+)~(\d*)$/su.exec(whole);
  if (!tail) return { kind: "word", text: whole, at: { from, to }, tilde: null };
  const [, stem = "", digits = ""] = tail;
  if (!/^[012]$/.test(digits)) throw syntaxError(from + stem.length, `~${digits}`, "~0, ~1 or ~2");
  return { kind: "word", text: stem, at: { from, to }, tilde: Number(digits) };
}

function isBoundary(sign: string): boolean {
  return sign === '"' || single.includes(sign) || blank.test(sign);
}

// `TI = x`, `PUBYEAR > 2010` and `PY=(> 2010)` stand with spaces in what people paste; the parser says whether they are fields.
function isPartOfField(text: string, { from, to }: Place): boolean {
  const sign = text.slice(from, to);
  if (comparison.test(sign)) return true;
  return sign === "=" && /[A-Za-z]\s*$/.test(text.slice(Math.max(0, from - 40), from));
}
