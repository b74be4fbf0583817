import { fail, type Warning, type WritError } from "../../contract/index.ts";

/** What kind of thing was not sent as it was typed. Signs and spellings of operators are `case`, of separators `comma`. */
export type Construct =
  | "field"
  | "proximity"
  | "wildcard"
  | "phrase"
  | "comma"
  | "case"
  | "exclusion"
  | "year"
  | "language"
  | "type"
  | "split"
  | "native";

/** What a change does to the set of results, as far as it can be told. */
export type Effect = "same" | "broader" | "narrower" | "unknown";
export type Action = "kept" | "rewritten" | "dropped";

/** One thing that a source is not asked exactly as the equation says it, or that a flag added. */
export interface ReportItem {
  construct: Construct;
  /** As typed. */
  text: string;
  /** Where it begins in the equation, from 0; null for what a flag added. */
  position: number | null;
  action: Action;
  effect: Effect;
  reason: string;
}

/** The refusal of a translation; `items` are what stands in the way. */
export function unsupported(message: string, items: readonly ReportItem[], remediation?: string): WritError {
  return fail("E_EQUATION_UNSUPPORTED", {
    message,
    cause: items.length > 0 ? items.slice(0, 3).map(said).join(" ") : "The source has no way to say it.",
    remediation:
      remediation ??
      "Look at the translation and change the equation: writ research seed --equation '…' --preview",
    details: { items },
  });
}

function said({ construct, text, action, effect, reason }: ReportItem): string {
  return `${construct} ${text}: ${action}, ${effect}; ${reason}.`;
}

/** Refuses what asks for nothing in particular: no positive term, unless a restriction was all that was typed. */
export function requireTerms(left: {
  positive: boolean;
  restricted: boolean;
  items: readonly ReportItem[];
}): void {
  const dropped = left.items.filter(({ action }) => action === "dropped");
  if (left.positive || (left.restricted && dropped.length === 0)) return;
  const message =
    dropped.length > 0
      ? "Nothing is left of the equation that this source can look for."
      : "The equation says only what is not wanted.";
  throw unsupported(message, dropped);
}

/** What a warning says of all items that change the set of results; null when there is none. */
export function warningOf(report: readonly ReportItem[], first?: string): Warning | null {
  const changed = report.filter(({ effect }) => effect !== "same");
  if (changed.length === 0 && first === undefined) return null;
  const reasons = [...new Set([first, ...changed.map(({ reason }) => reason)])].filter(
    (reason) => reason !== undefined,
  );
  const more = reasons.length > 3 ? ` (and ${reasons.length - 3} more)` : "";
  const count = changed.length === 1 ? "1 part" : `${changed.length} parts`;
  return {
    code: "W_TRANSLATION",
    message: `${reasons.slice(0, 3).join("; ")}${more}. Not asked as typed: ${count} of the equation.`,
    remediation: "Read translation_report, or refuse such a translation with --strict.",
  };
}
