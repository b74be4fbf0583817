import { compute, prepareFold } from "../library/fold.ts";
import { paperRows } from "../library/fold/rows.ts";
import type { Database, Row } from "../library/database.ts";
import { canonicalColumns } from "../model.ts";

/** How many moments are looked at, the newest first. */
const moments = 50;

/**
 * The canonical columns in which a paper differs now from the row whose hash was cited; undefined where no moment of
 * the library's history gives that row. Each moment is computed again from the runs that counted then, in temporary
 * tables: the library is only read.
 */
export async function columnsSince(db: Database, id: string, pin: string): Promise<string[] | undefined> {
  const now = await db.row("SELECT * FROM papers WHERE id = ? AND active", [id]);
  try {
    for (const seq of await momentsOf(db, id)) {
      const then = (await rowsAt(db, id, seq)).find((row) => row.row_hash === pin);
      if (then) return changedColumns(then, now ?? {});
    }
    return undefined;
  } finally {
    await db.run("DROP TABLE IF EXISTS temp.runs");
  }
}

function changedColumns(then: Row, now: Row): string[] {
  return canonicalColumns.filter(
    (name) => name !== "provenance" && JSON.stringify(then[name]) !== JSON.stringify(now[name]),
  );
}

/** The runs that may have changed the paper, by number, the newest first. */
async function momentsOf(db: Database, id: string): Promise<number[]> {
  const rows = await db.rows<{ seq: number }>(
    `SELECT DISTINCT r.seq FROM runs r WHERE r.run_id IN (
       SELECT s.run_id FROM sightings s JOIN record_papers p USING (source, source_key) WHERE p.paper_id = $1
       UNION SELECT run_id FROM decisions WHERE paper_id = $1
       UNION SELECT c.run_id FROM citers c JOIN external_ids e ON e.engine = 'openalex' AND e.value = c.cited
         WHERE e.paper_id = $1
       UNION SELECT d.run_id FROM ref_dois d WHERE d.ref_id IN (
         SELECT unnest(references_id) FROM papers WHERE id = $1))
     ORDER BY r.seq DESC LIMIT ${moments}`,
    [id],
  );
  return rows.map(({ seq }) => seq);
}

/** The rows of the paper's records as they stood after a run. */
async function rowsAt(db: Database, id: string, seq: number): Promise<Row[]> {
  // A temporary table is found before the library's own of the same name.
  await db.run(
    `CREATE OR REPLACE TEMP TABLE runs AS
     SELECT r.* REPLACE (CASE WHEN r.seq > $1 THEN 'later' WHEN u.seq <= $1 THEN r.revoked_by END AS revoked_by)
     FROM library.runs r LEFT JOIN library.runs u ON u.run_id = r.revoked_by`,
    [seq],
  );
  await prepareFold(db);
  await db.append("temp.touched_papers", ["id"], [[id]]);
  const ways = await compute(db, async () => {});
  return db.rows(`SELECT * FROM (${paperRows(ways)}) WHERE active`);
}
