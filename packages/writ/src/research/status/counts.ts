import type { Database } from "../library/database.ts";
import type { StatusData } from "./output.ts";

export type Counts = Pick<
  StatusData,
  "counts_by_status" | "total_papers" | "seeds" | "merged" | "referenced_not_fetched" | "saturation"
>;

/** How many papers there are of each kind, and the year of the oldest active one. */
export async function countsOf(db: Database): Promise<Counts & { leastYear: number | null }> {
  const row = await db.row<{
    candidate: number;
    accepted: number;
    rejected: number;
    seeds: number;
    merged: number;
    least: number | null;
    saturation: number | null;
  }>(`SELECT
      count(*) FILTER (active AND curation_status = 'candidate') AS candidate,
      count(*) FILTER (active AND curation_status = 'accepted') AS accepted,
      count(*) FILTER (active AND curation_status = 'rejected') AS rejected,
      count(*) FILTER (active AND is_seed) AS seeds,
      count(*) FILTER (merged_into IS NOT NULL) AS merged,
      min(year) FILTER (active) AS least,
      (SELECT CAST(counts->>'saturation' AS DOUBLE) FROM runs WHERE verb IN ('seed', 'chain') AND state = 'done'
        AND revoked_by IS NULL ORDER BY seq DESC LIMIT 1) AS saturation
    FROM papers`);
  const { candidate = 0, accepted = 0, rejected = 0 } = row ?? {};
  return {
    counts_by_status: { candidate, accepted, rejected },
    total_papers: candidate + accepted + rejected,
    seeds: row?.seeds ?? 0,
    merged: row?.merged ?? 0,
    referenced_not_fetched: await notFetched(db),
    saturation: row?.saturation ?? null,
    leastYear: row?.least ?? null,
  };
}

/**
 * Works that are cited here and are no papers: all that were noted, less those that have become papers. An OpenAlex id
 * stands alone in a note; any other has its engine before it.
 */
async function notFetched(db: Database): Promise<number> {
  const noted = "referenced_but_not_fetched o JOIN runs r USING (run_id)";
  const row = await db.row<{ noted: number; fetched: number }>(
    `SELECT (SELECT count(DISTINCT o.ref_id) FROM ${noted} WHERE r.revoked_by IS NULL) AS noted,
       (SELECT count(DISTINCT ref_id) FROM (
         SELECT o.ref_id FROM ${noted} JOIN external_ids e ON e.engine = 'openalex' AND e.value = o.ref_id
           WHERE r.revoked_by IS NULL
         UNION ALL SELECT o.ref_id FROM ${noted} JOIN external_ids e
           ON e.engine = split_part(o.ref_id, ':', 1) AND e.value = substr(o.ref_id, strpos(o.ref_id, ':') + 1)
           WHERE r.revoked_by IS NULL AND contains(o.ref_id, ':') AND e.engine <> 'openalex')) AS fetched`,
  );
  return (row?.noted ?? 0) - (row?.fetched ?? 0);
}
