import type { Database } from "../library/database.ts";
import { scopeSql } from "../library/scope.ts";
import { standingOf } from "../library/standing.ts";
import type { Standing } from "../library/states.ts";
import type { SourceId } from "../model.ts";
import { prepareSeeds, seedEngine } from "./cites.ts";

/** A work that citers are asked for. */
export interface Start {
  /** The source's id. */
  id: string;
  /** How often the source says it is cited; null when it does not say. */
  cited: number | null;
}

/** What chaining knows of the library before it asks anything. */
export interface Survey {
  standing: Standing;
  /** Active papers, of any status. */
  active: number;
  /** Papers of scope all. */
  papers: number;
  seeds: number;
  withDoi: number;
  /** Whether any paper of scope all tells what it cites. */
  cites: boolean;
  /** Seeds that the source knows, by id. */
  starts: Start[];
  /** When the last finished seed or chain began. */
  lastRun: Date | null;
}

export async function surveyOf(db: Database, source: SourceId): Promise<Survey> {
  await prepareSeeds(db, seedEngine(source));
  const counts = await db.row<{ active: number; papers: number; seeds: number; with_doi: number }>(
    `SELECT count(*) FILTER (active) AS active, count(*) FILTER (${scopeSql("all")}) AS papers,
       count(*) FILTER (${scopeSql("seeds")}) AS seeds, count(*) FILTER (${scopeSql("seeds")} AND doi IS NOT NULL) AS with_doi
     FROM papers`,
  );
  const last = await db.row<{ at: Date }>(
    `SELECT started_at AS at FROM runs WHERE verb IN ('seed', 'chain') AND state = 'done' AND revoked_by IS NULL
     ORDER BY seq DESC LIMIT 1`,
  );
  const citing = await db.row(
    `SELECT 1 AS one FROM papers WHERE ${scopeSql("all")} AND (len(references_id) > 0 OR len(refs_other) > 0) LIMIT 1`,
  );
  const starts = await db.rows<Start>("SELECT id, cited FROM chain_seeds ORDER BY id");
  return {
    standing: await standingOf(db),
    active: counts?.active ?? 0,
    papers: counts?.papers ?? 0,
    seeds: counts?.seeds ?? 0,
    withDoi: counts?.with_doi ?? 0,
    cites: citing !== undefined,
    starts,
    lastRun: last?.at ?? null,
  };
}
