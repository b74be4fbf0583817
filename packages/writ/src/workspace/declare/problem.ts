/** Why a file is refused: one word for each kind of fault. */
export type ProblemKind =
  | "syntax"
  | "unknown_key"
  | "type"
  | "value"
  | "missing"
  | "duplicate"
  | "needs_schema"
  | "unsafe_path"
  | "unsafe_url"
  | "limit";

/** What is wrong with one value, before it is known where the value stands. */
export interface Fault {
  kind: ProblemKind;
  message: string;
  hint?: string;
  /** Facts for the error's details: `reason` of a refused URL, `limit` and `found` of a bound. */
  facts?: Record<string, unknown>;
}

/** A fault with its place in a file. */
export interface Problem extends Fault {
  file: string;
  pointer: string;
  line: number;
  column: number;
}

/** A value that was understood, or why it was not. */
export type Parsed<T> = { value: T; fault?: undefined } | { fault: Fault; value?: undefined };

export function refuse(
  kind: ProblemKind,
  message: string,
  more: Pick<Fault, "hint" | "facts"> = {},
): { fault: Fault } {
  return { fault: { kind, message, ...more } };
}

/** A text as a message may show it: quoted, on one line, and never long. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}
