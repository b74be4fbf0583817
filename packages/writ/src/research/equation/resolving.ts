import type { Expression, Operator, Place } from "./ast.ts";
import type { Dialect } from "./dialect.ts";
import type { Finding, Frame } from "./findings.ts";
import type { Query, Scope } from "./query.ts";

/** Where in the equation the reading is. */
export interface Position {
  frame: Frame;
  /** Nothing but AND between here and the root. */
  top: boolean;
  scope: Scope;
  /** Told when a term takes its scope from here. */
  used: () => void;
  /** Here is the whole equation. */
  whole: boolean;
}

/** A query, or that there is none left: because it became a restriction, or was dropped. */
export type Outcome = Query | "restriction" | null;

/** A walk over an equation, as its parts see it. */
export interface Resolving {
  readonly dialect: Dialect;
  expression(node: Expression, at: Position): Outcome;
  /** Notes what became of a part of the equation. */
  note(node: { at: Place }, frame: Frame, finding: Omit<Finding, "text" | "position" | "frame">): void;
  /** Notes that a part is not sent at all; what was noted of its inside no longer counts. */
  drop(node: { at: Place }, frame: Frame, dropped: Pick<Finding, "construct" | "reason">): null;
  /** Says how an operator was read or sent, where that is not as it was typed. */
  operator(operator: Operator, word: "and" | "or" | "not", frame: Frame): void;
}
