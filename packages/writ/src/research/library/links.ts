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
  const cites = await db.rows<Linked>(
    `SELECT DISTINCT p.id, p.title, p.year FROM (${namedBy(scopeSql("all"))}) c JOIN external_ids e USING (engine, value)
     JOIN papers p ON p.id = e.paper_id AND p.active WHERE p.id <> $1 ORDER BY p.year NULLS LAST, p.id`,
    [id],
  );
  const forward = await db.row<{ n: number }>(
    `SELECT count(DISTINCT p.id) AS n FROM (${namedBy("active")}) c JOIN external_ids e USING (engine, value)
     JOIN papers p ON p.id = e.paper_id AND ${scopeSql("seeds", { as: "p" })}
     WHERE c.engine <> 's2' AND p.id <> $1 AND p.id IN (SELECT paper_id FROM external_ids WHERE engine = 'openalex')`,
    [id],
  );
  return { citedBy, cites, scent: citedBy.length + (forward?.n ?? 0) };
}

async function citing(db: Database, id: string): Promise<Linked[]> {
  const names = await db.rows<{ engine: string; value: string }>(
    "SELECT engine, value FROM external_ids WHERE paper_id = ? AND engine IN ('openalex', 'doi', 's2')",
    [id],
  );
  const values: Value[] = [id];
  const bound = (value: Value): string => `$${values.push(value)}`;
  const named = names.map(({ engine, value }) => {
    if (engine === "openalex") return `list_contains(p.references_id, ${bound(value)})`;
    const other =
      engine === "doi" ? "one.doi" : "CASE WHEN one.doi IS NULL THEN regexp_replace(one.id, '^s2:', '') END";
    return `len(list_filter(p.refs_other, lambda one: ${other} = ${bound(value)})) > 0`;
  });
  if (named.length === 0) return [];
  return db.rows<Linked>(
    `SELECT p.id, p.title, p.year FROM papers p WHERE ${scopeSql("all", { as: "p" })} AND p.id <> $1
       AND (${named.join(" OR ")}) ORDER BY p.year NULLS LAST, p.id`,
    values,
  );
}

/** The works that the paper `$1` names, if it is of a kind: rows `(engine, value)`. */
function namedBy(where: string): string {
  return `
    SELECT 'openalex' AS engine, unnest(references_id) AS value FROM papers WHERE id = $1 AND ${where}
    UNION ALL SELECT CASE WHEN one.doi IS NULL THEN 's2' ELSE 'doi' END, coalesce(one.doi, regexp_replace(one.id, '^s2:', ''))
    FROM (SELECT unnest(refs_other) AS one FROM papers WHERE id = $1 AND ${where})`;
}
