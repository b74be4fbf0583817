import { formatInstant } from "../../platform/index.ts";
import { type Build, isStale, newestBuilds, thoseThere } from "../builds/recorded.ts";
import type { Database } from "../library/database.ts";
import { standingOf } from "../library/standing.ts";
import { type Standing, transitionsOf } from "../library/states.ts";
import { type UnfinishedRun, unfinishedRuns } from "../library/unfinished.ts";
import { buildPreview, type Preview } from "../networks/preview.ts";
import { equationCommand } from "./commands.ts";
import { countsOf, type Counts } from "./counts.ts";
import type { StatusData } from "./output.ts";
import { type Ready, readyOf } from "./readiness.ts";
import { newestRuns } from "./runs.ts";

/** What the library itself tells of where it stands: plain data, the same for as long as its file is the same. */
export interface Told {
  standing: Standing;
  counts: Counts;
  leastYear: number | null;
  preview: Preview[];
  ready: Ready;
  /** The seeding by an equation that ran last, as a command. */
  lastEquation?: string;
  /** The newest builds, and whether each is stale; null where its files were not there to be asked about. */
  builds: { build: Omit<Build, "builtAt"> & { builtAt: string }; stale: boolean | null }[];
  unfinished: (Omit<UnfinishedRun, "started_at"> & { started_at: string })[];
  runs: StatusData["runs"];
  lastRun: StatusData["last_run"];
  /** What runs said last of each source's budget. */
  spent: { source: string; remaining_usd: number; as_of?: string }[];
  schemaVersion: string;
}

/** Asks the library; `runs` is how many of its newest runs are told. */
export async function tell(db: Database, root: string, runs: number): Promise<Told> {
  const standing = await standingOf(db);
  const builds = await newestBuilds(db);
  const there = new Set((await thoseThere(root, builds)).map((one) => one.buildId));
  const { leastYear, ...counts } = await countsOf(db);
  const preview = await buildPreview(db);
  const lastEquation = await lastEquationOf(db);
  const unfinished = await unfinishedRuns(db, new Date(0));
  const version = await db.row<{ value: string }>("SELECT value FROM meta WHERE key = 'schema_version'");
  return {
    standing,
    counts,
    leastYear,
    preview,
    ready: await readyOf(db, { next: transitionsOf(standing.state).next, preview }),
    ...(lastEquation !== undefined && { lastEquation }),
    builds: await Promise.all(
      builds.map(async (build) => ({
        build: { ...build, builtAt: formatInstant(build.builtAt.getTime()) },
        stale: there.has(build.buildId) ? await isStale(db, build) : null,
      })),
    ),
    unfinished: unfinished.map((run) => ({ ...run, started_at: formatInstant(run.started_at.getTime()) })),
    runs: await newestRuns(db, runs),
    lastRun: await lastRun(db),
    spent: await spentOf(db),
    schemaVersion: version?.value ?? "",
  };
}

/** Those of the told builds whose files are there; undefined where one of them has come back since. */
export async function toldBuilds(root: string, { builds }: Told): Promise<StatusData["builds"] | undefined> {
  const whole = builds.map(({ build, stale }) => ({ ...build, builtAt: new Date(build.builtAt), stale }));
  const rows: StatusData["builds"] = [];
  for (const { stale, ...build } of await thoseThere(root, whole)) {
    if (stale === null) return undefined;
    rows.push({
      name: build.name,
      kind: build.kind,
      scope: build.spec.scope,
      nodes: build.nodes,
      edges: build.edges,
      built_at: formatInstant(build.builtAt.getTime()),
      stale,
      run_id: build.runId,
    });
  }
  return rows;
}

async function lastEquationOf(db: Database): Promise<string | undefined> {
  const last = await db.row<{ params: string }>(
    `SELECT params FROM runs WHERE verb = 'seed' AND equation_text IS NOT NULL AND revoked_by IS NULL
     ORDER BY seq DESC LIMIT 1`,
  );
  return last && equationCommand(JSON.parse(last.params) as Record<string, unknown>);
}

async function lastRun(db: Database): Promise<StatusData["last_run"]> {
  const row = await db.row<{ run_id: string; verb: string; actor: string | null; ended_at: Date | null }>(
    "SELECT run_id, verb, actor, ended_at FROM runs WHERE state = 'done' ORDER BY seq DESC LIMIT 1",
  );
  return row ? { ...row, ended_at: row.ended_at && formatInstant(row.ended_at.getTime()) } : null;
}

async function spentOf(db: Database): Promise<Told["spent"]> {
  const rows = await db.rows<{ source: string; left: number; at: Date | null }>(
    `SELECT usage->>'source' AS source, arg_max(CAST(usage->>'remaining_usd' AS DOUBLE), seq) AS left,
       arg_max(coalesce(ended_at, started_at), seq) AS at
     FROM runs WHERE (usage->>'remaining_usd') IS NOT NULL GROUP BY 1`,
  );
  return rows.map(({ source, left, at }) => ({
    source,
    remaining_usd: left,
    ...(at && { as_of: formatInstant(at.getTime()) }),
  }));
}
