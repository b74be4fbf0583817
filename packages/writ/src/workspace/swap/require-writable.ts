import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { join } from "node:path";
import { dirname } from "node:path/posix";
import { errnoOf, storing } from "../../platform/index.ts";
import { inParallel } from "../sources/pool.ts";

const looksAtOnce = 16;

/**
 * Refuses what the file system would refuse in the middle of a swap: every folder in which a name changes must
 * let us change it. Between this look and the swap it may still change; then the journal stays.
 */
export async function requireWritable(root: string, paths: readonly string[]): Promise<void> {
  const folders = new Set(paths.map((path) => dirname(path)));
  await inParallel([...folders], looksAtOnce, (folder) => requireFolder(root, folder));
}

async function requireFolder(root: string, folder: string): Promise<void> {
  if ((await storing(folder, () => isWritable(join(root, folder)))) || folder === ".") return;
  // It will be made, in the folder above it.
  return requireFolder(root, dirname(folder));
}

async function isWritable(folder: string): Promise<boolean> {
  try {
    await access(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(errnoOf(error) ?? "")) return false;
    throw error;
  }
}
