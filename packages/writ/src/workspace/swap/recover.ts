import type { Context } from "../../contract/index.ts";
import type { FaultPoint } from "./faults.ts";
import { readJournal } from "./journal.ts";
import type { Sources } from "../sources/open-sources.ts";
import { removeLeftovers } from "./staging.ts";

/** Completes what an interrupted run committed, writes the event it owes, and clears what dead runs staged. */
export async function recover(
  ctx: Context,
  root: string,
  { open, fault }: { open: () => Sources; fault: FaultPoint },
): Promise<boolean> {
  const journal = await readJournal(root);
  if (journal) {
    ctx.emit({ phase: "recover" });
    const { finishSwap } = await import("./swap.ts");
    const { repoPorts } = await import("../repos/repo-ports.ts");
    await finishSwap(root, journal, { repos: repoPorts(root, journal.run, open), fault });
  }
  await ctx.settle();
  if (!(await readJournal(root))) await removeLeftovers(root);
  return journal !== undefined;
}
