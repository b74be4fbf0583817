/** Where something stands in the equation: offsets in UTF-16 units, from 0, `to` exclusive. */
export interface Place {
  from: number;
  to: number;
}

/** What an equation may ask of a field. Several spellings of one field are one tag. */
export type FieldTag =
  | "ti"
  | "ab"
  | "ts"
  /** TITLE-ABS-KEY: as `ts`, written with brackets. */
  | "tak"
  /** [tiab] and TITLE-ABS. */
  | "tiab"
  | "ak"
  | "au"
  | "so"
  | "py"
  | "la"
  | "dt"
  | "do"
  | "wc";

/** Years, both ends included; an open end is null. */
export interface YearRange {
  from: number | null;
  to: number | null;
}

/** An operator as it was typed. */
export interface Operator {
  text: string;
  at: Place;
}

/** One word; it may hold `*`, `?` and `$`. `fuzzy` is the number behind `~`. */
export interface Word {
  kind: "word";
  text: string;
  fuzzy: number | null;
  at: Place;
}

/** What stood between quotes, without them. `slop` is the number behind `~`. */
export interface Phrase {
  kind: "phrase";
  text: string;
  slop: number | null;
  at: Place;
}

/** Operands within a distance; `joins` has one entry fewer than there are operands. */
export interface Near {
  kind: "near";
  operands: Expression[];
  joins: { ordered: boolean; distance: number }[];
  at: Place;
}

export interface Not {
  kind: "not";
  of: Expression;
  operator: Operator;
  at: Place;
}

/** `operators[i]` stands before `parts[i + 1]`; null where words merely stand side by side. */
export interface And {
  kind: "and";
  parts: Expression[];
  operators: (Operator | null)[];
  at: Place;
}

export interface Or {
  kind: "or";
  parts: Expression[];
  operators: Operator[];
  at: Place;
}

export interface Field {
  kind: "field";
  tag: Exclude<FieldTag, "py">;
  value: Expression;
  at: Place;
}

/** A year field; its ranges are alternatives. */
export interface Years {
  kind: "years";
  ranges: YearRange[];
  at: Place;
}

export type Expression = Word | Phrase | Near | Not | And | Or | Field | Years;

/** An equation that was read. */
export interface Ast {
  /** As typed, but with straight double quotes; every place refers to it. */
  text: string;
  root: Expression;
  /** Where commas separate words. */
  commas: number[];
}
