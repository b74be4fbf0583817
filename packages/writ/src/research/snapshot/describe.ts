import type { ReportItem } from "../equation/report.ts";
import type { Database } from "../library/database.ts";
import type { Manifest } from "./manifest.ts";

type History = Pick<
  Manifest,
  | "openalex_version"
  | "equations"
  | "chaining"
  | "chainings"
  | "preprocessors"
  | "filters"
  | "enrichers"
  | "networks"
  | "requests"
  | "usage"
>;

/** How the library came to be, from the runs that count. */
export async function historyOf(db: Database): Promise<History> {
  const chainings = (await paramsOf(db, "verb = 'chain'")).map((params) => params);
  const builds = await paramsOf(db, "verb = 'build'");
  const spent = await db.row<{ cost: number | null; credits: number | null }>(
    `SELECT sum(CAST(usage->>'cost_usd' AS DOUBLE)) AS cost, sum(CAST(usage->>'credits' AS DOUBLE)) AS credits FROM runs`,
  );
  const asked = await db.row<{ n: number; kept: number }>(
    "SELECT count(*) AS n, count(*) FILTER (from_store) AS kept FROM requests",
  );
  const version = await db.row<{ version: string | null }>(
    `SELECT arg_max(source_version, seq) AS version FROM runs WHERE source = 'openalex' AND state = 'done'`,
  );
  return {
    openalex_version: version?.version ?? null,
    equations: await equationsOf(db),
    chaining: chainings.at(-1) ?? null,
    chainings,
    preprocessors: [
      { name: "normalisation", params: {} },
      ...builds
        .filter((params) => typeof params.thesaurus === "string")
        .map((params) => ({ name: "thesaurus", params: { file: params.thesaurus } })),
    ],
    filters: await db.rows(
      `SELECT f.name, f.criteria, f.count_before, f.count_after FROM filter_log f JOIN runs r USING (run_id)
       WHERE r.revoked_by IS NULL ORDER BY r.seq, f.step`,
    ),
    enrichers: (await paramsOf(db, "verb = 'seed' AND (params->>'resolve') = 'true'")).map((params) => ({
      name: "resolve",
      params: asTexts(params),
    })),
    networks: builds,
    requests: { count: asked?.n ?? 0, from_store: asked?.kept ?? 0 },
    usage: { cost_usd: spent?.cost ?? 0, credits: spent?.credits ?? 0 },
  };
}

/** Other programs read these as texts by name. */
function asTexts(params: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      typeof value === "string" ? value : JSON.stringify(value),
    ]),
  );
}

async function paramsOf(db: Database, where: string): Promise<Record<string, unknown>[]> {
  const rows = await db.rows<{ params: string | null }>(
    `SELECT params FROM runs WHERE ${where} AND state = 'done' AND revoked_by IS NULL ORDER BY seq`,
  );
  return rows.map(({ params }) => JSON.parse(params ?? "{}") as Record<string, unknown>);
}

async function equationsOf(db: Database): Promise<Manifest["equations"]> {
  const rows = await db.rows<{
    equation_id: string;
    query: string;
    executed_query: string | null;
    translation: string | null;
    source: string | null;
    source_version: string | null;
    papers: number;
  }>(
    `SELECT r.equation_id, r.equation_text AS query, r.executed_query, r.translation, r.source, r.source_version,
       (SELECT count(DISTINCT p.paper_id) FROM sightings s JOIN record_papers p USING (source, source_key)
        WHERE s.run_id = r.run_id) AS papers
     FROM runs r WHERE r.equation_id IS NOT NULL AND r.equation_text IS NOT NULL AND r.state = 'done'
       AND r.revoked_by IS NULL ORDER BY r.seq`,
  );
  return rows.map(({ executed_query, translation, ...row }) => {
    const items = JSON.parse(translation ?? "[]") as ReportItem[];
    return {
      ...row,
      executed_query: executed_query === null ? null : (JSON.parse(executed_query) as unknown),
      translation_report: items.map(
        ({ construct, text, action, effect, reason }) =>
          `${construct} ${text}: ${action}, ${effect}; ${reason}`,
      ),
      translation: items,
    };
  });
}
