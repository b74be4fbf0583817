import type { SourceId } from "../model.ts";
import { scopeSql } from "./scope.ts";

const engines: Readonly<Record<SourceId, string>> = {
  openalex: "openalex",
  crossref: "doi",
  semanticscholar: "s2",
};

/**
 * Who cites what, among the papers of scope `all`: rows `(citing, ref_id, doi, cited)`. `ref_id` is the reference's
 * OpenAlex id, or null where only a DOI or another id is known; `cited` is the paper it is, or null. One row a
 * citing paper and reference.
 */
export function citationsSql(): string {
  const all = scopeSql("all", { as: "p" });
  return `
    SELECT DISTINCT c.citing, c.ref_id, c.doi, e.paper_id AS cited FROM (
      SELECT citing, ref_id, CAST(NULL AS VARCHAR) AS doi, 'openalex' AS engine, ref_id AS value FROM (
        SELECT p.id AS citing, unnest(p.references_id) AS ref_id FROM papers p WHERE ${all})
      UNION ALL
      SELECT citing, NULL, other.doi, CASE WHEN other.doi IS NOT NULL THEN 'doi' ELSE 's2' END,
        coalesce(other.doi, regexp_replace(other.id, '^s2:', ''))
      FROM (SELECT p.id AS citing, unnest(p.refs_other) AS other FROM papers p WHERE ${all})
      WHERE other.doi IS NOT NULL OR other.id IS NOT NULL) c
    LEFT JOIN external_ids e ON e.engine = c.engine AND e.value = c.value`;
}

/**
 * The scent of every paper: rows `(id, backward, forward, scent)` for active papers that are cited by a paper of
 * scope `all`, or cite a seed of it. Computed when asked, never stored. `source` is whose ids make a seed count.
 */
export function scentSql(source: SourceId = "openalex"): string {
  return `
    SELECT id, CAST(sum(b) AS INTEGER) AS backward, CAST(sum(f) AS INTEGER) AS forward,
      CAST(sum(b + f) AS INTEGER) AS scent
    FROM (
      SELECT cited AS id, count(DISTINCT citing) AS b, 0 AS f FROM (${citationsSql()})
        WHERE cited IS NOT NULL AND cited <> citing GROUP BY cited
      UNION ALL
      SELECT q.id, 0, count(DISTINCT s.paper_id) FROM (${ownReferencesSql()}) q JOIN (${seedsSql(source)}) s
        ON s.paper_id = q.cited AND s.paper_id <> q.id GROUP BY q.id)
    GROUP BY id`;
}

/** What each active paper cites that is a paper, whatever its own status: rows `(id, cited)`. */
function ownReferencesSql(): string {
  return `
    SELECT DISTINCT r.id, e.paper_id AS cited FROM (
      SELECT id, 'openalex' AS engine, unnest(references_id) AS value FROM papers WHERE active
      UNION ALL SELECT id, 'doi', other.doi FROM (
        SELECT id, unnest(refs_other) AS other FROM papers WHERE active) WHERE other.doi IS NOT NULL) r
    JOIN external_ids e ON e.engine = r.engine AND e.value = r.value`;
}

/** The seeds of scope `all` with an id at the source: rows `(paper_id, value)`, value being that id. */
function seedsSql(source: SourceId = "openalex"): string {
  return `SELECT e.paper_id, min(e.value) AS value FROM external_ids e JOIN papers p ON p.id = e.paper_id
    WHERE e.engine = '${engines[source]}' AND ${scopeSql("seeds", { as: "p" })} GROUP BY e.paper_id`;
}

/**
 * The scent of works that are no papers, as far as the library knows it: rows `(ref, doi, backward, reasons)`.
 * `ref` is an OpenAlex id, or `doi:<DOI>` for a reference known only by its DOI; `reasons` are the first five papers
 * that point at it. A citer's forward count is in its own references, which only who has fetched it knows.
 */
export function workScentSql(): string {
  return `
    SELECT coalesce(ref_id, 'doi:' || doi) AS ref, any_value(doi) AS doi,
      CAST(count(DISTINCT citing) AS INTEGER) AS backward, list_sort(list(DISTINCT citing))[1:5] AS reasons
    FROM (${citationsSql()}) WHERE cited IS NULL AND (ref_id IS NOT NULL OR doi IS NOT NULL) GROUP BY 1`;
}
