import type { Database } from "../library/database.ts";
import type { CurationStatus, Via } from "../model.ts";

/** How works are found: by asking databases (or reading what they gave out), or by following citations. */
export const ways = ["databases", "other"] as const;
export type Way = (typeof ways)[number];

/** What the rows of a library come to; each line is a number of rows that agree in all but themselves. */
export interface FlowRows {
  /** Records of runs that count; of the records of one paper all but the first are duplicates. */
  records: { way: Way; source: string; via: Via; duplicate: boolean; n: number }[];
  /** Entries without a title, which are no records. */
  untitled: { way: Way; source: string; n: number }[];
  /** Papers that were found, each on one side; the reason is that of a rejection. */
  papers: { way: Way; status: CurationStatus; reason: string | null; stage: Stage | null; n: number }[];
  /** Whether anything was decided on a full text. */
  hasFullTexts: boolean;
  /** Active papers that only a look-up told of. */
  unidentified: number;
}

/** When a paper was excluded: on title and abstract, for want of its full text, or on that. */
export type Stage = "screening" | "not_retrieved" | "fulltext";

/** How the reasons of decisions on a full text begin. */
const fullText = "fulltext:";

/** The stage of an exclusion, by its reason. */
const stageSql = `CASE WHEN NOT starts_with(reason, '${fullText}') THEN 'screening'
  WHEN regexp_full_match(reason, '${fullText}\\s*not[ _-]retrieved', 'i') THEN 'not_retrieved'
  WHEN reason IS NOT NULL THEN 'fulltext' END`;

/**
 * Finds, for the runs that count, what was identified and what became of it. Leaves it in temporary tables:
 * `prisma_records(source, source_key, paper_id, way, via, duplicate)`, `prisma_untitled(source, key, way)` and
 * `prisma_papers(id, way, status, reason, stage)`.
 *
 * A record found both ways counts with the databases, and so does a paper; records that were only looked up
 * identify nothing. What a restored corpus tells counts by whether it is a seed. The first record of a paper, those
 * of databases before others and the earlier run before the later, is the paper's; the others are duplicates.
 */
export async function prepareFlow(db: Database): Promise<void> {
  await db.run(`
    CREATE OR REPLACE TEMP TABLE prisma_records AS
      SELECT * EXCLUDE (first), row_number() OVER (PARTITION BY paper_id ORDER BY way, first, source, source_key) > 1 AS duplicate
      FROM (
        SELECT p.source, p.source_key, any_value(p.paper_id) AS paper_id, min(r.seq) AS first,
          CASE WHEN bool_or(s.via IN ('search', 'import') OR (s.via = 'corpus' AND s.seed)) THEN 'databases' ELSE 'other' END AS way,
          arg_min(s.via, list_position(['search', 'import', 'citer', 'reference', 'corpus'], s.via)) AS via
        FROM record_papers p JOIN sightings s USING (source, source_key) JOIN runs r USING (run_id)
        WHERE r.revoked_by IS NULL AND s.via <> 'lookup' GROUP BY p.source, p.source_key);
    CREATE OR REPLACE TEMP TABLE prisma_untitled AS
      SELECT source, key, CASE WHEN bool_or(verb <> 'chain') THEN 'databases' ELSE 'other' END AS way
      FROM (SELECT coalesce(source, 'unknown') AS source, verb, unnest(json_extract_string(counts, '$.without_title[*]')) AS key
        FROM runs WHERE revoked_by IS NULL AND state = 'done') e
      WHERE NOT EXISTS (SELECT 1 FROM prisma_records p WHERE p.source = e.source AND p.source_key = e.key)
      GROUP BY source, key;
    CREATE OR REPLACE TEMP TABLE prisma_papers AS SELECT *, ${stageSql} AS stage FROM (
      SELECT p.id, i.way, p.curation_status AS status,
        CASE WHEN p.curation_status = 'rejected' THEN coalesce(d.said, d.filtered, 'manual') END AS reason
      FROM (SELECT paper_id AS id, min(way) AS way FROM prisma_records GROUP BY paper_id) i
      JOIN papers p ON p.id = i.id AND p.active LEFT JOIN (${reasons}) d ON d.paper_id = p.id)`);
}

// The decision that a paper has its status by, as the fold finds it. What a file tells was somebody's decision, too.
const reasons = `
  SELECT d.paper_id,
    max({t: d.decided_at, yes: d.decision = 'accepted', seq: d.seq, reason: coalesce(nullif(trim(d.reason), ''), 'manual')})
      FILTER (d.kind <> 'filter' AND d.decision IS NOT NULL).reason AS said,
    min({seq: d.seq, reason: coalesce(nullif(trim(d.reason), ''), 'filter')})
      FILTER (d.kind = 'filter' AND d.decision = 'rejected').reason AS filtered
  FROM decisions d JOIN runs r USING (run_id) WHERE r.revoked_by IS NULL GROUP BY d.paper_id`;

/** Counts what {@link prepareFlow} left. */
export async function readFlow(db: Database): Promise<FlowRows> {
  const told = await db.row<{ any: boolean }>(
    `SELECT count(*) > 0 AS any FROM decisions d JOIN prisma_papers p ON p.id = d.paper_id JOIN runs r USING (run_id)
     WHERE r.revoked_by IS NULL AND starts_with(trim(d.reason), ?)`,
    [fullText],
  );
  const left = await db.row<{ n: number }>(
    "SELECT count(*) AS n FROM papers WHERE active AND id NOT IN (SELECT id FROM prisma_papers)",
  );
  return {
    records: await db.rows(
      "SELECT way, source, via, duplicate, count(*) AS n FROM prisma_records GROUP BY ALL ORDER BY ALL",
    ),
    untitled: await db.rows(
      "SELECT way, source, count(*) AS n FROM prisma_untitled GROUP BY ALL ORDER BY ALL",
    ),
    papers: await db.rows(
      "SELECT way, status, reason, stage, count(*) AS n FROM prisma_papers GROUP BY ALL ORDER BY ALL",
    ),
    hasFullTexts: told?.any ?? false,
    unidentified: left?.n ?? 0,
  };
}

/** A run that told something of the flow. */
export interface FlowRun {
  run_id: string;
  verb: string;
  source: string | null;
  source_version: string | null;
  equation: string | null;
  executed_query: unknown;
  started_at: Date;
}

/** A step of a filter, as it was when it ran. */
export interface FilterStep {
  run_id: string;
  step: number;
  name: string;
  criteria: string | null;
  count_before: number | null;
  count_after: number | null;
  excluded: number | null;
  no_data: number | null;
}

/** The runs that count, in order, and what their filters did. */
export async function readRuns(db: Database): Promise<{ runs: FlowRun[]; filters: FilterStep[] }> {
  const runs = await db.rows<Omit<FlowRun, "executed_query"> & { executed_query: string | null }>(
    `SELECT run_id, verb, source, source_version, equation_text AS equation, executed_query, started_at FROM runs
     WHERE revoked_by IS NULL AND state = 'done'
       AND verb NOT IN ('build', 'export', 'snapshot.create', 'curate.undo', 'curate.dump') ORDER BY seq`,
  );
  const filters = await db.rows<FilterStep>(
    `SELECT f.run_id, f.step, f.name, f.criteria, f.count_before, f.count_after, f.excluded, f.no_data
     FROM filter_log f JOIN runs r USING (run_id) WHERE r.revoked_by IS NULL ORDER BY r.seq, f.step`,
  );
  return {
    runs: runs.map((run) => ({
      ...run,
      executed_query: run.executed_query === null ? null : JSON.parse(run.executed_query),
    })),
    filters,
  };
}
