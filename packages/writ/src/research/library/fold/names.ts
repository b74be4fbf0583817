import type { Database } from "../database.ts";

/**
 * Moves every name with its paper: where the records are now, which identifiers lead there, what old ids mean, and
 * which decisions go with it. `runId` is the run that moved them.
 */
export async function moveNames(db: Database, runId: string): Promise<void> {
  await db.run(`
    CREATE OR REPLACE TEMP TABLE f_home AS
      SELECT p.paper_id AS old, o.id AS home, o.out, count(*) AS n FROM record_papers p
        JOIN f_papers ON f_papers.id = p.paper_id JOIN f_rec f USING (source, source_key)
        JOIN f_member m USING (rid) JOIN f_out o ON o.out = m.out AND o.active GROUP BY ALL;
    CREATE OR REPLACE TEMP TABLE f_moved AS
      SELECT old, arg_min(home, {live: home <> old, n: -n, id: home}) AS home FROM f_home GROUP BY old`);
  await replaceDerived(db);
  const moved = await db.row("SELECT 1 AS one FROM f_moved WHERE old <> home LIMIT 1");
  if (moved) await keepOldIds(db, runId);
  await moveDecisions(db);
}

async function replaceDerived(db: Database): Promise<void> {
  await db.run(`
    DELETE FROM record_papers WHERE paper_id IN (SELECT id FROM f_papers);
    DELETE FROM external_ids WHERE paper_id IN (SELECT id FROM f_papers);
    INSERT INTO record_papers SELECT f.source, f.source_key, f.row_hash, f.own_id, o.id
      FROM f_rec f JOIN f_member m USING (rid) JOIN f_out o ON o.out = m.out AND o.active;
    INSERT INTO external_ids SELECT DISTINCT i.engine, i.value, o.id
      FROM f_ids i JOIN f_member m USING (rid) JOIN f_out o ON o.out = m.out AND o.active`);
}

/** An id that no paper has any more leads to the paper that has its records. */
async function keepOldIds(db: Database, runId: string): Promise<void> {
  await db.run(
    `CREATE OR REPLACE TEMP TABLE f_gone AS
       SELECT old, home, (SELECT count(*) FROM f_moved o WHERE o.home = m.home) > 1 AS joined FROM f_moved m
       WHERE old <> home AND old NOT IN (SELECT id FROM f_out WHERE active)`,
  );
  await db.run(`UPDATE aliases SET paper_id = g.home FROM f_gone g WHERE aliases.paper_id = g.old`);
  await db.run(
    `INSERT INTO aliases SELECT old, home, CASE WHEN joined THEN 'merged' ELSE 'rekeyed' END, ? FROM f_gone g
     WHERE NOT EXISTS (SELECT 1 FROM aliases a WHERE a.old_id = g.old AND a.paper_id = g.home)`,
    [runId],
  );
  // Papers that became one by an identifier, not by a person's word.
  await db.run(
    `INSERT INTO merges SELECT DISTINCT 'mrg_' || left(sha256('exact|' || keep || '|' || "drop"), 16), 'exact', keep, "drop",
       NULL, '{"evidence":["shared_id"]}', ? FROM (
       SELECT m.home AS keep, m.old AS "drop" FROM f_moved m JOIN (
         SELECT home, min(old) AS first, bool_or(old = home) AS stays FROM f_moved GROUP BY home HAVING count(*) > 1) h
         USING (home)
       WHERE m.old <> m.home AND (h.stays OR m.old <> h.first))
     WHERE "drop" NOT IN (SELECT id FROM f_out WHERE NOT active)`,
    [runId],
  );
}

/** A decision goes to the paper that answers to the id on which it was made. */
async function moveDecisions(db: Database): Promise<void> {
  const any = await db.row("SELECT 1 AS one FROM decisions LIMIT 1");
  if (!any) return;
  await db.run(`
    CREATE OR REPLACE TEMP TABLE f_answers AS
      SELECT name, arg_min(id, {rank: rank, id: id}) AS id FROM (
        SELECT id AS name, id, 0 AS rank FROM f_out WHERE active
        UNION ALL SELECT f.own_id, o.id, 1 FROM f_rec f JOIN f_member m USING (rid)
          JOIN f_out o ON o.out = m.out AND o.active
        UNION ALL SELECT id, merged_into, 2 FROM f_out WHERE NOT active
        UNION ALL SELECT a.old_id, a.paper_id, 3 FROM aliases a JOIN f_out o ON o.id = a.paper_id AND o.active)
      GROUP BY name;
    UPDATE decisions SET paper_id = a.id FROM f_answers a
      WHERE decisions.made_on = a.name AND decisions.paper_id <> a.id`);
}
