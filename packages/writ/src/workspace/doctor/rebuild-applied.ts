import { writeAtomic, storing } from "../../platform/index.ts";
import { printApplied, readApplied, setAsideApplied, type Applied } from "../swap/applied.ts";
import { nextApplied } from "../swap/next-applied.ts";
import type { Plan } from "../plan/plan.ts";
import { stateOf } from "../swap/state.ts";
import type { Room } from "./room.ts";

const kept = new Set(["none", "record", "keep", "forget"]);

/**
 * Writes the record of what was composed anew, from disk, lock and cache: what equals its source is taken as
 * composed, what differs stays a conflict until somebody settles it. The unreadable record is set aside.
 */
export async function rebuildApplied(room: Room): Promise<void> {
  const { root, ctx } = room;
  if (!(await readApplied(root)).corrupt) return;
  const { plan } = await room.observed();
  await setAsideApplied(root, ctx.act);
  // Without a plan nothing can be compared, and the next run does the same with the network at hand.
  if (!plan) return;
  const text = printApplied(onlyStanding(plan, nextApplied(plan, ctx.act, new Map())));
  await storing(".writ/workspace/applied.json", () =>
    writeAtomic(stateOf(root).applied, text, { mode: 0o600 }),
  );
}

/** The record without what a run would first have to write. */
function onlyStanding(plan: Plan, next: Applied): Applied {
  const standing = new Set(plan.files.filter(({ step }) => kept.has(step)).map(({ path }) => path));
  return {
    ...next,
    // The next run looks at everything again.
    inputs: "",
    files: next.files.filter(({ path }) => standing.has(path) || plan.carried.has(path)),
    regions: next.regions.filter(({ path }) => standing.has(path)),
    repos: next.repos.filter(({ path }) => plan.declared.some((repo) => repo.path === path)),
  };
}
