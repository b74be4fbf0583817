import type { Context } from "../../contract/index.ts";
import { removeTree } from "../../platform/index.ts";
import type { Target } from "../export/target.ts";
import { changeLibrary, type ChangeOptions, commitLibrary, type Change } from "../library/change.ts";
import type { Value } from "../library/database.ts";
import { workFailure } from "../library/failures.ts";
import { readLibrary } from "../library/use.ts";
import { writeLibrary } from "../library/write.ts";
import type { BuildInput } from "./input.ts";
import type { Found } from "./reading.ts";
import type { BuildRequest } from "./request.ts";
import { sealStage, settleStages } from "./stage.ts";

interface Making {
  given: BuildInput;
  request: BuildRequest;
  target: Target;
  runId: string;
  /** Whether the run has committed something already. */
  phase: boolean;
}

type Recorded = Making & { found: Found };

/** Reads into the stage, commits the run and exchanges the folders. What a run leaves that came to nothing is removed. */
export async function commitBuild(
  ctx: Context,
  making: Making & { stage: string },
  read: () => Promise<Found>,
): Promise<Found> {
  const { stage, target, runId } = making;
  let recording = false;
  try {
    const found = await read();
    await sealStage(stage, found.facts);
    recording = true;
    const done = await record(ctx, { ...making, found });
    await settle(ctx, making, done);
    return found;
  } catch (error) {
    if (!recording || !(await stands(ctx, runId))) await removeTree(stage).catch(() => undefined);
    throw workFailure(error, { signal: ctx.signal, folder: target.shown });
  }
}

/** Whether the builds of a run are in the library. Where that cannot be told they may be: a commit can fail late. */
function stands(ctx: Context, runId: string): Promise<boolean> {
  return readLibrary(ctx, (db) => db.row("SELECT 1 FROM builds WHERE run_id = ? LIMIT 1", [runId]), {
    wait: 2,
  }).then(
    (row) => row !== undefined,
    () => true,
  );
}

/** What the row of a run says of it. */
export function paramsOf({
  scope,
  includeRejected,
  specs,
  thesaurus,
}: BuildRequest): Record<string, unknown> {
  return {
    scope,
    include_rejected: includeRejected,
    networks: specs.map(({ name }) => name),
    ...(thesaurus !== "active" && { thesaurus: thesaurus === "off" ? "off" : thesaurus.file }),
  };
}

/** The run's one change of the library: its builds, its thesaurus, its state. Answers the order of those that are committed. */
async function record(ctx: Context, made: Recorded): Promise<ReadonlyMap<string, number>> {
  const { given, request, runId, found } = made;
  const options: ChangeOptions = {
    verb: "build",
    runId,
    wait: given.wait,
    params: paramsOf(request),
  };
  const done = new Map<string, number>();
  const work = async (change: Change) => {
    await recordBuilds(change, made);
    const runs = await change.db.rows<{ run_id: string; seq: number }>(
      "SELECT run_id, seq FROM runs WHERE run_id = ? OR run_id IN (SELECT run_id FROM builds)",
      [runId],
    );
    for (const run of runs) done.set(run.run_id, run.seq);
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
        ...(!target.isUsual && { out_dir: target.folder }),
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

/**
 * Exchanges the folders, also those that an earlier run could not. The library is open for writing meanwhile, so that
 * nobody who reads it, and networks with it, has one taken away between two files.
 */
async function settle(
  ctx: Context,
  { target, given }: Making,
  done: ReadonlyMap<string, number>,
): Promise<void> {
  await writeLibrary(ctx, { verb: "build", wait: given.wait }, () =>
    settleStages(target.folder, { done, now: ctx.clock.now() }),
  );
}
