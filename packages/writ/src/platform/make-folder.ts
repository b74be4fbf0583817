import { statSync } from "node:fs";
import { lstat, mkdir, rmdir, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { errnoOf } from "./store-error.ts";

/**
 * Makes a folder with its parents; answers the topmost one it had to make, to be taken back on failure.
 *
 * The one way to do so: where a parent stands and the system says all the same that nothing is there, as below /proc,
 * Node's own `recursive` tries for ever.
 */
export async function makeFolder(path: string, mode?: number): Promise<string | undefined> {
  // Mostly it stands, which the system knows at once.
  if (isFolder(path)) return undefined;
  try {
    return await makeChain(resolve(path), mode);
  } catch (error) {
    await refuseBlocked(path);
    throw error;
  }
}

async function makeChain(path: string, mode: number | undefined): Promise<string | undefined> {
  const options = mode === undefined ? {} : { mode };
  try {
    await mkdir(path, options);
    return path;
  } catch (error) {
    if (isFolder(path)) return undefined;
    const parent = dirname(path);
    if (errnoOf(error) !== "ENOENT" || parent === path) throw error;
    const topmost = await makeChain(parent, mode);
    // Somebody else may be making the same folders.
    const made = await mkdir(path, options).then(
      () => true,
      (again: unknown) => {
        if (isFolder(path)) return false;
        throw again;
      },
    );
    return topmost ?? (made ? path : undefined);
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false;
  }
}

/**
 * Throws the reason for which a folder cannot be made, at the place where it lies: of a chain of folders the system
 * tells only that the last one is not there, or that something is.
 */
async function refuseBlocked(path: string): Promise<void> {
  for (let at = resolve(path), missing = ""; ; missing = at, at = dirname(at)) {
    const there = await stat(at).catch(() => null);
    if (there?.isDirectory()) {
      if (missing === "") return;
      await mkdir(missing);
      return rmdir(missing);
    }
    const named = there ?? (await lstat(at).catch(() => null));
    if (named) throw Object.assign(new Error("not a folder"), { code: "ENOTDIR", path: at });
    if (at === dirname(at)) return;
  }
}
