/** Where one path stands between what was composed last, what is on disk and what would be composed now. */
export type State =
  | "new"
  | "adopted"
  | "conflict"
  | "user"
  | "clean"
  | "outdated"
  | "stale"
  | "edited"
  | "converged"
  | "orphan_edited"
  | "missing"
  | "gone";

/** What a run does: `record` sets the base to the new hash, `forget` drops it; neither touches the file. */
export type Step = "none" | "create" | "update" | "delete" | "record" | "keep" | "forget";

export interface Versions {
  /** Hash of what this checkout composed last. */
  base: string | null;
  /** Hash of what is on disk. */
  local: string | null;
  /** Hash of what would be composed now. */
  next: string | null;
  /** Local is text and differs from base in line endings only. */
  textEqual?: boolean;
}

export interface Decision {
  state: State;
  action: Step;
  reason?: "no_base" | "both_changed";
}

/** The table of the three-way comparison; local bytes that are neither base nor next are never replaced. */
export function decide({ base, local, next, textEqual = false }: Versions): Decision {
  if (base === null) return decideUnknown(local, next);
  if (local === null) {
    return next === null ? { state: "gone", action: "forget" } : { state: "missing", action: "create" };
  }
  const unedited = local === base || textEqual;
  if (next === null) {
    return unedited ? { state: "stale", action: "delete" } : { state: "orphan_edited", action: "keep" };
  }
  if (unedited) {
    return next === base ? { state: "clean", action: "none" } : { state: "outdated", action: "update" };
  }
  if (next === base) return { state: "edited", action: "keep" };
  if (local === next) return { state: "converged", action: "record" };
  return { state: "conflict", action: "keep", reason: "both_changed" };
}

/** The rows without a base: nothing that stands there may be Writ's. */
function decideUnknown(local: string | null, next: string | null): Decision {
  if (local === null)
    return next === null ? { state: "gone", action: "forget" } : { state: "new", action: "create" };
  if (next === null) return { state: "user", action: "none" };
  if (local === next) return { state: "adopted", action: "record" };
  return { state: "conflict", action: "keep", reason: "no_base" };
}
