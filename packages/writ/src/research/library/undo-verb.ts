import type { Context } from "../../contract/index.ts";
import { type Change, commitLibrary } from "./change.ts";
import { rehearseLibrary } from "./rehearse.ts";
import { standingOf } from "./standing.ts";
import { builtOn, findUndoable, undoRun, unnamed } from "./undo.ts";
import { readLibrary } from "./use.ts";

export interface UndoRequest {
  runId?: string | undefined;
  wait?: number;
}

/** Undoes a run, or says that it is undone already. */
export async function undo(ctx: Context, { runId, wait }: UndoRequest) {
  const how = wait === undefined ? {} : { wait };
  const { run, built, standing } = await readLibrary(
    ctx,
    async (db) => {
      if (runId === undefined) throw await unnamed(db);
      const run = await findUndoable(db, runId);
      return { run, built: await builtOn(db, run), standing: await standingOf(db) };
    },
    how,
  );
  const base = { undone: run.run_id, verb: run.verb, built_on: built };
  if (run.revoked_by !== null)
    return {
      ...base,
      run_id: null,
      papers_changed: 0,
      papers_removed: 0,
      ...standing,
      changed: false,
      reason: `The run was undone before, by ${run.revoked_by}.`,
      next: [`writ research curate undo --run ${run.revoked_by}`],
    };
  const options = { verb: "curate.undo", params: { run: run.run_id }, ...how };
  const work = async (change: Change) => {
    await undoRun(change, run);
    const { added, changed, removed } = await change.fold();
    change.setCounts({ papers_changed: changed + added, papers_removed: removed });
    return {
      ...base,
      papers_changed: changed + added,
      papers_removed: removed,
      ...(await standingOf(change.db)),
    };
  };
  if (ctx.dryRun) return { ...(await rehearseLibrary(ctx, options, work)), run_id: null, changed: true };
  return commitLibrary(ctx, options, async (change) => ({
    ...(await work(change)),
    run_id: change.run.id,
    next: [`writ research curate undo --run ${change.run.id}`],
  }));
}
