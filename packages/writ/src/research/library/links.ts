import type { Database, Value } from "./database.ts";
import { scopeSql } from "./scope.ts";

export interface Linked {
  id: string;
  title: string;
  year: number | null;
}

/** What one paper is linked with by citation. */
export interface Links {
  /** Papers of scope `all` that cite it. */
  citedBy: Linked[];
  /** Papers that it cites, while it is of scope `all` itself. */
  cites: Linked[];
  scent: number;
}

/**
 * Who cites one paper, and whom it cites: what `scent.ts` says of all papers, asked of one. There is no index of
 * references, so it is one look at every list of them instead of a join of all with all.
 */
export async function linksOf(db: Database, id: string): Promise<Links> {
  const citedBy = await citing(db, id);
  const named = await namedBy(db, id);
  const papers = await db.rows<Linked & { is_seed: boolean }>(
    `SELECT p.id, p.title, p.year, ${scopeSql("seeds", { as: "p" })} AS is_seed
     FROM (SELECT unnest($1) AS id) n JOIN papers p USING (id) WHERE p.active ORDER BY p.year NULLS LAST, p.id`,
    [named.map((one) => one.id)],
  );
  const seeds = new Set(papers.flatMap((one) => (one.is_seed ? one.id : [])));
  return {
    citedBy,
    cites: named[0]?.isOfAll ? papers.map(({ id: cited, title, year }) => ({ id: cited, title, year })) : [],
    scent:
      citedBy.length +
      (await forward(
        db,
        named.filter((one) => seeds.has(one.id)),
      )),
  };
}

async function citing(db: Database, id: string): Promise<Linked[]> {
  const names = await db.rows<{ engine: string; value: string }>(
    "SELECT engine, value FROM external_ids WHERE paper_id = ? AND engine IN ('openalex', 'doi', 's2')",
    [id],
  );
  const values: Value[] = [id];
  const bound = (value: Value): string => `$${values.push(value)}`;
  const named = names.map(({ engine, value }) => {
    if (engine === "openalex") return `list_contains(q.references_id, ${bound(value)})`;
    const other =
      engine === "doi" ? "one.doi" : "CASE WHEN one.doi IS NULL THEN regexp_replace(one.id, '^s2:', '') END";
    return `len(list_filter(q.refs_other, lambda one: ${other} = ${bound(value)})) > 0`;
  });
  if (named.length === 0) return [];
  // Found by their lists alone: what else is told of them is read of those few.
  return db.rows<Linked>(
    `SELECT p.id, p.title, p.year FROM papers p
     WHERE p.rowid IN (SELECT q.rowid FROM papers q WHERE ${named.join(" OR ")})
       AND ${scopeSql("all", { as: "p" })} AND p.id <> $1 ORDER BY p.year NULLS LAST, p.id`,
    values,
  );
}

/** A paper that another names. */
interface Named {
  id: string;
  /** Whether an OpenAlex id names it, so that it has one. */
  isKnown: boolean;
  /** Whether that counts for scent. */
  counts: boolean;
  /** Whether the paper that names it is of scope `all`. */
  isOfAll: boolean;
}

/** The papers that a paper names, if it is active. */
function namedBy(db: Database, id: string): Promise<Named[]> {
  return db.rows<Named>(
    `SELECT e.paper_id AS id, bool_or(c.engine = 'openalex') AS "isKnown", bool_or(c.engine <> 's2') AS counts,
       bool_or(c.is_of_all) AS "isOfAll"
     FROM (
       SELECT 'openalex' AS engine, unnest(references_id) AS value, ${scopeSql("all")} AS is_of_all
       FROM papers WHERE id = $1 AND active
       UNION ALL
       SELECT CASE WHEN one.doi IS NULL THEN 's2' ELSE 'doi' END, coalesce(one.doi, regexp_replace(one.id, '^s2:', '')), is_of_all
       FROM (SELECT unnest(refs_other) AS one, ${scopeSql("all")} AS is_of_all FROM papers WHERE id = $1 AND active)) c
     JOIN external_ids e USING (engine, value) WHERE e.paper_id <> $1 GROUP BY e.paper_id`,
    [id],
  );
}

/** How many of the seeds that a paper names have an OpenAlex id. */
async function forward(db: Database, seeds: readonly Named[]): Promise<number> {
  const counted = seeds.filter((one) => one.counts);
  const others = counted.filter((one) => !one.isKnown);
  const row =
    others.length === 0
      ? undefined
      : await db.row<{ n: number }>(
          `SELECT count(DISTINCT paper_id) AS n FROM (SELECT unnest($1) AS paper_id) n
           JOIN external_ids USING (paper_id) WHERE engine = 'openalex'`,
          [others.map((one) => one.id)],
        );
  return counted.length - others.length + (row?.n ?? 0);
}
