import type { YearRange } from "./ast.ts";
import { syntaxError } from "./refuse.ts";
import { operatorOf, type TokenReader } from "./token-reader.ts";
import type { Token } from "./tokens.ts";

const expected = "a year or years, as in 2015, 2015-2020 or >=2015";
const span = /^(\d{4})(?:[-:\u2013](\d{4}))?$/;
const bound = /^([<>]=?)(\d{4})$/;

/** The value of a year field: one range, or several in brackets, which are alternatives. */
export function parseYears(reader: TokenReader, head: { rest: string; at: number }): YearRange[] {
  if (head.rest !== "") return [rangeOf(joined(reader, head.rest), head.at)];
  if (reader.peek().kind !== "(") return [next(reader)];
  return reader.nested(() => {
    reader.take();
    const ranges = [next(reader)];
    while (reader.peek().kind !== ")") {
      if (operatorOf(reader.peek()) === "or") reader.take();
      ranges.push(next(reader));
    }
    reader.take();
    return ranges;
  });
}

function next(reader: TokenReader): YearRange {
  const token: Token = reader.peek();
  if (token.kind !== "word" && token.kind !== "phrase") throw reader.unexpected(expected);
  reader.take();
  return rangeOf(joined(reader, token.text), token.at.from);
}

// `> 2010` is two tokens.
function joined(reader: TokenReader, text: string): string {
  if (!/^[<>]=?$/.test(text) || reader.peek().kind !== "word") return text;
  return text + reader.take().text;
}

/** The range that a text names; `position` is where it stands. */
export function rangeOf(text: string, position: number): YearRange {
  const spanned = span.exec(text.trim());
  if (spanned) {
    const from = Number(spanned[1]);
    const to = Number(spanned[2] ?? spanned[1]);
    if (from <= to) return { from, to };
    throw syntaxError(position, `“${text}”`, "the earlier year first");
  }
  const [, sign, digits] = bound.exec(text) ?? [];
  const year = Number(digits);
  if (sign === ">") return { from: year + 1, to: null };
  if (sign === ">=") return { from: year, to: null };
  if (sign === "<") return { from: null, to: year - 1 };
  if (sign === "<=") return { from: null, to: year };
  throw syntaxError(position, `“${text}”`, expected);
}
