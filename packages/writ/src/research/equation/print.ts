import type { Expression, FieldTag, YearRange } from "./ast.ts";

const names: Readonly<Record<Exclude<FieldTag, "py">, string>> = {
  ti: "TI",
  ab: "AB",
  ts: "TS",
  tak: "TITLE-ABS-KEY",
  tiab: "TITLE-ABS",
  ak: "AK",
  au: "AU",
  so: "SO",
  la: "LA",
  dt: "DT",
  do: "DO",
  wc: "WC",
};

/** An expression as an equation: reading it gives the same tree, but for places and spellings of operators. */
export function printEquation(expression: Expression): string {
  switch (expression.kind) {
    case "word":
      return expression.text + tilde(expression.fuzzy);
    case "phrase":
      return `"${expression.text}"${tilde(expression.slop)}`;
    case "near":
      return expression.operands
        .map((operand, i) => join(expression.joins[i - 1]) + grouped(operand, ["near", "not", "and", "or"]))
        .join("");
    case "not":
      return `NOT ${grouped(expression.of, ["not", "and", "or"])}`;
    case "and":
      return expression.parts
        .map((part, i) => between(i, expression.operators[i - 1]) + grouped(part, ["and", "or"]))
        .join("");
    case "or":
      return expression.parts.map((part) => grouped(part, ["or"])).join(" OR ");
    case "field":
      return `${names[expression.tag]}=${value(expression.value)}`;
    case "years":
      return `PY=(${expression.ranges.map(range).join(" OR ")})`;
  }
}

function tilde(number: number | null): string {
  return number === null ? "" : `~${number}`;
}

function join(near: { ordered: boolean; distance: number } | undefined): string {
  return near ? ` ${near.ordered ? "PRE" : "NEAR"}/${near.distance} ` : "";
}

function between(index: number, operator: unknown): string {
  if (index === 0) return "";
  return operator ? " AND " : " ";
}

function grouped(part: Expression, kinds: readonly Expression["kind"][]): string {
  const text = printEquation(part);
  return kinds.includes(part.kind) ? `(${text})` : text;
}

function value(of: Expression): string {
  const text = printEquation(of);
  return of.kind === "word" || of.kind === "phrase" ? text : `(${text})`;
}

function range({ from, to }: YearRange): string {
  if (from === null) return `<=${to}`;
  if (to === null) return `>=${from}`;
  return from === to ? String(from) : `${from}-${to}`;
}
