import { join } from "node:path";
import { commonDirOf, gitDirOf, maxPackedBytes, maxRefBytes } from "./git-folders.ts";
import { lstatOrNull } from "./links.ts";
import { readOrNull } from "./read-file.ts";
import { walkFolder } from "./walk-folder.ts";

/**
 * The commits that branches, or remote-tracking branches, lead to, without running git; undefined where only git can
 * tell. Of the latter those that stand for others are left out.
 */
export async function readTips(folder: string, kind: "heads" | "remotes"): Promise<Set<string> | undefined> {
  try {
    const shared = await commonDirOf(await gitDirOf(folder));
    if (await lstatOrNull(join(shared, "reftable"))) return undefined;
    // Loose ones first: git packs a ref before it takes its file away.
    const loose = await readLoose(join(shared, "refs", kind), `refs/${kind}/`);
    const packed = (await readOrNull(join(shared, "packed-refs"), maxPackedBytes))?.toString("utf8") ?? "";
    const tips = new Map(
      [...packed.matchAll(/^([0-9a-f]{40,64}) (refs\/.+)$/gm)].map(([, oid, ref]) => [ref, oid]),
    );
    for (const [ref, oid] of loose) tips.set(ref, oid);
    // A branch that stands for another ref may lead to what no other branch does.
    if (kind === "heads" && [...loose.values()].includes(undefined)) return undefined;
    const wanted = [...tips].filter(([ref]) => ref?.startsWith(`refs/${kind}/`));
    return new Set(wanted.flatMap(([, oid]) => oid ?? []));
  } catch {
    return undefined;
  }
}

/** Loose refs with what they lead to; nothing where they stand for another ref. Throws for what is no ref. */
async function readLoose(folder: string, prefix: string): Promise<Map<string, string | undefined>> {
  const loose = new Map<string, string | undefined>();
  for (const { path, kind } of await walkFolder(folder)) {
    if (kind === "folder") continue;
    const text = kind === "file" ? await readOrNull(join(folder, path), maxRefBytes) : null;
    const told = text?.toString("utf8").trim() ?? "";
    const oid = /^[0-9a-f]{40,64}$/.test(told) ? told : undefined;
    if (oid === undefined && !told.startsWith("ref: ")) throw new Error(`${path} is no ref`);
    loose.set(`${prefix}${path}`, oid);
  }
  return loose;
}
