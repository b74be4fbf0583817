import { type Context, fail } from "../../contract/index.ts";
import { commitLibrary } from "../library/change.ts";
import type { Database } from "../library/database.ts";
import { requireIds } from "../library/resolve.ts";
import { decide, type NewDecision } from "../library/tell.ts";
import { readLibrary } from "../library/use.ts";
import { type Decision, limits } from "../model.ts";
import { presentDecisions } from "./present.ts";

/** What accept and reject are given. */
export interface DecideInput {
  ids: string[];
  reason?: string | undefined;
  note?: string | undefined;
  by?: string | undefined;
  wait: number;
}

export interface Decided {
  run_id: string | null;
  /** The papers named, by their ids in the library. */
  ids: string[];
  changed: boolean;
  reason?: string;
  [count: `${string}_count`]: number;
}

/** Whose name stands beside a decision: the local user may say, everybody else, an agent too, is who they are. */
export function decider(ctx: Pick<Context, "local" | "caller">, by: string | undefined): string {
  const maySay = ctx.local && ctx.caller.role !== "agent";
  return maySay && by !== undefined ? by : ctx.caller.actor;
}

/** Accepts or rejects papers by name: all of them, or none when one is unknown. */
export async function decidePapers(ctx: Context, given: DecideInput, decision: Decision): Promise<Decided> {
  if (given.ids.length > limits.ids) throw tooMany(given.ids.length);
  const plan = (db: Database) => planDecisions(db, { ...given, by: decider(ctx, given.by) }, decision);
  const seen = await readLibrary(ctx, plan, { wait: given.wait });
  const answer = (ids: readonly string[]) => ({ [`${decision}_count` as const]: ids.length, ids: [...ids] });
  if (seen.rows.length === 0) {
    return {
      run_id: null,
      ...answer(seen.ids),
      changed: false,
      reason: `All of them are ${decision} already.`,
    };
  }
  if (ctx.dryRun) return { run_id: null, ...answer(seen.ids), changed: true };
  const { ids, reason, note, wait } = given;
  const verb = decision === "accepted" ? "curate.accept" : "curate.reject";
  return commitLibrary(ctx, { verb, params: { ids, reason, note }, wait }, async (change) => {
    const planned = await plan(change.db);
    await decide(change, planned.rows);
    change.setCounts({ [decision]: planned.rows.length });
    return { run_id: change.run.id, ...answer(planned.ids), changed: true };
  });
}

async function planDecisions(
  db: Database,
  given: DecideInput & { by: string },
  decision: Decision,
): Promise<{ ids: string[]; rows: NewDecision[] }> {
  const verb = decision === "accepted" ? "accept" : "reject";
  const ids = await requireIds(db, given.ids, `writ research curate ${verb} --ids`);
  const present = await presentDecisions(db, ids);
  const { reason, note, by } = given;
  const rows = ids.flatMap((paper): NewDecision[] => {
    const now = present.get(paper);
    const same =
      now?.decision === decision &&
      (reason === undefined || reason === now.reason) &&
      (note === undefined || note === now.note);
    return same
      ? []
      : [
          {
            paper,
            decision,
            kind: "manual",
            by,
            ...(reason !== undefined && { reason }),
            ...(note && { note }),
          },
        ];
  });
  return { ids, rows };
}

function tooMany(found: number) {
  return fail("E_LIMIT", {
    message: `${found} ids are too many for one command.`,
    cause: `At most ${limits.ids} are taken.`,
    remediation: "Put the decisions into a file: writ research curate dump --scope all",
    details: { limit: limits.ids, found },
  });
}
