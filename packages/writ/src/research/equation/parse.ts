import type { Ast, Expression, FieldTag, Near, Operator } from "./ast.ts";
import { bracketWords, isCall, lookUp, tagWords } from "./fields.ts";
import { parseYears, rangeOf } from "./parse-years.ts";
import { emptyError, syntaxError } from "./refuse.ts";
import { operatorOf, TokenReader } from "./token-reader.ts";
import { distance, normalise, tokenise, type Token } from "./tokens.ts";

// NEAR without a number, as Web of Science takes it.
const NEAR_DEFAULT = 15;
const term = "a word, a phrase, a field or an opening bracket";

/**
 * Reads an equation: Boolean text, and what people paste from Web of Science, Scopus and PubMed.
 *
 * Throws E_EQUATION_EMPTY, E_EQUATION_SYNTAX with `{position, found, expected}`, or E_LIMIT. The same text gives
 * the same tree; nothing is looked up.
 */
export function parseEquation(typed: string): Ast {
  const text = normalise(typed);
  const reader = new TokenReader(tokenise(text));
  if (reader.peek().kind === "end") throw emptyError();
  const root = parseOr(reader);
  if (reader.peek().kind !== "end") throw reader.unexpected("an operator or the end");
  return { text, root, commas: reader.commas };
}

function parseOr(reader: TokenReader): Expression {
  const from = reader.peek().at.from;
  const parts = [parseAnd(reader)];
  const operators: Operator[] = [];
  while (operatorOf(reader.peek()) === "or") {
    operators.push(asOperator(reader.take()));
    parts.push(parseAnd(reader));
  }
  const [only] = parts;
  return only && parts.length === 1 ? only : { kind: "or", parts, operators, at: { from, to: reader.end } };
}

function parseAnd(reader: TokenReader): Expression {
  const from = reader.peek().at.from;
  const parts = [parseUnary(reader)];
  const operators: (Operator | null)[] = [];
  for (;;) {
    const isAnd = operatorOf(reader.peek()) === "and";
    if (!isAnd && !beginsTerm(reader.peek())) break;
    operators.push(isAnd ? asOperator(reader.take()) : null);
    parts.push(parseUnary(reader));
  }
  const [only] = parts;
  return only && parts.length === 1 ? only : { kind: "and", parts, operators, at: { from, to: reader.end } };
}

function asOperator({ text, at }: Token): Operator {
  return { text, at };
}

function beginsTerm(token: Token): boolean {
  const operator = operatorOf(token);
  if (operator) return operator === "not";
  return ["(", "[", "phrase", "word", "-"].includes(token.kind);
}

function parseUnary(reader: TokenReader): Expression {
  const from = reader.peek().at.from;
  // At the beginning, and after OR, `AND NOT x` is what others call `NOT x`.
  if (operatorOf(reader.peek()) === "and" && operatorOf(reader.peek(1)) === "not") reader.take();
  const negated = operatorOf(reader.peek()) === "not" || reader.peek().kind === "-";
  if (!negated) return parseNear(reader);
  const operator = asOperator(reader.take());
  const of = parseNear(reader);
  return { kind: "not", of, operator, at: { from, to: reader.end } };
}

function parseNear(reader: TokenReader): Expression {
  const from = reader.peek().at.from;
  const operands = [parseAtom(reader)];
  const joins: Near["joins"] = [];
  while (operatorOf(reader.peek()) === "near") {
    const { text, at } = reader.take();
    const digits = text.split("/")[1];
    joins.push({
      ordered: /^PRE/i.test(text),
      distance: digits === undefined ? NEAR_DEFAULT : distance(digits, at.from),
    });
    operands.push(parseAtom(reader));
  }
  const [only] = operands;
  return only && operands.length === 1
    ? only
    : { kind: "near", operands, joins, at: { from, to: reader.end } };
}

function parseAtom(reader: TokenReader): Expression {
  const token = reader.peek();
  if (operatorOf(token)) throw reader.unexpected(term);
  if (token.kind === "(") return parseGroup(reader);
  if (token.kind === "phrase") {
    reader.take();
    reader.countTerm();
    return tagged(reader, { kind: "phrase", text: token.text, slop: token.tilde, at: token.at });
  }
  if (token.kind !== "word") throw reader.unexpected(term);
  reader.take();
  return parseField(reader, token) ?? tagged(reader, asWord(reader, token, 0));
}

function parseGroup(reader: TokenReader): Expression {
  return reader.nested(() => {
    const opened = reader.take();
    if (reader.peek().kind === ")") throw reader.unexpected(term);
    const inner = parseOr(reader);
    if (reader.peek().kind === "end")
      throw syntaxError(opened.at.from, "a bracket that is not closed", "a closing bracket");
    reader.expect(")", "an operator or a closing bracket");
    return inner;
  });
}

/** A word, from a place inside its token on. */
function asWord(reader: TokenReader, token: Token, offset: number): Expression {
  reader.countTerm();
  const at = { from: token.at.from + offset, to: token.at.to };
  return { kind: "word", text: token.text.slice(offset), fuzzy: token.tilde, at };
}

/** `TI=…`, `TI = …`, `TITLE(…)`, `PUBYEAR > …`; null when the word is none of these. */
function parseField(reader: TokenReader, token: Token): Expression | null {
  const [head, name = ""] = /^([A-Za-z-]+)[=:]/.exec(token.text) ?? [];
  const tag = lookUp(tagWords, head === undefined ? token.text : name);
  if (!tag || (head === undefined && token.tilde !== null)) return null;
  if (head !== undefined) return field(reader, tag, { token, offset: head.length, from: token.at.from });
  const following = reader.peek();
  const sign = following.kind === "word" && following.text.startsWith("=");
  if (sign) {
    const value = reader.take();
    // `PUBYEAR => 2010` is as good as `>=`.
    return field(reader, tag, { token: value, offset: 1, from: token.at.from });
  }
  const isComparison = tag === "py" && /^[<>]/.test(following.text);
  const isBracket = following.kind === "(" && isCall(token.text) && (tag === "tak" || !following.spaced);
  if (!isComparison && !isBracket) return null;
  return field(reader, tag, { token, offset: token.text.length, from: token.at.from });
}

interface Head {
  token: Token;
  /** Where in the token the value begins; at its end, the value is what follows. */
  offset: number;
  from: number;
}

function field(reader: TokenReader, tag: FieldTag, { token, offset, from }: Head): Expression {
  const rest = token.text.slice(offset);
  if (tag === "py") {
    const ranges = parseYears(reader, { rest, at: token.at.from + offset });
    return { kind: "years", ranges, at: { from, to: reader.end } };
  }
  if (rest === "" && token.tilde !== null) throw syntaxError(token.at.from + offset, "“~”", term);
  const value = rest === "" ? parseValue(reader) : asWord(reader, token, offset);
  return { kind: "field", tag, value, at: { from, to: reader.end } };
}

// A field's value is a bracket, a phrase or a word, and no field itself.
function parseValue(reader: TokenReader): Expression {
  const token = reader.peek();
  if (token.kind === "(") return parseGroup(reader);
  if (operatorOf(token) || (token.kind !== "word" && token.kind !== "phrase")) throw reader.unexpected(term);
  reader.take();
  if (token.kind === "word") return asWord(reader, token, 0);
  reader.countTerm();
  return { kind: "phrase", text: token.text, slop: token.tilde, at: token.at };
}

/** A word or phrase with PubMed's `[tag]` behind it, if there is one. */
function tagged(reader: TokenReader, value: Expression): Expression {
  if (reader.peek().kind !== "[") return value;
  const opened = reader.take();
  const words: string[] = [];
  while (reader.peek().kind === "word") words.push(reader.take().text);
  reader.expect("]", "a closing square bracket");
  const tag = lookUp(bracketWords, words.join(" "));
  if (!tag) {
    const known = Object.keys(bracketWords).filter((word) => word.length <= 4);
    throw syntaxError(opened.at.from, `[${words.join(" ")}]`, known.map((word) => `[${word}]`).join(", "));
  }
  const at = { from: value.at.from, to: reader.end };
  if (tag !== "py") return { kind: "field", tag, value, at };
  const text = value.kind === "word" || value.kind === "phrase" ? value.text : "";
  return { kind: "years", ranges: [rangeOf(text, value.at.from)], at };
}
