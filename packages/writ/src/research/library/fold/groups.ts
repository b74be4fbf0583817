import type { Database } from "../database.ts";
import { paperId } from "../identity.ts";
import { Forest, splitByDoi } from "./forest.ts";
import { count, counting } from "./reach.ts";

/**
 * Decides which records are one paper. A pure function of the records and the confirmed merges:
 * records that share an identifier are one, except that two DOIs stay two; what has neither DOI nor source id is one
 * with what has the same title and year; then confirmed merges join groups.
 *
 * Leaves `f_member(out, rid, side)` and `f_out(out, id, active, merged_into, n)`. A group that a merge joined to
 * another also stands alone, under a negative number and inactive.
 */
export async function group(db: Database): Promise<void> {
  const records = await count(db, "f_rec");
  const forest = new Forest(records);
  for await (const [rids = [], firsts = []] of db.columns(`
    SELECT i.rid, g.first FROM f_ids i JOIN (
      SELECT engine, value, min(rid) AS first FROM f_ids GROUP BY engine, value HAVING count(*) > 1) g
    USING (engine, value) WHERE i.rid <> g.first`))
    rids.forEach((rid, at) => forest.join(firsts[at] as number, rid as number));
  await writeLabels(db, forest);
  await splitConflicts(db, forest);
  await joinByTitle(db, forest);
  const sides = await applyMerges(db);
  await writeGroups(db, sides);
}

/** Which group each record is in, as far as it is not alone. */
async function writeLabels(db: Database, forest: Forest): Promise<void> {
  await db.run("CREATE OR REPLACE TEMP TABLE f_label (rid INTEGER, grp INTEGER)");
  await db.append("temp.f_label", ["rid", "grp"], forest.members());
  await db.run(`CREATE OR REPLACE TEMP VIEW f_grouped AS
    SELECT f.*, coalesce(l.grp, f.rid) AS grp FROM f_rec f LEFT JOIN f_label l USING (rid)`);
}

async function splitConflicts(db: Database, forest: Forest): Promise<void> {
  const conflicts = await db.rows<{ grp: number }>(`
    SELECT l.grp FROM f_label l JOIN f_rec f USING (rid) GROUP BY l.grp HAVING count(DISTINCT f.doi) > 1`);
  if (conflicts.length === 0) return;
  const rows = await db.rows<{ rid: number; grp: number; doi: string | null; ids: string[] | null }>(
    `SELECT l.rid, l.grp, any_value(f.doi) AS doi, list(i.engine || ':' || i.value) FILTER (i.engine <> 'doi') AS ids
     FROM f_label l JOIN f_rec f USING (rid) LEFT JOIN f_ids i USING (rid)
     WHERE l.grp IN (SELECT l.grp FROM f_label l JOIN f_rec f USING (rid) GROUP BY l.grp
       HAVING count(DISTINCT f.doi) > 1) GROUP BY l.rid, l.grp ORDER BY l.rid`,
  );
  forest.release(rows.map(({ rid }) => rid));
  for (const part of splitByDoi(rows)) for (const rid of part) forest.join(part[0] ?? rid, rid);
  await writeLabels(db, forest);
}

const inOrder = "{t: trust, f: -epoch_us(fetched_at), k: g.source_key}";

/** What the identity of each group is made of. */
const identifying = `
  SELECT g.grp, count(*) AS n, arg_min(g.doi, ${inOrder}) AS doi,
    arg_min(g.source_id, ${inOrder}) AS source_id, arg_min(g.year, ${inOrder}) AS year,
    arg_min(c.title, ${inOrder}) AS title
  FROM f_grouped g JOIN records c ON c.rowid = g.place`;

/** Joins groups that have neither a DOI nor a source's id, and the same title and year. */
async function joinByTitle(db: Database, forest: Forest): Promise<void> {
  await writeIds(db, { titled: true });
  let joined = false;
  for await (const [grps = [], firsts = []] of db.columns(`
    SELECT i.grp, g.first FROM f_id i JOIN (
      SELECT id, min(grp) AS first FROM f_id GROUP BY id HAVING count(*) > 1) g USING (id) WHERE i.grp <> g.first`))
    grps.forEach((grp, at) => {
      forest.join(firsts[at] as number, grp as number);
      joined = true;
    });
  if (joined) await writeLabels(db, forest);
}

/** Joins what a person has confirmed to be one; answers for each joined group the group it was before. */
async function applyMerges(db: Database): Promise<ReadonlyMap<number, number>> {
  const merges = await db.rows<{ keep: string; drop: string }>(
    `SELECT DISTINCT keep, "drop", merge_id FROM merges ${counting} AND kind = 'paper' ORDER BY merge_id`,
  );
  const before = new Map<number, number>();
  if (merges.length === 0) return before;
  await writeIds(db, { titled: false });
  const names = await namesOf(
    db,
    merges.flatMap(({ keep, drop }) => [keep, drop]),
  );
  const tree = new Map<number, number>();
  const root = (grp: number): number => {
    let at = grp;
    for (let up = tree.get(at); up !== undefined; up = tree.get(at)) at = up;
    return at;
  };
  for (const { keep, drop } of merges) {
    const into = names.get(keep);
    const from = names.get(drop);
    if (into === undefined || from === undefined || root(into) === root(from)) continue;
    tree.set(root(from), root(into));
  }
  for (const grp of tree.keys()) before.set(grp, root(grp));
  return before;
}

/** Which group answers to a name: the group that has it as id, else the one with a record that alone would. */
async function namesOf(db: Database, names: string[]): Promise<ReadonlyMap<string, number>> {
  const rows = await db.rows<{ name: string; grp: number }>(
    `SELECT name, arg_min(grp, rank) AS grp FROM (
       SELECT id AS name, grp, {a: 0, b: grp} AS rank FROM f_id WHERE list_contains(?, id)
       UNION ALL SELECT own_id, grp, {a: 1, b: grp} FROM f_grouped WHERE list_contains(?, own_id)) GROUP BY name`,
    [names, names],
  );
  return new Map(rows.map(({ name, grp }) => [name, grp]));
}

/** The identity of every group, in `f_id(grp, id, n)`; with `titled` only of those known by no more than their title. */
async function writeIds(db: Database, { titled }: { titled: boolean }): Promise<void> {
  const alone = titled ? "AND own_id LIKE 'tt:%'" : "";
  const several = titled
    ? "AND grp NOT IN (SELECT grp FROM f_grouped WHERE doi IS NOT NULL OR source_id IS NOT NULL)"
    : "";
  await db.run("CREATE OR REPLACE TEMP TABLE f_id (grp INTEGER, id VARCHAR, n INTEGER)");
  await db.run(
    `INSERT INTO f_id SELECT rid, own_id, 1 FROM f_rec WHERE rid NOT IN (SELECT rid FROM f_label) ${alone}`,
  );
  if ((await count(db, "f_label")) === 0) return;
  await db.append("temp.f_id", ["grp", "id", "n"], groupIds(db, several));
}

async function* groupIds(db: Database, condition: string): AsyncGenerator<[number, string, number]> {
  for await (const rows of db.stream<{
    grp: number;
    n: number;
    doi: string | null;
    source_id: string | null;
    title: string;
    year: number | null;
  }>(`${identifying} WHERE grp IN (SELECT grp FROM f_label) ${condition} GROUP BY grp`))
    for (const { grp, n, doi, source_id, title, year } of rows)
      yield [grp, paperId({ doi, sourceId: source_id, title, year }), n];
}

async function writeGroups(db: Database, joined: ReadonlyMap<number, number>): Promise<void> {
  await db.run("CREATE OR REPLACE TEMP TABLE f_joined (grp INTEGER, root INTEGER)");
  await db.append("temp.f_joined", ["grp", "root"], joined.entries());
  await db.run(`CREATE OR REPLACE TEMP TABLE f_member AS
    SELECT coalesce(j.root, g.grp) AS out, g.rid, CAST(j.root IS NOT NULL AS INTEGER) AS side,
      g.trust, g.fetched_at, g.source_key
    FROM f_grouped g LEFT JOIN f_joined j USING (grp)
    UNION ALL SELECT -1 - g.grp, g.rid, 0, g.trust, g.fetched_at, g.source_key FROM f_grouped g JOIN f_joined USING (grp)`);
  await db.run(`
    CREATE OR REPLACE TEMP TABLE f_out AS SELECT m.out, any_value(f.own_id) AS id, count(*) AS n, m.out >= 0 AS active,
      CAST(NULL AS VARCHAR) AS merged_into FROM f_member m JOIN f_rec f USING (rid) GROUP BY m.out`);
  await identifyOutputs(db);
  await db.run(`UPDATE f_out SET merged_into = into_.id FROM f_joined j, f_out into_
    WHERE f_out.out = -1 - j.grp AND into_.out = j.root`);
}

/** The id of every output of several records; one record's own id is right already. */
async function identifyOutputs(db: Database): Promise<void> {
  const several = await db.row("SELECT 1 AS one FROM f_out WHERE n > 1 LIMIT 1");
  if (!several) return;
  const order = "{s: m.side, t: m.trust, f: -epoch_us(m.fetched_at), k: m.source_key}";
  await db.run("CREATE OR REPLACE TEMP TABLE f_id (grp INTEGER, id VARCHAR, n INTEGER)");
  await db.append("temp.f_id", ["grp", "id", "n"], idsOfOutputs(db, order));
  await db.run("UPDATE f_out SET id = f_id.id FROM f_id WHERE f_id.grp = f_out.out");
}

async function* idsOfOutputs(db: Database, order: string): AsyncGenerator<[number, string, number]> {
  for await (const rows of db.stream<{
    out: number;
    n: number;
    doi: string | null;
    source_id: string | null;
    title: string;
    year: number | null;
  }>(`SELECT m.out, count(*) AS n, arg_min(f.doi, ${order}) AS doi, arg_min(f.source_id, ${order}) AS source_id,
      arg_min(f.year, ${order}) AS year, arg_min(c.title, ${order}) AS title
    FROM f_member m JOIN f_out o ON o.out = m.out AND o.n > 1 JOIN f_rec f USING (rid)
    JOIN records c ON c.rowid = f.place
    GROUP BY m.out`))
    for (const { out, n, doi, source_id, title, year } of rows)
      yield [out, paperId({ doi, sourceId: source_id, title, year }), n];
}
