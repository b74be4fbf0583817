import type { Change, Folded } from "./changing.ts";
import type { Database } from "./database.ts";
import { group } from "./fold/groups.ts";
import { moveNames } from "./fold/names.ts";
import { count, reach } from "./fold/reach.ts";
import { asWritten, paperRows, prepareRows, type Ways } from "./fold/rows.ts";

export type { Folded } from "./changing.ts";

/** Makes the temporary tables that a change writes what it touched into. */
export async function prepareFold(db: Database): Promise<void> {
  await db.run(`
    CREATE OR REPLACE TEMP TABLE touched_records (source VARCHAR, source_key VARCHAR);
    CREATE OR REPLACE TEMP TABLE touched_papers (id VARCHAR)`);
}

/**
 * Computes again exactly the papers that the change touched, from the records, decisions, citers, looked-up DOIs and
 * merges of runs that are not undone. The only writer of `papers`.
 */
export async function fold(change: Change): Promise<Folded> {
  const { db, ctx, run } = change;
  const touched = (await count(db, "temp.touched_records")) + (await count(db, "temp.touched_papers"));
  if (touched === 0) return { added: 0, changed: 0, removed: 0 };
  ctx.emit({ phase: "fold" });
  const ways = await compute(db, () => moveNames(db, run.id));
  const done = await replacePapers(db, ways);
  await db.run("DELETE FROM temp.touched_records; DELETE FROM temp.touched_papers");
  return done;
}

/** Computes the rows of all that was touched, for {@link paperRows}; `move` is between finding and describing them. */
export async function compute(db: Database, move: () => Promise<void>): Promise<Ways> {
  for (let again = true; again; ) {
    await reach(db);
    await group(db);
    again = await collides(db);
  }
  await move();
  return prepareRows(db);
}

/** A new identity may be that of a paper nobody had touched; then that one is touched too. */
async function collides(db: Database): Promise<boolean> {
  const before = await count(db, "temp.touched_papers");
  await db.run(`INSERT INTO temp.touched_papers SELECT p.id FROM papers p JOIN f_out o USING (id)
    WHERE p.active AND o.active AND p.id NOT IN (SELECT id FROM f_papers)`);
  return (await count(db, "temp.touched_papers")) > before;
}

async function replacePapers(db: Database, ways: Ways): Promise<Folded> {
  await db.run(`
    CREATE OR REPLACE TEMP TABLE f_before AS SELECT id, row_hash FROM papers
      WHERE active AND id IN (SELECT id FROM f_papers);
    UPDATE papers SET active = false, merged_into = NULL WHERE active AND id IN (SELECT id FROM f_papers)
      AND id NOT IN (SELECT old FROM f_moved);
    DELETE FROM papers WHERE id IN (SELECT id FROM f_out) OR id IN (SELECT old FROM f_moved)`);
  await asWritten(db, `INSERT INTO papers BY NAME ${paperRows(ways)}`);
  await db.run(`
    CREATE OR REPLACE TEMP TABLE f_after AS SELECT p.id, p.row_hash, b.row_hash AS was,
        EXISTS (SELECT 1 FROM f_home h WHERE h.home = p.id) AS known
      FROM papers p JOIN f_out o ON o.id = p.id AND o.active LEFT JOIN f_before b ON b.id = p.id WHERE p.active`);
  const rows = await db.rows<{ what: keyof Folded; n: number }>(
    `SELECT what, count(*) AS n FROM (
       SELECT CASE WHEN known THEN 'changed' ELSE 'added' END AS what FROM f_after WHERE was IS DISTINCT FROM row_hash
       UNION ALL SELECT 'removed' FROM f_before WHERE id NOT IN (SELECT old FROM f_moved)) GROUP BY what`,
  );
  const done: Folded = { added: 0, changed: 0, removed: 0 };
  for (const { what, n } of rows) done[what] = n;
  return done;
}
