import type { LoopState } from "../model.ts";
import type { Database } from "./database.ts";
import type { Standing } from "./states.ts";

/** Where the loop stands: the last transition whose run is not undone. */
export async function standingOf(db: Database): Promise<Standing> {
  const row = await db.row<{ state: LoopState; round: number }>(
    `SELECT l.state, l.round FROM loop_state_log l JOIN runs r USING (run_id)
     WHERE r.revoked_by IS NULL ORDER BY l.recorded_at DESC, l.seq DESC LIMIT 1`,
  );
  return row ?? { state: null, round: 0 };
}

/** Active papers, of any status. */
export async function totalPapers({ db }: { db: Database }): Promise<number> {
  return (await db.row<{ n: number }>("SELECT count(*) AS n FROM papers WHERE active"))?.n ?? 0;
}
