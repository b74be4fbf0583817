import { fail } from "../../contract/index.ts";
import type { Change } from "./changing.ts";
import type { Database } from "./database.ts";

/** A run that is to be undone. */
export interface Undoable {
  run_id: string;
  verb: string;
  seq: number;
  /** done, or as far as it came. */
  state: string;
  revoked_by: string | null;
}

/** The run of that id, also one that did not end: undone, it is never taken up. Throws E_NOT_FOUND with the newest runs. */
export async function findUndoable(db: Database, runId: string): Promise<Undoable> {
  const run = await db.row<Undoable>(
    "SELECT run_id, verb, seq, revoked_by, state FROM runs WHERE run_id = ?",
    [runId],
  );
  if (run) return run;
  const latest = await newestOf(db);
  const [newest] = latest;
  throw fail("E_NOT_FOUND", {
    message: `No run has the id "${runId.slice(0, 100)}".`,
    cause: newest ? `The newest is ${newest.run_id} (${newest.verb}).` : "The library has no run yet.",
    remediation: "See the newest runs: writ research status --runs 20",
    details: { missing: [runId.slice(0, 100)], nearest: latest },
  });
}

/** E_MISSING_INPUT for an undo that is told no run, with the newest. */
export async function unnamed(db: Database) {
  const latest = await newestOf(db);
  const [newest] = latest;
  return fail("E_MISSING_INPUT", {
    message: "Which run is to be undone?",
    cause: newest ? `The newest is ${newest.run_id} (${newest.verb}).` : "The library has no run yet.",
    remediation: newest
      ? `writ research curate undo --run ${newest.run_id}`
      : "See the newest runs: writ research status --runs 20",
    details: { missing: ["run"], nearest: latest },
  });
}

function newestOf(db: Database): Promise<{ run_id: string; verb: string }[]> {
  return db.rows(
    "SELECT run_id, verb FROM runs WHERE state = 'done' AND revoked_by IS NULL ORDER BY seq DESC LIMIT 5",
  );
}

/** Marks a run as undone and touches all that it told; undoing an undo brings back what that had undone. */
export async function undoRun(change: Change, run: Undoable): Promise<void> {
  await revoke(change, run.run_id, change.run.id);
}

/** `by` is the run that undoes it, or null where it counts again. */
async function revoke(change: Change, runId: string, by: string | null): Promise<void> {
  const { db, run } = change;
  await db.run("UPDATE runs SET revoked_by = ?, revoked_at = ? WHERE run_id = ?", [by, run.at, runId]);
  await touchAllOf(db, runId);
  const undone = await db.row<{ target: string | null }>(
    "SELECT params->>'run' AS target FROM runs WHERE run_id = ? AND verb = 'curate.undo'",
    [runId],
  );
  if (undone?.target) await revoke(change, undone.target, by === null ? runId : null);
}

/** Whatever follows from a run's rows is to be computed again. */
async function touchAllOf(db: Database, runId: string): Promise<void> {
  await db.run(
    "INSERT INTO temp.touched_records SELECT DISTINCT source, source_key FROM sightings WHERE run_id = ?",
    [runId],
  );
  await db.run(
    `INSERT INTO temp.touched_papers
     SELECT paper_id FROM decisions WHERE run_id = $1
     UNION SELECT unnest([keep, "drop"]) FROM merges WHERE run_id = $1 AND kind = 'paper'
     UNION SELECT e.paper_id FROM citers c JOIN external_ids e ON e.engine = 'openalex' AND e.value = c.cited
       WHERE c.run_id = $1
     UNION SELECT p.id FROM (SELECT id, unnest(references_id) AS ref_id FROM papers WHERE active) p
       JOIN ref_dois d USING (ref_id) WHERE d.run_id = $1`,
    [runId],
  );
}

/** Later runs that rest on what a run told: decisions on its papers, citers of them, builds. They stay as they are. */
export async function builtOn(db: Database, run: Undoable): Promise<{ run_id: string; verb: string }[]> {
  if (run.state !== "done") return [];
  return db.rows(
    `WITH mine AS (SELECT DISTINCT p.paper_id FROM sightings s JOIN record_papers p USING (source, source_key)
       WHERE s.run_id = $1)
     SELECT run_id, verb FROM runs WHERE seq > $2 AND state = 'done' AND revoked_by IS NULL AND run_id IN (
       SELECT d.run_id FROM decisions d JOIN mine USING (paper_id)
       UNION SELECT m.run_id FROM merges m WHERE m.keep IN (FROM mine) OR m."drop" IN (FROM mine)
       UNION SELECT c.run_id FROM citers c JOIN external_ids e ON e.engine = 'openalex' AND e.value = c.cited
         JOIN mine USING (paper_id)
       UNION SELECT run_id FROM builds) ORDER BY seq`,
    [run.run_id, run.seq],
  );
}
