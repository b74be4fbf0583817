import { join } from "node:path";
import type { Context } from "../../contract/index.ts";
import { formatInstant, lstatOrNull, openKeys, walkFolder } from "../../platform/index.ts";
import { type Build, availableBuilds, isStale } from "../builds/recorded.ts";
import type { Database } from "../library/database.ts";
import { placeOf } from "../library/place.ts";
import { standingOf } from "../library/standing.ts";
import { transitionsOf } from "../library/states.ts";
import { readLibrary, rootOf } from "../library/use.ts";
import { buildPreview } from "../networks/preview.ts";
import { sources as known } from "../sources/registry.ts";
import { availableOf, factsOf } from "./commands.ts";
import type { StatusData } from "./output.ts";
import { readinessOf } from "./readiness.ts";
import { newestRuns, unfinished } from "./runs.ts";

/** Where the library and its loop stand, what may be done next, and the newest of its runs. */
export function libraryStatus(ctx: Context, runs = 5): Promise<StatusData> {
  return readLibrary(ctx, (db) => look(ctx, db, runs));
}

async function look(ctx: Context, db: Database, runs: number): Promise<StatusData> {
  const root = rootOf(ctx);
  const standing = await standingOf(db);
  const builds = await availableBuilds(db, root);
  const counts = await countsOf(db);
  const preview = await buildPreview(db);
  const facts = await factsOf(db, root, { standing, hasNetworks: builds.length > 0 });
  const { transitions, commands } = availableOf(facts);
  const next = transitionsOf(standing.state).next;
  const nextCommand = commands.find((one) => one.transition === next)?.command;
  const readiness = await readinessOf(db, { next, preview, command: nextCommand });
  const stale = await Promise.all(builds.map(async (build) => buildRow(build, await isStale(db, build))));
  return {
    loop_state: standing.state,
    round: standing.round,
    transitions_available: transitions,
    commands_available: commands,
    curation_available: ["accept", "reject"],
    next_best_action: next,
    ...(nextCommand !== undefined && { next_command: readiness.first ?? nextCommand }),
    readiness: { ready: readiness.ready, reason: readiness.reason },
    ...counts,
    build_preview: preview,
    networks_cache_stale: stale.some((one) => one.stale),
    builds: stale,
    unfinished_runs: await unfinished(ctx, db),
    runs: await newestRuns(db, runs),
    last_run: await lastRun(db),
    sources: await sourcesOf(ctx, db),
    library: await sizes(db, root),
  };
}

function buildRow(build: Build, stale: boolean): StatusData["builds"][number] {
  return {
    name: build.name,
    kind: build.kind,
    scope: build.spec.scope,
    nodes: build.nodes,
    edges: build.edges,
    built_at: formatInstant(build.builtAt.getTime()),
    stale,
    run_id: build.runId,
  };
}

type Counts = Pick<
  StatusData,
  "counts_by_status" | "total_papers" | "seeds" | "merged" | "referenced_not_fetched" | "saturation"
>;

async function countsOf(db: Database): Promise<Counts> {
  const row = await db.row<{
    candidate: number;
    accepted: number;
    rejected: number;
    seeds: number;
    merged: number;
    observed: number;
    saturation: number | null;
  }>(`SELECT
      count(*) FILTER (active AND curation_status = 'candidate') AS candidate,
      count(*) FILTER (active AND curation_status = 'accepted') AS accepted,
      count(*) FILTER (active AND curation_status = 'rejected') AS rejected,
      count(*) FILTER (active AND is_seed) AS seeds,
      count(*) FILTER (merged_into IS NOT NULL) AS merged,
      (SELECT count(DISTINCT o.ref_id) FROM referenced_but_not_fetched o JOIN runs r USING (run_id)
        WHERE r.revoked_by IS NULL AND o.ref_id NOT IN (SELECT CASE engine WHEN 'openalex' THEN value ELSE engine || ':' || value END FROM external_ids)) AS observed,
      (SELECT CAST(counts->>'saturation' AS DOUBLE) FROM runs WHERE verb IN ('seed', 'chain') AND state = 'done'
        AND revoked_by IS NULL ORDER BY seq DESC LIMIT 1) AS saturation
    FROM papers`);
  const { candidate = 0, accepted = 0, rejected = 0 } = row ?? {};
  return {
    counts_by_status: { candidate, accepted, rejected },
    total_papers: candidate + accepted + rejected,
    seeds: row?.seeds ?? 0,
    merged: row?.merged ?? 0,
    referenced_not_fetched: row?.observed ?? 0,
    saturation: row?.saturation ?? null,
  };
}

async function lastRun(db: Database): Promise<StatusData["last_run"]> {
  const row = await db.row<{ run_id: string; verb: string; actor: string | null; ended_at: Date | null }>(
    "SELECT run_id, verb, actor, ended_at FROM runs WHERE state = 'done' ORDER BY seq DESC LIMIT 1",
  );
  return row ? { ...row, ended_at: row.ended_at && formatInstant(row.ended_at.getTime()) } : null;
}

async function sourcesOf(ctx: Context, db: Database): Promise<StatusData["sources"]> {
  const spent = await db.rows<{ source: string; left: number; at: Date | null }>(
    `SELECT usage->>'source' AS source, arg_max(CAST(usage->>'remaining_usd' AS DOUBLE), seq) AS left,
       arg_max(coalesce(ended_at, started_at), seq) AS at
     FROM runs WHERE (usage->>'remaining_usd') IS NOT NULL GROUP BY 1`,
  );
  return Promise.all(
    known.map(async ({ id, credential }) => {
      const keys = openKeys({
        env: { [credential.name]: ctx.settings.env(credential.name) },
        stateFolder: ctx.folders.state,
      });
      const last = spent.find(({ source }) => source === id);
      return {
        id,
        key_present: Boolean(await keys.get(credential.name)),
        ...(last && {
          remaining_usd: last.left,
          ...(last.at && { as_of: formatInstant(last.at.getTime()) }),
        }),
      };
    }),
  );
}

async function sizes(db: Database, root: string): Promise<StatusData["library"]> {
  const place = placeOf(root);
  const pages = await walkFolder(place.pages);
  const version = await db.row<{ value: string }>("SELECT value FROM meta WHERE key = 'schema_version'");
  return {
    bytes: (await lstatOrNull(join(place.file)))?.size ?? 0,
    pages_bytes: pages.reduce((sum, { kind, sizeBytes }) => sum + (kind === "file" ? sizeBytes : 0), 0),
    schema_version: version?.value ?? "",
  };
}
