import type { NewEvent } from "../../packages/writ/src/ledger/index.ts";

/** An ordinary event, with what a test cares about in its place. */
export function eventOf(part: Partial<NewEvent> & { id: string }): NewEvent {
  return {
    actor: "user:ana",
    acts_for: "user:ana",
    kind: "capability.done",
    capability: "workspace.sync",
    subjects: ["stack:base"],
    outcome: "done",
    ...part,
  };
}
