import type { Confidence, Materiality, Mode } from "../model/words.ts";

/** How many advisors may be asked. One row a mode, from trivial to critical. */
const budgets: Readonly<Record<Mode, Readonly<Record<Materiality, number>>>> = {
  ci: { trivial: 0, low: 0, material: 0, high: 0, critical: 0 },
  fast: { trivial: 0, low: 0, material: 0, high: 1, critical: 1 },
  standard: { trivial: 0, low: 0, material: 1, high: 2, critical: 2 },
  offline: { trivial: 0, low: 0, material: 1, high: 2, critical: 2 },
  strict: { trivial: 0, low: 0, material: 1, high: 2, critical: 3 },
};

/** The budget of a request; a session that is sure needs one view less, never fewer than none. */
export function budgetOf(mode: Mode, materiality: Materiality, confidence: Confidence): number {
  return Math.max(0, budgets[mode][materiality] - (confidence === "high" ? 1 : 0));
}
