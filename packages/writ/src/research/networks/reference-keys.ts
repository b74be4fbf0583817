import type { Database } from "../library/database.ts";

// A reference known by its DOI, or by an id that is not OpenAlex's, is told apart by a first letter no id begins with.
const byDoi = "'d/'";
const byId = "'i/'";

/** Which paper mentions which reference, as `(paper, value)`. */
export const referenceMentions = `
  SELECT n AS paper, unnest(references_id) AS value FROM net_papers JOIN papers USING (id)
  UNION ALL
  SELECT paper, CASE WHEN one.doi IS NOT NULL THEN ${byDoi} || one.doi
    WHEN one.id IS NOT NULL THEN ${byId} || one.id END AS value
  FROM (SELECT n AS paper, unnest(refs_other) AS one FROM net_papers JOIN papers USING (id))`;

/**
 * The key of each reference in `net_raw(paper, value)`, as `net_names(value, id)`: the id of the paper it resolves to by
 * OpenAlex id, DOI or alias; else `doi:` and its DOI's hash, where that is known; else `src:` and its OpenAlex id's hash.
 * What has none of them has no key. So papers of different sources couple.
 */
export async function nameReferences(db: Database): Promise<void> {
  await db.run(`
    CREATE OR REPLACE TEMP TABLE net_names AS
    WITH known AS (
      SELECT ref_id, min(doi) AS doi FROM ref_dois JOIN runs USING (run_id)
      WHERE doi IS NOT NULL AND revoked_by IS NULL GROUP BY ref_id
    ), told AS (
      SELECT value,
        CASE WHEN starts_with(value, ${byDoi}) THEN substr(value, 3) ELSE known.doi END AS doi,
        CASE WHEN starts_with(value, ${byId}) THEN substr(value, 3) END AS other,
        CASE WHEN value[2] <> '/' THEN value END AS openalex
      FROM (SELECT DISTINCT value FROM net_raw) LEFT JOIN known ON known.ref_id = value
    ), candidates AS (
      SELECT 'openalex' AS engine, openalex AS value FROM told UNION ALL SELECT 'doi', doi FROM told
      UNION ALL SELECT 's2', replace(other, 's2:', '') FROM told
    ), owners AS (
      -- Two papers may claim one id; the same one has it everywhere.
      SELECT engine, value, min(paper_id) AS paper_id FROM external_ids SEMI JOIN candidates USING (engine, value) GROUP BY ALL
    ), keyed AS (
      SELECT told.value, coalesce(
        a.paper_id, d.paper_id, s.paper_id,
        'doi:' || left(sha256(told.doi), 16),
        'src:' || left(sha256(told.openalex), 16)) AS id
      FROM told
      LEFT JOIN owners a ON a.engine = 'openalex' AND a.value = told.openalex
      LEFT JOIN owners d ON d.engine = 'doi' AND d.value = told.doi
      LEFT JOIN owners s ON s.engine = 's2' AND s.value = replace(told.other, 's2:', '')
    ), renamed AS (
      SELECT old_id, min(paper_id) AS paper_id FROM aliases JOIN papers ON papers.id = paper_id AND active GROUP BY old_id
    )
    SELECT keyed.value, coalesce(renamed.paper_id, keyed.id) AS id
    FROM keyed LEFT JOIN renamed ON renamed.old_id = keyed.id
    WHERE keyed.id IS NOT NULL`);
}
