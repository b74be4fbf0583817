import type { Context } from "../../contract/index.ts";
import { lstatOrNull, openKeys, walkFolder } from "../../platform/index.ts";
import { placeOf } from "../library/place.ts";
import { transitionsOf } from "../library/states.ts";
import { rootOf } from "../library/use.ts";
import { sources as known } from "../sources/registry.ts";
import { availableOf, factsOf } from "./commands.ts";
import { toldOf } from "./kept.ts";
import type { StatusData } from "./output.ts";
import { readinessOf } from "./readiness.ts";
import { unfinished } from "./runs.ts";
import { type Told, toldBuilds } from "./told.ts";

/** Where the library and its loop stand, what may be done next, and the newest of its runs. */
export async function libraryStatus(ctx: Context, runs = 5): Promise<StatusData> {
  const root = rootOf(ctx);
  const told = await toldOf(ctx, runs);
  const { standing, preview } = told;
  const builds = (await toldBuilds(root, told)) ?? [];
  const facts = await factsOf(root, { ...told, hasNetworks: builds.length > 0 });
  const { transitions, commands } = availableOf(facts);
  const next = transitionsOf(standing.state).next;
  const nextCommand = commands.find((one) => one.transition === next)?.command;
  const readiness = readinessOf(told.ready, { next, preview, command: nextCommand });
  return {
    loop_state: standing.state,
    round: standing.round,
    transitions_available: transitions,
    commands_available: commands,
    curation_available: ["accept", "reject"],
    next_best_action: next,
    ...(nextCommand !== undefined && { next_command: readiness.first ?? nextCommand }),
    readiness: { ready: readiness.ready, reason: readiness.reason },
    ...told.counts,
    build_preview: preview,
    networks_cache_stale: builds.some((one) => one.stale),
    builds,
    unfinished_runs: unfinished(ctx, told),
    runs: told.runs,
    last_run: told.lastRun,
    sources: await sourcesOf(ctx, told),
    library: await sizes(root, told),
  };
}

function sourcesOf(ctx: Context, { spent }: Told): Promise<StatusData["sources"]> {
  return Promise.all(
    known.map(async ({ id, credential }) => {
      const keys = openKeys({
        env: { [credential.name]: ctx.settings.env(credential.name) },
        stateFolder: ctx.folders.state,
      });
      const { source: _, ...last } = spent.find(({ source }) => source === id) ?? { source: id };
      return { id, key_present: Boolean(await keys.get(credential.name)), ...last };
    }),
  );
}

async function sizes(root: string, { schemaVersion }: Told): Promise<StatusData["library"]> {
  const place = placeOf(root);
  const pages = await walkFolder(place.pages);
  return {
    bytes: (await lstatOrNull(place.file))?.size ?? 0,
    pages_bytes: pages.reduce((sum, { kind, sizeBytes }) => sum + (kind === "file" ? sizeBytes : 0), 0),
    schema_version: schemaVersion,
  };
}
