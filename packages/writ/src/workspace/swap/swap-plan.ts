import type { Context, Fact } from "../../contract/index.ts";
import { compareBytes, formatInstant } from "../../platform/index.ts";
import type { FaultPoint } from "./faults.ts";
import { writeJournal, type Journal } from "./journal.ts";
import type { Staging } from "./staging.ts";
import { requireAccess } from "./require-access.ts";
import { finishSwap, type RepoPorts, type SwapOutcome } from "./swap.ts";

/** Everything a swap will do; the journal adds whose act it is. */
export type SwapPlan = Omit<Journal, "schema" | "run" | "event">;

/** True when carrying the plan out changes a file, the lock, a clone or a ref of the workspace. */
export function changesAnything(plan: SwapPlan): boolean {
  const { actions, clones, forwards, prunes, lock } = plan;
  return actions.length + clones.length + forwards.length + prunes.length > 0 || lock !== undefined;
}

export interface Commit {
  /** The capability whose act this is. */
  capability: string;
  fact: Fact;
  staging: Staging;
  repos: RepoPorts;
  fault: FaultPoint;
  /** The answer of the act, which is kept for its idempotency key. */
  answer(outcome: SwapOutcome): Record<string, unknown>;
}

/**
 * Commits a staged plan: the journal is the commit point, the swap follows, and the executor appends the
 * ledger event that the journal already holds.
 */
export async function commitSwap(
  ctx: Context,
  plan: SwapPlan,
  { capability, fact, staging, repos, fault, answer }: Commit,
): Promise<Record<string, unknown>> {
  const root = ctx.workspace?.root ?? ctx.base;
  const { actor, acts_for } = ctx.caller;
  const at = formatInstant(ctx.clock.now());
  const journal: Journal = {
    schema: "writ-journal/1",
    run: ctx.act,
    event: {
      act: ctx.act,
      capability,
      actor,
      ...(acts_for !== undefined && { acts_for }),
      at,
      fact: { ...fact },
    },
    ...plan,
    actions: plan.actions.toSorted((a, b) => compareBytes(a.path, b.path)),
  };
  await requireAccess(root, plan);
  await staging.sync();
  const data = await ctx.commit(fact, async () => {
    await writeJournal(root, journal);
    await fault("g");
    return answer(await finishSwap(root, journal, { repos, fault }));
  });
  await fault("j");
  return data;
}
