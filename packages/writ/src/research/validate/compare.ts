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
  await db.run(
    `CREATE OR REPLACE TEMP TABLE recomputed AS SELECT id, ${compared.join(", ")} FROM (${paperRows(ways)}) WHERE active`,
  );
  const checked = await db.row<{ n: number }>("SELECT count(*) AS n FROM f_papers");
  const found: Difference[] = [];
  // Where it is most of them, all are looked at: to find wide rows among many by their ids takes longer than to hash them.
  const isMost = (checked?.n ?? 0) * 2 > total;
  // In a table: a condition on the text would put it together again for each of its parts.
  await db.run(`CREATE OR REPLACE TEMP TABLE hashed AS SELECT id, row_hash, ${rowHash("text")} AS found
    FROM (${withText(`(SELECT * FROM papers WHERE active AND ${isMost ? "true" : "id IN (SELECT id FROM f_papers)"})`)})`);
  // Asked one after the other: each may need all the memory that there is.
  for (const question of questions)
    found.push(...(await db.rows<Difference>(`${question} ORDER BY ALL LIMIT ${most}`)));
  await db.run("DROP TABLE temp.recomputed; DROP TABLE temp.hashed");
  return {
    checked: checked?.n ?? 0,
    issues: found.slice(0, most).map((row) => ({ code: "fold" as const, ...row })),
  };
}

interface Difference {
  paper: string;
  column: string;
  message: string;
}

/** The most differences that are told. */
const most = 100;

/** What tells whether a paper is as it was computed. */
const compared = ["row_hash", "is_seed", "hop", "curation_status", "first_run", "type", "cited_by_count"];
const tupleOf = (table: string) => `(${compared.map((name) => `${table}.${name}`).join(", ")})`;

const questions = [
  `SELECT p.id AS paper, 'row_hash' AS "column", 'It is not what its records and decisions come to.' AS message
   FROM papers p JOIN temp.recomputed n USING (id) WHERE p.active AND ${tupleOf("p")} IS DISTINCT FROM ${tupleOf("n")}`,
  `SELECT id AS paper, 'id' AS "column", 'No record that counts tells of it.' AS message
   FROM f_papers ANTI JOIN temp.recomputed USING (id)`,
  `SELECT id AS paper, 'id' AS "column", 'Its records tell of it, and it is not there.' AS message
   FROM temp.recomputed ANTI JOIN (SELECT id FROM papers WHERE active) USING (id)`,
  `SELECT id AS paper, 'row_hash' AS "column", 'Its hash is not that of its row.' AS message
   FROM temp.hashed WHERE row_hash <> found`,
];
