import type { Database } from "../library/database.ts";
import { compute, prepareFold } from "../library/fold.ts";
import { paperRows } from "../library/fold/rows.ts";
import { rowHash, withText } from "../library/hash.ts";
import type { Issue } from "./output.ts";

/** Up to so many papers all are computed again; of more, a sample of so many. */
const sample = 10_000;

/**
 * Computes papers again from what is told of them, and compares. Only reads: what is computed lies in temporary
 * tables. `seed` chooses the sample; the papers of the last run are always among it.
 */
export async function compareFold(
  db: Database,
  { total, full, seed }: { total: number; full: boolean; seed: number },
): Promise<{ checked: number; issues: Issue[] }> {
  await prepareFold(db);
  if (full || total <= sample)
    await db.run(`INSERT INTO temp.touched_papers SELECT id FROM papers WHERE active;
      INSERT INTO temp.touched_records SELECT DISTINCT source, source_key FROM sightings`);
  else
    await db.run(
      `INSERT INTO temp.touched_papers
       SELECT id FROM (SELECT id FROM papers WHERE active ORDER BY hash(id || $1) LIMIT ${sample})
       UNION SELECT r.paper_id FROM sightings s JOIN record_papers r USING (source, source_key)
         WHERE s.run_id = (SELECT run_id FROM runs WHERE state = 'done' ORDER BY seq DESC LIMIT 1)`,
      [String(seed)],
    );
  const ways = await compute(db, async () => {});
  await db.run(`CREATE OR REPLACE TEMP TABLE recomputed AS SELECT * FROM (${paperRows(ways)}) WHERE active`);
  const checked = await db.row<{ n: number }>("SELECT count(*) AS n FROM f_papers");
  const rows = await db.rows<{ paper: string; column: string; message: string }>(
    `SELECT * FROM (
       SELECT p.id AS paper, 'row_hash' AS "column", 'It is not what its records and decisions come to.' AS message
       FROM papers p JOIN temp.recomputed n USING (id)
       WHERE p.active AND (p.row_hash, p.is_seed, p.hop, p.curation_status, p.first_run, p.type, p.cited_by_count)
         IS DISTINCT FROM (n.row_hash, n.is_seed, n.hop, n.curation_status, n.first_run, n.type, n.cited_by_count)
       UNION ALL SELECT f.id, 'id', 'No record that counts tells of it.' FROM f_papers f
         WHERE f.id NOT IN (SELECT id FROM temp.recomputed)
       UNION ALL SELECT n.id, 'id', 'Its records tell of it, and it is not there.' FROM temp.recomputed n
         WHERE n.id NOT IN (SELECT id FROM papers WHERE active)
       UNION ALL SELECT h.id, 'row_hash', 'Its hash is not that of its row.' FROM (
         SELECT id, row_hash, ${rowHash("text")} AS found FROM (
           ${withText("(SELECT * FROM papers WHERE active AND id IN (SELECT id FROM f_papers))")})) h WHERE h.row_hash <> h.found)
     ORDER BY ALL LIMIT 100`,
  );
  await db.run("DROP TABLE temp.recomputed");
  return { checked: checked?.n ?? 0, issues: rows.map((row) => ({ code: "fold" as const, ...row })) };
}
