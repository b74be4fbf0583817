import { join } from "node:path";
import type { Context } from "../../contract/index.ts";
import { removeTree, withLock } from "../../platform/index.ts";
import { type Target, targetFolder } from "../export/target.ts";
import { changeLibrary, type ChangeOptions, commitLibrary, type Change } from "../library/change.ts";
import type { Value } from "../library/database.ts";
import { libraryFolder, placeOf } from "../library/place.ts";
import { readLibrary, rootOf } from "../library/use.ts";
import { createPhases } from "../sources/progress.ts";
import type { BuildInput } from "./input.ts";
import type { BuildData } from "./output.ts";
import { type Found, Reading } from "./reading.ts";
import { type BuildRequest, readRequest } from "./request.ts";
import { stageName } from "./recorded.ts";
import { sealStage, settleStages } from "./stage.ts";

type BuildAnswer = BuildData & { changed: boolean; reason?: string; fix_command?: string; next?: string[] };

/**
 * Projects, measures and writes networks. All are made from one reading of the library, into a folder beside; then
 * the run is committed, and the folders are exchanged.
 */
export async function build(ctx: Context, given: BuildInput): Promise<BuildAnswer> {
  const request = await readRequest(ctx, given);
  const target = await targetFolder(ctx, given.out_dir, placeOf(rootOf(ctx)).networks);
  const phases = createPhases(ctx);
  const runId = ctx.ids.next("rr");
  const params = paramsOf(request);
  const usage =
    given.fetch_citers && !ctx.dryRun ? await citersFirst(ctx, given, { id: runId, params }) : undefined;
  const stage = ctx.dryRun ? undefined : join(target.folder, stageName(runId));
  const found = await readLibrary(
    ctx,
    (db) => new Reading(ctx, db, { request, target, phases, runId, stage }).all(),
    { wait: given.wait },
  ).catch(async (error: unknown) => {
    if (stage !== undefined) await removeTree(stage);
    throw error;
  });
  warnOf(ctx, request, found);
  if (stage !== undefined) {
    phases.tell("commit");
    await sealStage(stage, found.facts);
    const done = await record(ctx, { given, request, target, runId, found, phase: usage !== undefined });
    await settle(ctx, target, done);
  }
  phases.end();
  return answer(request, { found, target, runId, dryRun: ctx.dryRun, ...(usage && { usage }) });
}

function answer(
  request: BuildRequest,
  made: { found: Found; target: Target; runId: string; dryRun: boolean; usage?: BuildData["usage"] },
): BuildAnswer {
  const { found, target, runId, dryRun, usage } = made;
  const [first] = [...found.empty, ...found.skipped];
  return {
    run_id: runId,
    networks_built: found.networks.length,
    artifacts_dir: target.shown,
    corpus_hash: found.corpusHash,
    scope: request.scope,
    networks: found.networks,
    empty_networks: found.empty,
    skipped_networks: found.skipped,
    maturity: found.maturity,
    ...(found.thesaurus && { thesaurus: found.thesaurus }),
    ...(usage && { usage }),
    changed: !dryRun,
    ...(found.networks.length === 0 && {
      reason:
        found.papers === 0 ? `0 papers in scope ${request.scope}` : (first?.reason ?? "nothing to build"),
      ...(first?.fix_command !== undefined && { fix_command: first.fix_command }),
    }),
    ...(found.networks.length > 0 && {
      next: ["writ research read top", "writ research export --format html"],
    }),
  };
}

function warnOf(ctx: Context, { scope }: BuildRequest, { papers }: Found): void {
  if (papers > 0) return;
  ctx.warn({
    code: "W_EMPTY_SCOPE",
    message: `No paper is in scope ${scope}.`,
    remediation: scope === "all" ? "writ research status" : "writ research build --scope all",
  });
}

interface Recorded {
  given: BuildInput;
  request: BuildRequest;
  target: Target;
  runId: string;
  found: Found;
  /** Whether the run has committed something already. */
  phase: boolean;
}

function paramsOf({ scope, includeRejected, specs, thesaurus }: BuildRequest): Record<string, unknown> {
  return {
    scope,
    include_rejected: includeRejected,
    networks: specs.map(({ name }) => name),
    ...(thesaurus !== "active" && { thesaurus: thesaurus === "off" ? "off" : thesaurus.file }),
  };
}

async function citersFirst(
  ctx: Context,
  given: BuildInput,
  run: { id: string; params: Record<string, unknown> },
) {
  const { takeCiters } = await import("./citers.ts");
  return takeCiters(ctx, given, run);
}

/** The run's one change of the library: its builds, its thesaurus, its state. Answers which builds are committed. */
async function record(ctx: Context, made: Recorded): Promise<ReadonlySet<string>> {
  const { given, request, runId, found } = made;
  const options: ChangeOptions = {
    verb: "build",
    runId,
    wait: given.wait,
    params: paramsOf(request),
  };
  const done = new Set([runId]);
  const work = async (change: Change) => {
    const runs = await change.db.rows<{ run_id: string }>("SELECT DISTINCT run_id FROM builds");
    for (const run of runs) done.add(run.run_id);
    await recordBuilds(change, made);
    if (typeof request.thesaurus === "object")
      await change.db.append(
        "entity_map",
        ["kind", "alias", "canon", "run_id"],
        [...request.thesaurus.read.canons].map(([alias, canon]) => ["thesaurus", alias, canon, runId]),
      );
    change.setCounts({
      networks: found.networks.length,
      empty: found.empty.length,
      skipped: found.skipped.length,
      corpus_hash: found.corpusHash,
    });
    await change.transition("build");
    return {};
  };
  if (made.phase) await changeLibrary(ctx, { ...options, phase: true }, work);
  else await commitLibrary(ctx, options, work);
  return done;
}

async function recordBuilds({ db, run }: Change, { target, runId, found }: Recorded): Promise<void> {
  const columns = [
    "build_id",
    "name",
    "kind",
    "params",
    "scope",
    "content_version",
    "fingerprint",
    "corpus_hash",
    "nodes",
    "edges",
    "built_at",
    "run_id",
  ];
  const rows = [...found.specs].map(([name, made]): Value[] => {
    const fact = found.facts[name];
    return [
      fact?.build_id ?? `${runId}/${name}`,
      name,
      made.spec.kind,
      JSON.stringify({
        spec: made.spec,
        ...(target.shown.startsWith(libraryFolder) ? {} : { out_dir: target.folder }),
      }),
      made.spec.scope,
      made.contentVersion,
      made.fingerprint,
      made.corpusHash,
      fact?.nodes ?? 0,
      fact?.edges ?? 0,
      run.at,
      runId,
    ];
  });
  await db.append("builds", columns, rows);
}

/** Exchanges the folders, also those that an earlier run could not. */
async function settle(ctx: Context, { folder }: Target, done: ReadonlySet<string>): Promise<void> {
  const lock = {
    waitMs: 30_000,
    what: "the research library",
    folder: libraryFolder,
    command: "writ research build",
    signal: ctx.signal,
  };
  await withLock(placeOf(rootOf(ctx)).lock, lock, () =>
    settleStages(folder, { isDone: (run) => done.has(run), now: ctx.clock.now() }),
  );
}
