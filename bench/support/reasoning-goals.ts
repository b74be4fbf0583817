import type { Target } from "../harness.ts";

/** What parts of reasoning may take at most, at the 95th percentile of a quiet machine: milliseconds, memory in MB. */
const most = {
  derive: 200,
  statusOfTask: 150,
  statusOfAll: 1000,
  commit: 100,
  plan: 50,
  checkOfThousand: 2000,
  checkOfTenThousand: 15_000,
  clean: 10,
  normalise: 500,
  consultBeyond: 200,
  consultMemory: 128,
  planOfLargeStore: 500,
  recordInLargeStore: 500,
} as const;

type Goal = keyof typeof most;
export const goals = Object.keys(most) as Goal[];

/** The target that a bench holds its samples against. */
export const goal = (name: Goal): Target => ({ kind: "p95", atMost: most[name] });
