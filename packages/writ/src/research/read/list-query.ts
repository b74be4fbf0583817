import { fail } from "../../contract/index.ts";
import type { Database, Value } from "../library/database.ts";
import { normaliseText } from "../library/identity.ts";
import { citationsSql, scentSql } from "../library/scent.ts";
import type { Drilled } from "./drill.ts";
import { fields } from "./fields.ts";

export type SortWord = "appearance" | "scent" | "year" | "cited" | "id";

export interface ListRequest {
  query?: string;
  text?: string;
  status?: string;
  seeds: boolean;
  candidates: boolean;
  year?: number;
  language?: string;
  type?: string;
  run?: string;
  network?: string;
  cluster?: number;
  edge: readonly string[];
  fields: readonly string[];
  sort: SortWord;
  limit?: number;
  cursor?: string;
}

/** The papers of a list, as the parts of a statement. */
export interface Query {
  from: string;
  where: string;
  values: Value[];
  /** Those of the values that `where` binds. */
  whereValues: Value[];
  /** What rows are ordered by, ascending, never null. */
  key: string;
}

/** What a list asks for. Throws E_NOT_FOUND for a run that there is none of. */
export async function queryOf(
  db: Database,
  request: ListRequest,
  drilled: Drilled | undefined,
): Promise<Query> {
  const needed = new Set(request.fields.map((name) => fields[name]?.needs));
  const values: Value[] = [];
  const bound = (value: Value): string => `$${values.push(value)}`;
  const conditions = ["p.active"];
  const { query, text, status, year, language, type, run } = request;
  const fold = (column: string) => `strip_accents(lower(${column}))`;
  if (query !== undefined) conditions.push(`contains(${fold("p.title")}, ${bound(normaliseText(query))})`);
  if (text !== undefined) {
    const wanted = bound(normaliseText(text));
    conditions.push(
      `(contains(${fold("p.title")}, ${wanted}) OR contains(${fold("coalesce(p.abstract, '')")}, ${wanted}))`,
    );
  }
  if (status !== undefined) conditions.push(`p.curation_status = ${bound(status)}`);
  if (request.seeds) conditions.push("p.is_seed");
  if (request.candidates) conditions.push("NOT p.is_seed AND p.curation_status = 'candidate'");
  if (year !== undefined) conditions.push(`p.year = ${bound(year)}`);
  if (language !== undefined) conditions.push(`p.language = ${bound(language.toLowerCase())}`);
  if (type !== undefined) conditions.push(`p.type = ${bound(type)}`);
  if (run !== undefined) {
    await requireRun(db, run);
    conditions.push(`p.id IN (SELECT r.paper_id FROM sightings s JOIN record_papers r USING (source, source_key)
      WHERE s.run_id = ${bound(run)})`);
  }
  if (drilled) conditions.push(`list_contains(${bound(drilled.papers)}, p.id)`);
  const whereValues = [...values];
  const joins = ["papers p"];
  if (needed.has("scent") || request.sort === "scent")
    joins.push(`LEFT JOIN (${scentSql()}) s ON s.id = p.id`);
  if (needed.has("local"))
    joins.push(`LEFT JOIN (SELECT cited, count(DISTINCT citing) AS n FROM (${citationsSql()})
      WHERE cited IS NOT NULL AND cited <> citing GROUP BY cited) l ON l.cited = p.id`);
  if (needed.has("community"))
    joins.push(
      drilled?.nodes
        ? `LEFT JOIN (SELECT id, community FROM read_parquet(${bound(drilled.nodes)})) c ON c.id = p.id`
        : "LEFT JOIN (SELECT NULL AS id, NULL AS community) c ON c.id = p.id",
    );
  if (request.sort === "appearance") joins.push("LEFT JOIN runs f ON f.run_id = p.first_run");
  return {
    from: joins.join(" "),
    where: conditions.join(" AND "),
    values,
    whereValues,
    key: keys[request.sort],
  };
}

const keys: Readonly<Record<SortWord, string>> = {
  appearance: "CAST(coalesce(f.seq, 0) AS DOUBLE)",
  scent: "CAST(-coalesce(s.scent, 0) AS DOUBLE)",
  year: "CAST(-coalesce(p.year, -1e9) AS DOUBLE)",
  cited: "CAST(-coalesce(p.cited_by_count, -1) AS DOUBLE)",
  id: "CAST(0 AS DOUBLE)",
};

async function requireRun(db: Database, runId: string): Promise<void> {
  if (await db.row("SELECT 1 AS one FROM runs WHERE run_id = ?", [runId])) return;
  throw fail("E_NOT_FOUND", {
    message: `No run has the id "${runId.slice(0, 100)}".`,
    cause: "A run's id begins rr_ and is in the answer of the verb that ran.",
    remediation: "Count papers by the run that brought them: writ research read stats --group-by run",
    details: { missing: [runId.slice(0, 100)] },
  });
}
