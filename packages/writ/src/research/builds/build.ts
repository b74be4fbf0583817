import { join } from "node:path";
import type { Context } from "../../contract/index.ts";
import { type Target, targetFolder } from "../export/target.ts";
import type { Database } from "../library/database.ts";
import { placeOf } from "../library/place.ts";
import { readLibrary, rootOf } from "../library/use.ts";
import { createPhases } from "../sources/progress.ts";
import { commitBuild, paramsOf } from "./commit.ts";
import { stageName } from "./index-file.ts";
import type { BuildInput } from "./input.ts";
import type { BuildData } from "./output.ts";
import { type Found, Reading } from "./reading.ts";
import { type BuildRequest, readRequest } from "./request.ts";
import { refuseForeign } from "./stage.ts";

type BuildAnswer = BuildData & { changed: boolean; reason?: string; fix_command?: string; next?: string[] };

/**
 * Projects, measures and writes networks. All are made from one reading of the library, into a folder beside; then
 * the run is committed, and the folders are exchanged.
 */
export async function build(ctx: Context, given: BuildInput): Promise<BuildAnswer> {
  const request = await readRequest(ctx, given);
  const target = await targetFolder(ctx, given.out_dir, placeOf(rootOf(ctx)).networks);
  if (given.out_dir !== undefined)
    await refuseForeign(
      target,
      request.specs.map(({ name }) => name),
    );
  const phases = createPhases(ctx);
  const runId = ctx.ids.next("rr");
  const params = paramsOf(request);
  const usage =
    given.fetch_citers && !ctx.dryRun ? await citersFirst(ctx, given, { id: runId, params }) : undefined;
  const stage = ctx.dryRun ? undefined : join(target.folder, stageName(runId));
  const read = async () => {
    const reading = (db: Database) => new Reading(ctx, db, { request, target, phases, runId, stage }).all();
    const found = await readLibrary(ctx, reading, { wait: given.wait });
    warnOf(ctx, request, found);
    if (stage !== undefined) phases.tell("commit");
    return found;
  };
  const making = { given, request, target, runId, phase: usage !== undefined };
  const found = await (stage === undefined ? read() : commitBuild(ctx, { ...making, stage }, read));
  phases.end();
  return answer(request, { found, target, runId, dryRun: ctx.dryRun, ...(usage && { usage }) });
}

function answer(
  request: BuildRequest,
  made: { found: Found; target: Target; runId: string; dryRun: boolean; usage?: BuildData["usage"] },
): BuildAnswer {
  const { found, target, runId, dryRun, usage } = made;
  const absent = [...found.empty, ...found.skipped];
  const first = absent.find(({ fix_command: fix }) => fix !== undefined) ?? absent[0];
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

async function citersFirst(
  ctx: Context,
  given: BuildInput,
  run: { id: string; params: Record<string, unknown> },
) {
  const { takeCiters } = await import("./citers.ts");
  return takeCiters(ctx, given, run);
}
