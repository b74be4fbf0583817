import type { LoopState } from "../model.ts";

/** What changes the state of the loop, and what it becomes. Undoing the run takes the transition away with it. */
export type Action = "seed" | "reseed" | "chain" | "monitor" | "filter" | "build" | "restore";

/** Where the loop stands; null before anything was seeded. */
export interface Standing {
  state: LoopState | null;
  /** How often the library has been seeded. */
  round: number;
}

/** The word by which `status` names a possible next step. */
export type Transition =
  | "seed"
  | "chain"
  | "filter"
  | "build"
  | "snapshot"
  | "read"
  | "validate"
  | "reseed"
  | "monitor"
  | "export";

/** The state after an action. */
export function after(action: Action, { round }: Standing): { state: LoopState; round: number } {
  switch (action) {
    case "seed":
      return { state: "SEEDED", round: Math.max(round, 1) };
    case "reseed":
      return { state: "SEEDED", round: round + 1 };
    case "chain":
      return { state: "FORAGED", round };
    case "monitor":
      return { state: "MONITORED", round };
    case "filter":
      return { state: "FILTERED", round };
    case "build":
      return { state: "BUILT", round };
    case "restore":
      return { state: "FILTERED", round: Math.max(round, 1) };
  }
}

const table: Readonly<Record<LoopState | "none", { transitions: readonly Transition[]; next: Transition }>> =
  {
    none: { transitions: ["seed"], next: "seed" },
    SEEDED: {
      transitions: ["chain", "filter", "build", "snapshot", "read", "validate", "reseed"],
      next: "chain",
    },
    FORAGED: {
      transitions: ["filter", "build", "chain", "snapshot", "read", "validate", "reseed"],
      next: "build",
    },
    FILTERED: {
      transitions: ["build", "filter", "chain", "snapshot", "read", "validate", "reseed"],
      next: "build",
    },
    BUILT: {
      transitions: [
        "monitor",
        "export",
        "build",
        "filter",
        "chain",
        "snapshot",
        "read",
        "validate",
        "reseed",
      ],
      next: "read",
    },
    MONITORED: {
      transitions: [
        "monitor",
        "reseed",
        "build",
        "filter",
        "chain",
        "export",
        "snapshot",
        "read",
        "validate",
      ],
      next: "chain",
    },
  };

/** What may be done in a state, most useful first, and what is best done next. */
export function transitionsOf(state: LoopState | null): {
  transitions: readonly Transition[];
  next: Transition;
} {
  return table[state ?? "none"];
}
