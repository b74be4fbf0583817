import { rename, rm, utimes } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { errnoOf, readOrNull, writeAtomic } from "../../platform/index.ts";
import { otherPackedRefs, parseRefs, printPackedRefs, printRefs, type RemoteRefs } from "./remote-refs.ts";

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

/** The lock of a cached repository, and where an error says that it lies. */
export function lockOf(gitDir: string): { path: string; folder: string } {
  return { path: gitDir.replace(/\.git$/, ".lock"), folder: `cache/git/${basename(dirname(gitDir))}` };
}

/** The file, inside the cached repository, that holds the refs seen last. */
export const refsFile = "writ-refs.json";

/** The refs a cached repository saw last, or null; a reader sees the old ones or the new, whole. */
export async function readStored(place: Pick<Place, "gitDir">): Promise<RemoteRefs | null> {
  const bytes = await readOrNull(join(place.gitDir, refsFile));
  return bytes && parseRefs(bytes.toString("utf8"));
}

/** Moves all mirrored refs of a cached repository at once; called by the holder of its lock only. */
export async function storeRefs(gitDir: string, url: string, remote: RemoteRefs): Promise<void> {
  const packed = join(gitDir, "packed-refs");
  const before = (await readOrNull(packed))?.toString("utf8") ?? "";
  const after = printPackedRefs(remote, otherPackedRefs(before));
  if (after !== before) await writeAtomic(packed, after);
  const kept = join(gitDir, refsFile);
  const text = printRefs(url, remote);
  // Rewritten although it is equal: those who waited for the lock see by it that the remote was just asked.
  await writeAtomic(kept, text);
}

/** Notes that a cached repository was used; what has not been used for long is pruned. */
export async function markUsed(gitDir: string, nowMs: number): Promise<void> {
  const at = nowMs / 1000;
  // A cache that cannot be written can still be read.
  await utimes(gitDir, at, at).catch(() => {});
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
