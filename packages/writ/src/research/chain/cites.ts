import type { Database } from "../library/database.ts";
import { scopeSql } from "../library/scope.ts";
import type { Engine, SourceId } from "../model.ts";

/**
 * Which paper of scope `all` points at which work, as the temporary table `chain_refs(paper, work)`, each pair once.
 * A work that is a paper is its id; else an OpenAlex id, a DOI (`doi:10.…`), or another source's id (`s2:…`). A DOI that
 * was looked up for an OpenAlex id is that id, so that one work does not count as two.
 */
export async function prepareCites(db: Database): Promise<void> {
  await db.run(`
    CREATE OR REPLACE TEMP TABLE chain_dois AS
      SELECT d.ref_id, min(d.doi) AS doi FROM ref_dois d JOIN runs r USING (run_id)
      WHERE r.revoked_by IS NULL AND d.doi IS NOT NULL GROUP BY d.ref_id`);
  const pairs = (await eachIsOne(db)) ? "SELECT" : "SELECT DISTINCT";
  await db.run(`
    CREATE OR REPLACE TEMP TABLE chain_refs AS
    WITH told AS (
      SELECT id AS paper, unnest(list_distinct(references_id)) AS ref, NULL AS doi FROM papers WHERE ${scopeSql("all")}
      UNION ALL
      SELECT paper, one.id, one.doi FROM (
        SELECT id AS paper, unnest(refs_other) AS one FROM papers WHERE ${scopeSql("all")})
    ), known AS (
      SELECT t.paper, t.ref, coalesce(t.doi, c.doi) AS doi FROM told t LEFT JOIN chain_dois c ON c.ref_id = t.ref
    ), first AS (SELECT doi, min(ref_id) AS ref FROM chain_dois GROUP BY doi)
    ${pairs} k.paper, coalesce(
        o.paper_id, d.paper_id, s.paper_id,
        CASE WHEN k.ref IS NOT NULL AND NOT contains(k.ref, ':') THEN k.ref END,
        f.ref, 'doi:' || k.doi, k.ref) AS work
    FROM known k
    LEFT JOIN external_ids o ON o.engine = 'openalex' AND o.value = k.ref
    LEFT JOIN external_ids d ON d.engine = 'doi' AND d.value = k.doi
    LEFT JOIN external_ids s ON s.engine = 's2' AND k.ref = 's2:' || s.value
    LEFT JOIN first f ON f.doi = k.doi
    WHERE work IS NOT NULL AND work <> k.paper`);
}

/** Whether no two references of a paper can be one work: then nothing needs to be held against all the others. */
async function eachIsOne(db: Database): Promise<boolean> {
  const row = await db.row<{ yes: boolean }>(`
    SELECT NOT EXISTS (FROM chain_dois) AND NOT EXISTS (FROM external_ids WHERE engine = 's2')
      AND NOT EXISTS (FROM papers WHERE ${scopeSql("all")} AND len(refs_other) > 0)
      AND NOT EXISTS (SELECT paper_id FROM external_ids WHERE engine = 'openalex' GROUP BY paper_id HAVING count(*) > 1)
      AS yes`);
  return row?.yes === true;
}

/** Who gives out the ids by which a source is asked. Crossref knows DOIs only. */
export function seedEngine(source: SourceId): Engine {
  return source === "openalex" ? "openalex" : source === "semanticscholar" ? "s2" : "doi";
}

/**
 * The seeds that a source can be asked about: `chain_seed_ids(paper, id)` with every id it has for them, and
 * `chain_seeds(paper, id, cited)` with the one that is asked, and how often the source says it is cited.
 */
export async function prepareSeeds(db: Database, engine: Engine): Promise<void> {
  await db.run(
    `CREATE OR REPLACE TEMP TABLE chain_seed_ids AS
     SELECT p.id AS paper, e.value AS id, p.cited_by_count AS cited
     FROM papers p JOIN external_ids e ON e.paper_id = p.id AND e.engine = ?
     WHERE ${scopeSql("seeds", { as: "p" })}`,
    [engine],
  );
  await db.run(
    `CREATE OR REPLACE TEMP TABLE chain_seeds AS
     SELECT paper, min(id) AS id, any_value(cited) AS cited FROM chain_seed_ids GROUP BY paper`,
  );
}

/** How many papers point at a work, as `chain_backward(work, n)`. */
export async function prepareBackward(db: Database): Promise<void> {
  await db.run(
    "CREATE OR REPLACE TEMP TABLE chain_backward AS SELECT work, count(*) AS n FROM chain_refs GROUP BY work",
  );
}
