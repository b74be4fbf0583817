import type { Database } from "../library/database.ts";
import { scopeSql } from "../library/scope.ts";
import { prepareBackward, prepareSeeds } from "./cites.ts";
import { isReference } from "./observe.ts";

/**
 * How much of what is pointed at twice was known before this round: `1 - n/t`, four decimals, null while nothing is.
 * t counts candidates and references with a scent of at least 2, n those of them first seen in this round. Reads
 * `chain_refs`.
 */
export async function saturationOf(db: Database, round: number): Promise<number | null> {
  await prepareSeeds(db, "openalex");
  await prepareBackward(db);
  const row = await db.row<{ t: number; n: number }>(
    `WITH forward AS (
       SELECT paper AS work, count(*) AS n FROM chain_refs WHERE work IN (SELECT paper FROM chain_seeds) GROUP BY paper
     ), rounds AS (SELECT run_id, min(round) AS round FROM loop_state_log GROUP BY run_id),
     seen AS (
       SELECT ref_id, min(cycle_round) AS round FROM referenced_but_not_fetched JOIN runs USING (run_id)
       WHERE revoked_by IS NULL GROUP BY ref_id
     ), observed AS (
       SELECT coalesce(b.n, 0) + coalesce(f.n, 0) AS scent, least(coalesce(r.round, 0), coalesce(s.round, r.round, 0)) AS round
       FROM papers p LEFT JOIN chain_backward b ON b.work = p.id LEFT JOIN forward f ON f.work = p.id
       LEFT JOIN rounds r ON r.run_id = p.first_run LEFT JOIN seen s ON s.ref_id = p.source_id
       WHERE ${scopeSql("all", { as: "p" })} AND NOT p.is_seed
       UNION ALL
       SELECT b.n, coalesce(s.round, 0) FROM (SELECT * FROM chain_backward WHERE ${isReference}) b
       LEFT JOIN seen s ON s.ref_id = b.work
     )
     SELECT count(*) AS t, count(*) FILTER (round = ?) AS n FROM observed WHERE scent >= 2`,
    [round],
  );
  return !row || row.t === 0 ? null : Math.round((1 - row.n / row.t) * 10_000) / 10_000;
}
