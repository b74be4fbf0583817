import { readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { fail } from "../../contract/index.ts";
import { makeFolder, lstatOrNull, removeTree, writeAtomic } from "../../platform/index.ts";
import type { Target } from "../export/target.ts";
import { pretty } from "./files.ts";
import { type BuildIndex, indexName, readIndex, stageName } from "./index-file.ts";

// Held free until the swap: a commit may take the last of the disk, and the index is written after it.
const room = ".room";
const roomBytes = 64 * 1024;

const abandonedMs = 24 * 3600 * 1000;

/** What a folder of a network holds; names with a dot before them are the system's. */
const ours = /^(?:nodes\.parquet|edges\.parquet|metrics\.json|network\.graphml|clusters\.csv|\..*)$/;

/** Refuses folders of the caller's that networks would take the place of. Throws E_EXISTS. */
export async function refuseForeign({ folder, shown }: Target, names: readonly string[]): Promise<void> {
  const foreign: string[] = [];
  for (const name of names) {
    const stands = await lstatOrNull(join(folder, name));
    if (stands === null) continue;
    const within = stands.isDirectory() ? await readdir(join(folder, name)) : [name];
    if (!within.every((one) => ours.test(one))) foreign.push(join(shown, name));
  }
  if (foreign.length === 0) return;
  throw fail("E_EXISTS", {
    message: `${foreign.join(", ")} ${foreign.length === 1 ? "is" : "are"} no network of Writ's.`,
    cause:
      "A network is written into a folder of its name, in place of the one before; other folders are left alone.",
    remediation: "Name another folder: writ research build --out-dir networks",
    details: { files: foreign },
  });
}

/** Says what the stage holds, so that whoever finds it after a crash can finish the swap. Null is a network that is gone. */
export async function sealStage(stage: string, facts: Readonly<BuildIndex>): Promise<void> {
  await makeFolder(stage);
  await writeAtomic(join(stage, room), Buffer.alloc(roomBytes));
  await writeAtomic(join(stage, indexName), pretty(facts));
}

/**
 * Puts the networks of a run that is committed into place: old folders away, new ones in, build.json last. Done again it
 * finishes what a crash cut off. A network that a later run has put there already stays. While nobody has the library open.
 */
async function swapStage(networks: string, runId: string, done: ReadonlyMap<string, number>): Promise<void> {
  const stage = join(networks, stageName(runId));
  const facts = await readIndex(stage);
  const known = await readIndex(networks);
  for (const [name, fact] of Object.entries(facts)) {
    // Of two builds at once the one that was committed last counts, whichever began first.
    if ((done.get(known[name]?.run_id ?? "") ?? 0) > (done.get(runId) ?? 0)) continue;
    if (fact === null) {
      await removeTree(join(networks, name));
      delete known[name];
      continue;
    }
    if (await lstatOrNull(join(stage, name))) {
      await putAway(networks, stage, name);
      await rename(join(stage, name), join(networks, name));
    }
    known[name] = fact;
  }
  await rm(join(stage, room), { force: true });
  await writeAtomic(join(networks, indexName), pretty(known));
  await removeTree(stage);
}

async function putAway(networks: string, stage: string, name: string): Promise<void> {
  const old = join(stage, ".old");
  await makeFolder(old);
  await removeTree(join(old, name));
  if (await lstatOrNull(join(networks, name))) await rename(join(networks, name), join(old, name));
}

/** Finishes the swaps of runs that were committed, `done` with their order, and removes what dead runs have left. */
export async function settleStages(
  networks: string,
  { done, now }: { done: ReadonlyMap<string, number>; now: number },
): Promise<void> {
  const prefix = stageName("");
  const names = await readdir(networks).catch((): string[] => []);
  for (const name of names.filter((one) => one.startsWith(prefix)).toSorted()) {
    const runId = name.slice(prefix.length);
    if (done.has(runId)) await swapStage(networks, runId, done);
    else {
      const stat = await lstatOrNull(join(networks, name));
      if (stat && now - stat.mtimeMs > abandonedMs) await removeTree(join(networks, name));
    }
  }
}
