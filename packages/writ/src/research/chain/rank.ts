import type { Database, Value } from "../library/database.ts";
import type { SourceId, Work } from "../model.ts";
import { seedEngine } from "./cites.ts";
import { isReference } from "./observe.ts";

export type Direction = "backward" | "forward" | "both";

/** A work that is no paper yet, and what points at it or it points at. */
export interface Candidate {
  /** OpenAlex id, `doi:<DOI>`, or another source's id. */
  id: string;
  title: string | null;
  scent: number;
  backward: number;
  forward: number;
}

/** Loads works as `chain_told(id, doi, title)` and `chain_told_refs(id, ref)`. */
export async function tellWorks(db: Database, works: AsyncIterable<Work>): Promise<void> {
  await db.run(
    `CREATE OR REPLACE TEMP TABLE chain_told (id VARCHAR, doi VARCHAR, title VARCHAR);
     CREATE OR REPLACE TEMP TABLE chain_told_refs (id VARCHAR, ref VARCHAR)`,
  );
  let told: Value[][] = [];
  let refs: Value[][] = [];
  const flush = async () => {
    await db.append("temp.chain_told", ["id", "doi", "title"], told);
    await db.append("temp.chain_told_refs", ["id", "ref"], refs);
    told = [];
    refs = [];
  };
  for await (const work of works) {
    told.push([work.sourceKey, work.doi, work.title]);
    for (const ref of referencesOf(work)) refs.push([work.sourceKey, ref]);
    if (told.length === 1000) await flush();
  }
  await flush();
}

/** What a work cites, by the ids of its own source. */
export function referencesOf(work: Work): string[] {
  if (work.source === "openalex") return work.references;
  return work.otherReferences.flatMap(({ id, doi }) => {
    if (work.source === "crossref") return doi ?? [];
    return id?.replace(/^s2:/, "") ?? [];
  });
}

/**
 * Ranks what is no paper yet into `chain_ranking(id, doi, title, backward, forward, scent)`: of `chain_refs` what
 * papers point at, of `chain_told` what cites seeds. `most` cuts it. Returns how many there are after the cut.
 */
export async function rank(
  db: Database,
  of: { direction: Direction; source: SourceId; most?: number | undefined },
): Promise<number> {
  const { direction, source, most } = of;
  const backward = direction === "forward" ? "0" : "coalesce(b.n, 0)";
  const forward = direction === "backward" ? "0" : "coalesce(f.n, 0)";
  // A candidate of a direction has a count in it: with one direction the other side finds nothing.
  const side = { backward: "b.work IS NOT NULL", forward: "f.id IS NOT NULL", both: "true" }[direction];
  await db.run(
    `CREATE OR REPLACE TEMP TABLE chain_ranking AS
     WITH f AS (
       SELECT t.id, any_value(t.doi) AS doi, any_value(t.title) AS title, count(DISTINCT s.paper) AS n
       FROM chain_told t JOIN chain_told_refs r USING (id) JOIN chain_seed_ids s ON s.id = r.ref
       WHERE NOT EXISTS (SELECT 1 FROM external_ids e WHERE (e.engine = ? AND e.value = t.id) OR (e.engine = 'doi' AND e.value = t.doi))
       GROUP BY t.id
     ), b AS (SELECT work, count(*) AS n FROM chain_refs WHERE ${isReference} GROUP BY work)
     SELECT coalesce(f.id, b.work) AS id, coalesce(f.doi, CASE WHEN starts_with(b.work, 'doi:') THEN substr(b.work, 5) END) AS doi,
       f.title, ${backward} AS backward, ${forward} AS forward, ${backward} + ${forward} AS scent
     FROM f FULL OUTER JOIN b ON b.work = f.id WHERE ${side}
     ORDER BY scent DESC, id ${most === undefined ? "" : `LIMIT ${Math.trunc(most)}`}`,
    [seedEngine(source)],
  );
  return (await db.row<{ n: number }>("SELECT count(*) AS n FROM chain_ranking"))?.n ?? 0;
}

/** The first of the ranking. */
function topOf(db: Database, most: number): Promise<Candidate[]> {
  return db.rows<Candidate>(
    "SELECT id, title, scent, backward, forward FROM chain_ranking ORDER BY scent DESC, id LIMIT ?",
    [most],
  );
}

const shown = 10;
const reasons = 5;

/** The first ten as they are shown: with the first five papers that point at each, or that it points at. */
export async function previewOf(db: Database, papers: number) {
  const top = await topOf(db, shown);
  const by = await db.rows<{ id: string; paper: string }>(
    `SELECT DISTINCT id, paper FROM (
       SELECT work AS id, paper FROM chain_refs
       UNION ALL SELECT r.id, s.paper FROM chain_told_refs r JOIN chain_seed_ids s ON s.id = r.ref)
     WHERE id IN (SELECT unnest($1)) ORDER BY id, paper`,
    [top.map(({ id }) => id)],
  );
  return top.map(({ title, ...one }) => ({
    id: one.id,
    ...(title !== null && { title }),
    scent: one.scent,
    scent_norm: papers === 0 ? null : Math.round((one.scent / papers) * 1e6) / 1e6,
    backward: one.backward,
    forward: one.forward,
    reasons: by
      .filter(({ id }) => id === one.id)
      .slice(0, reasons)
      .map(({ paper }) => paper),
  }));
}
