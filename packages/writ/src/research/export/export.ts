import { readdir, rename } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { type Context, fail } from "../../contract/index.ts";
import {
  hashFile,
  inspectTarget,
  lstatOrNull,
  makeFolder,
  makeTemporaryFolder,
  removeTree,
  storing,
} from "../../platform/index.ts";
import { availableBuilds, type Build, isStale } from "../builds/recorded.ts";
import { unknownNetworks } from "../builds/unknown.ts";
import { commitLibrary } from "../library/change.ts";
import type { Database } from "../library/database.ts";
import { workFailure } from "../library/failures.ts";
import { placeOf } from "../library/place.ts";
import { readLibrary, rootOf } from "../library/use.ts";
import { createPhases } from "../sources/progress.ts";
import type { ExportData, ExportInput, NetworkFormat } from "./shape.ts";
import { networkFormats } from "./shape.ts";
import { type Target, targetFolder } from "./target.ts";
import { writeNetworks } from "./networks.ts";

type Answer = ExportData & { changed: boolean; reason?: string };
type Stored = Build & { folder: string };

/** Writes networks, papers or the PRISMA flow as files: beside, then renamed. */
export async function exportLibrary(ctx: Context, given: ExportInput): Promise<Answer> {
  const usual = placeOf(rootOf(ctx)).exports;
  const target = await targetFolder(ctx, given.out_dir, usual);
  const runId = ctx.ids.next("rr");
  // Beside the target, so that files can be renamed into it; a rehearsal makes no folder of the caller's.
  const beside = ctx.dryRun ? usual : target.folder;
  const stage = await storing(target.shown, async () => {
    await makeFolder(dirname(beside));
    return makeTemporaryFolder(beside);
  });
  try {
    const made = await writeInto(ctx, given, stage);
    const files = (await filesBelow(stage)).toSorted();
    const changed = await differing(stage, target, files);
    if (!target.isUsual && !given.force)
      refuseOthers(
        target,
        changed.filter(({ stands }) => stands),
      );
    const moving = () =>
      move(
        stage,
        target,
        changed.map(({ file }) => file),
      );
    if (!ctx.dryRun) await record(ctx, given, { runId, counts: { files: files.length, ...made }, moving });
    return {
      run_id: runId,
      format: given.format,
      out_dir: target.shown,
      files_written: files.map((file) => join(target.shown, file)),
      networks_exported: made.networks,
      ...(made.papers !== undefined && { papers_exported: made.papers }),
      changed: !ctx.dryRun && changed.length > 0,
      ...(changed.length === 0 && { reason: "every file holds this already" }),
    };
  } catch (error) {
    throw workFailure(error, { signal: ctx.signal, folder: target.shown });
  } finally {
    await removeTree(stage);
  }
}

interface Made {
  networks: number;
  papers?: number;
}

async function writeInto(ctx: Context, given: ExportInput, stage: string): Promise<Made> {
  const { format, scope, wait } = given;
  const isNetworks = (word: string): word is NetworkFormat =>
    (networkFormats as readonly string[]).includes(word);
  if (isNetworks(format)) return exportNetworks(ctx, { ...given, format }, stage);
  if (format === "prisma") {
    const { writePrisma } = await import("../prisma/write.ts");
    const { papers } = await readLibrary(ctx, (db) => writePrisma(db, { target: stage, ids: given.ids }), {
      wait,
    });
    return { networks: 0, papers };
  }
  const { writeBibliography } = await import("../formats/write.ts");
  const asked = { format, scope, includeRejected: given.include_rejected, target: stage };
  const { papers } = await readLibrary(ctx, (db) => writeBibliography(db, asked), { wait });
  return { networks: 0, papers };
}

async function exportNetworks(
  ctx: Context,
  given: ExportInput & { format: NetworkFormat },
  stage: string,
): Promise<Made> {
  const { format, wait } = given;
  // A build exchanges networks only while nobody has the library open: each is read whole.
  return readLibrary(
    ctx,
    async (db) => {
      const builds = choose(await availableBuilds(db, rootOf(ctx)), given);
      await warnOfStale(ctx, db, builds);
      const phases = createPhases(ctx);
      const onNetwork = (item: string, done: number) => {
        ctx.signal.throwIfAborted();
        phases.tell("write", { item, done, total: builds.length });
      };
      await writeNetworks(db, builds, { format, folder: stage, onNetwork });
      phases.end();
      return { networks: builds.length };
    },
    { wait },
  );
}

async function warnOfStale(ctx: Context, db: Database, builds: readonly Stored[]): Promise<void> {
  const stale: string[] = [];
  for (const build of builds) if (await isStale(db, build)) stale.push(build.name);
  if (stale.length === 0) return;
  ctx.warn({
    code: "W_STALE",
    message: `Built from papers that have changed since: ${stale.join(", ")}.`,
    remediation: "writ research build",
  });
}

function choose(
  builds: readonly Stored[],
  { network: names, format }: Pick<ExportInput, "network" | "format">,
): Stored[] {
  if (builds.length === 0)
    throw fail("E_NO_NETWORKS", {
      message: "No network has been built.",
      cause: "Network formats are written from what build has made.",
      remediation: "writ research build",
    });
  const known = builds.map(({ name }) => name);
  const missing = names.filter((name) => !known.includes(name));
  if (missing.length === 0) return builds.filter(({ name }) => names.length === 0 || names.includes(name));
  throw unknownNetworks(missing, {
    known,
    use: (name) => `writ research export --format ${format} --network ${name}`,
  });
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}

/** The files whose content is not what stands in the target, and whether anything stands there. */
async function differing(
  stage: string,
  { folder }: Target,
  files: readonly string[],
): Promise<{ file: string; stands: boolean }[]> {
  const found: { file: string; stands: boolean }[] = [];
  for (const file of files) {
    const old = join(folder, file);
    // What a network has a folder for is not written through a link to another.
    await inspectTarget(folder, file.split(sep).join("/"));
    const stands = (await lstatOrNull(old)) !== null;
    if (!stands || (await hashFile(old)) !== (await hashFile(join(stage, file))))
      found.push({ file, stands });
  }
  return found;
}

function refuseOthers({ shown }: Target, others: readonly { file: string }[]): void {
  if (others.length === 0) return;
  const files = others.map(({ file }) => join(shown, file));
  throw fail("E_EXISTS", {
    message: `${files.join(", ")} ${files.length === 1 ? "exists" : "exist"} with other content.`,
    cause: "Outside the exports folder nothing is replaced unless you say so.",
    remediation: "Run the command again with --force, or name another folder with --out-dir.",
    details: { files },
  });
}

async function move(stage: string, { folder, shown }: Target, files: readonly string[]): Promise<void> {
  await storing(shown, async () => {
    for (const file of files) {
      await makeFolder(dirname(join(folder, file)));
      await rename(join(stage, file), join(folder, file));
    }
  });
}

/** Records the run, and moves its files while nobody else writes: where the library is locked nothing is replaced. */
function record(
  ctx: Context,
  given: ExportInput,
  of: { runId: string; counts: Record<string, unknown>; moving: () => Promise<void> },
): Promise<unknown> {
  const { format, scope, include_rejected: includeRejected, network, wait } = given;
  const params = { format, scope, include_rejected: includeRejected, network };
  return commitLibrary(ctx, { verb: "export", params, runId: of.runId, wait }, async (change) => {
    await of.moving();
    change.setCounts(of.counts);
    return {};
  });
}
