import { utimesSync } from "node:fs";
import { readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join, sep } from "node:path";
import { errnoOf, readOrNull, writeAtomic } from "../../platform/index.ts";
import {
  otherPackedRefs,
  parseRefs,
  printPackedRefs,
  printRefs,
  type RemoteRefs,
  type StoredRefs,
} from "./remote-refs.ts";

/** Where one repository stands in the cache. No name of a manifest is part of any path in it. */
export interface Place {
  /** The normalised URL. */
  url: string;
  hash: string;
  gitDir: string;
  /** The cache folder. */
  folder: string;
  tmp: string;
}

/** Whether a repository is one of the cache's, and none of the user's own. */
export function isCached(folder: string, gitDir: string | undefined): gitDir is string {
  return gitDir?.startsWith(join(folder, "git") + sep) === true;
}

/** The lock of a cached repository, and where an error says that it lies. */
export function lockOf(gitDir: string): { path: string; folder: string } {
  return { path: gitDir.replace(/\.git$/, ".lock"), folder: `cache/git/${basename(dirname(gitDir))}` };
}

/** The file, inside the cached repository, that holds the refs seen last. */
export const refsFile = "writ-refs.json";

/** Null in place of what this user has no right to look at: another's cache is as an empty one, until it is written. */
export function nullIfDenied(error: unknown): null {
  if (["EACCES", "EPERM"].includes(errnoOf(error) ?? "")) return null;
  throw error;
}

/** The refs a cached repository saw last, or null; a reader sees the old ones or the new, whole. */
export async function readStored(place: Pick<Place, "gitDir">): Promise<StoredRefs | null> {
  const bytes = await readOrNull(join(place.gitDir, refsFile)).catch(nullIfDenied);
  return bytes && parseRefs(bytes.toString("utf8"));
}

/**
 * The refs a cached repository saw last, if all they lead to is still there: packs are only ever added, so while
 * those of that moment stand, nobody has to ask git.
 */
export async function readWhole(place: Pick<Place, "gitDir">): Promise<StoredRefs | null> {
  const stored = await readStored(place);
  if (!stored || stored.packs.length === 0) return null;
  const there = new Set(await packsOf(place.gitDir));
  return stored.packs.every((pack) => there.has(pack)) ? stored : null;
}

async function packsOf(gitDir: string): Promise<string[]> {
  const names = await readdir(join(gitDir, "objects", "pack")).catch(() => []);
  return names.filter((name) => name.endsWith(".pack")).toSorted();
}

/**
 * Moves all mirrored refs of a cached repository at once; called by the holder of its lock only. What a power cut
 * takes of the refs that were seen is asked for again; only what others keep in `packed-refs` must not be lost.
 */
export async function storeRefs(gitDir: string, url: string, remote: RemoteRefs): Promise<void> {
  const packed = join(gitDir, "packed-refs");
  const before = (await readOrNull(packed))?.toString("utf8") ?? "";
  const others = otherPackedRefs(before);
  const after = printPackedRefs(remote, others);
  if (after !== before) await writeAtomic(packed, after, { sync: others.length > 0 });
  const kept = join(gitDir, refsFile);
  const text = printRefs(url, remote, await packsOf(gitDir));
  // Rewritten although it is equal: those who waited for the lock see by it that the remote was just asked.
  await writeAtomic(kept, text, { sync: false });
}

/** Whether the mirrored refs are these already, with all that they lead to: then there is nothing to be moved. */
export async function holdsRefs(gitDir: string, remote: RemoteRefs): Promise<boolean> {
  const seen = await readWhole({ gitDir });
  if (!seen || printRefs("", seen) !== printRefs("", remote)) return false;
  const packed = (await readOrNull(join(gitDir, "packed-refs")))?.toString("utf8") ?? "";
  return printPackedRefs(remote, otherPackedRefs(packed)) === packed;
}

/** Notes that a cached repository was used; what has not been used for long is pruned. */
export async function markUsed(gitDir: string, nowMs: number): Promise<void> {
  const at = nowMs / 1000;
  // A cache that cannot be written can still be read.
  try {
    utimesSync(gitDir, at, at);
  } catch {}
}

/** Puts a finished repository in its place; when another process was first, its copy stands and ours goes. */
export async function settle(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (!["ENOTEMPTY", "EEXIST", "EPERM"].includes(errnoOf(error) ?? "")) throw error;
    await rm(from, { recursive: true, force: true });
  }
}
