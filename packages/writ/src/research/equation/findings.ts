import type { Scope } from "./query.ts";
import type { Effect, ReportItem } from "./report.ts";

/** A place in the equation's tree, seen from below: what joins the parts there, and whether all of it was dropped. */
export interface Frame {
  kind: "root" | "and" | "or" | "not";
  up: Frame | null;
  vanished: boolean;
}

/** A report item whose effect is still to be settled, once it is known what became of everything around it. */
export interface Finding extends Omit<ReportItem, "effect"> {
  /** What the change does by itself: `dropped` and `unstemmed` are settled by where it stands. */
  change: Effect | "dropped" | "unstemmed";
  frame: Frame;
  /** Of a field within which words are looked for: where. */
  scope?: Scope;
}

export function below(frame: Frame, kind: Frame["kind"]): Frame {
  return { kind, up: frame, vanished: false };
}

/**
 * The report of findings. Under AND a missing term lets more through, under OR less, below NOT the other way round;
 * when a whole group is gone it counts as one term of what is around it. Without stemming each positive term
 * matches less, and each negative one excludes less.
 */
export function settle(findings: readonly Finding[], anyNegative: boolean): ReportItem[] {
  return findings.map(({ construct, text, position, action, reason, change, frame }) => {
    const effect = effectOf(change, frame, anyNegative);
    return { construct, text, position, action, effect, reason };
  });
}

function effectOf(change: Finding["change"], frame: Frame, anyNegative: boolean): Effect {
  if (change === "unstemmed") return anyNegative ? "unknown" : "narrower";
  if (change !== "dropped") return seenFrom(frame, change);
  let place = frame;
  while (place.vanished && place.up) place = place.up;
  return seenFrom(place, place.kind === "or" ? "narrower" : "broader");
}

function seenFrom(frame: Frame, effect: Effect): Effect {
  let negated = false;
  for (let at: Frame | null = frame; at; at = at.up) if (at.kind === "not") negated = !negated;
  if (!negated || effect === "same" || effect === "unknown") return effect;
  return effect === "broader" ? "narrower" : "broader";
}
