import type { Database } from "./database.ts";

const resumableDays = 7;

/** From when on a run that did not end may be taken up again. */
export function resumableSince(now: number): Date {
  return new Date(now - resumableDays * 86_400_000);
}

/** A run that did not end and may be taken up. */
export interface UnfinishedRun {
  run_id: string;
  verb: string;
  state: string;
  /** JSON, as the run was begun. */
  params: string;
  /** JSON, as the run could note it when it stopped. */
  counts: string | null;
  started_at: Date;
}

/** The runs that may be taken up, oldest first: not undone, and none of the same plan has begun since. */
export function unfinishedRuns(
  db: Database,
  since: Date,
  of?: { verb: string; planHash: string },
): Promise<UnfinishedRun[]> {
  return db.rows(
    `SELECT run_id, verb, state, params, counts, started_at FROM runs r
     WHERE state <> 'done' AND revoked_by IS NULL AND started_at > ? ${of ? "AND verb = ? AND plan_hash = ?" : ""}
       AND NOT EXISTS (SELECT 1 FROM runs l WHERE l.verb = r.verb AND l.plan_hash = r.plan_hash AND l.seq > r.seq
         AND l.revoked_by IS NULL)
     ORDER BY seq`,
    of ? [since, of.verb, of.planHash] : [since],
  );
}
