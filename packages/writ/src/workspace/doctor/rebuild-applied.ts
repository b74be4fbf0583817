import { writeAtomic, storing } from "../../platform/index.ts";
import { printApplied, readApplied, setAsideApplied, type Applied } from "../swap/applied.ts";
import { nextApplied } from "../swap/next-applied.ts";
import type { Changeset } from "../changeset/changeset.ts";
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
  const { changeset } = await room.observed();
  await setAsideApplied(root, ctx.act);
  // Without a changeset nothing can be compared, and the next run does the same with the network at hand.
  if (!changeset) return;
  const text = printApplied(onlyStanding(changeset, nextApplied(changeset, ctx.act, new Map())));
  await storing(".writ/workspace/applied.json", () =>
    writeAtomic(stateOf(root).applied, text, { mode: 0o600 }),
  );
}

/** The record without what a run would first have to write. */
function onlyStanding(changeset: Changeset, next: Applied): Applied {
  const standing = new Set(changeset.files.filter(({ step }) => kept.has(step)).map(({ path }) => path));
  return {
    ...next,
    // The next run looks at everything again.
    inputs: "",
    files: next.files.filter(({ path }) => standing.has(path) || changeset.carried.has(path)),
    regions: next.regions.filter(({ path }) => standing.has(path)),
    repos: next.repos.filter(({ path }) => changeset.declared.some((repo) => repo.path === path)),
  };
}
