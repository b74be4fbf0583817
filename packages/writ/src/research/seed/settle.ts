import { type Context, WritError } from "../../contract/index.ts";
import { observeAll } from "../chain/observe.ts";
import { saturationOf } from "../chain/saturation.ts";
import type { Change } from "../library/change.ts";
import { placeOf } from "../library/place.ts";
import { standingOf, totalPapers } from "../library/standing.ts";
import { readLibrary, rootOf } from "../library/use.ts";
import { possibleDuplicates } from "../duplicates/propose.ts";
import type { Skipped } from "../model.ts";
import { sweepPages } from "../sources/sweep.ts";

const shownSkipped = 200;

/** What a seeding did: folds, moves the loop on, and counts. */
export async function summary(
  change: Change,
  {
    reseeded,
    skipped,
    skippedTotal = skipped.length,
  }: { reseeded: boolean; skipped: readonly Skipped[]; skippedTotal?: number },
) {
  const { db, ctx } = change;
  const folded = await change.fold();
  const { state, round } = await change.transition(reseeded ? "reseed" : "seed");
  await observeAll(change, round, { ofThisRun: true });
  const saturation = await saturationOf(db, round);
  const total = await totalPapers(change);
  const possible = await possibleDuplicates(db, change.run.id);
  if (possible > 0)
    ctx.warn({
      code: "W_POSSIBLE_DUPLICATES",
      message: `${possible === 1 ? "One pair of papers" : `${possible} pairs of papers`} may be the same work.`,
      remediation: "writ research curate duplicates --kind paper",
    });
  change.setCounts({
    papers_new: folded.added,
    papers_updated: folded.changed,
    total_papers: total,
    skipped: skippedTotal,
    round,
    saturation,
  });
  return {
    papers_new: folded.added,
    papers_updated: folded.changed,
    papers_added: folded.added,
    total_papers: total,
    round,
    loop_state: state,
    reseeded,
    skipped: skipped.slice(0, shownSkipped),
    ...(skippedTotal > shownSkipped && { skipped_total: skippedTotal }),
    possible_duplicates: possible,
    saturation,
  };
}

/** Where the library stands, for an answer that changes nothing. */
export async function standingData(ctx: Context, wait: number) {
  try {
    return await readLibrary(
      ctx,
      async (db) => {
        const { state, round } = await standingOf(db);
        return { total_papers: await totalPapers({ db }), round, loop_state: state };
      },
      { wait },
    );
  } catch (error) {
    if (!(error instanceof WritError) || error.code !== "E_LIBRARY_MISSING") throw error;
    return { total_papers: 0, round: 0, loop_state: null };
  }
}

/** Old pages go with the next success; what hinders that hinders no seed. */
export async function cleanPages(ctx: Context, wait: number): Promise<void> {
  const unfinished = () =>
    readLibrary(
      ctx,
      async (db) => {
        const rows = await db.rows<{ run_id: string }>(
          "SELECT run_id FROM runs WHERE state <> 'done' AND revoked_by IS NULL",
        );
        return new Set(rows.map((one) => one.run_id));
      },
      { wait },
    );
  await sweepPages(placeOf(rootOf(ctx)).pages, { now: ctx.clock.now(), unfinished }).catch(() => undefined);
}
