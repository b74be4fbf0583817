import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { join } from "node:path";
import { dirname } from "node:path/posix";
import { errnoOf, inParallel, storing } from "../../platform/index.ts";
import { lockFile } from "../declare/file-names.ts";
import type { SwapPlan } from "./swap-plan.ts";

const looksAtOnce = 16;
const { R_OK, W_OK, X_OK } = constants;

/**
 * Refuses what the file system would refuse in the middle of a swap: folders in which no name may change, and
 * files that cannot be read before they are replaced. What changes after this look leaves the journal to be
 * finished.
 */
export async function requireAccess(root: string, plan: SwapPlan): Promise<void> {
  const { actions, clones, prunes, lock } = plan;
  const places = [...actions, ...clones, ...prunes].map(({ path }) => path);
  const folders = new Set([...places, ...(lock ? [lockFile] : [])].map((path) => dirname(path)));
  await inParallel([...folders], looksAtOnce, (folder) => requireFolder(root, folder));
  const replaced = actions.filter(({ from, was }) => from !== null && was === undefined);
  await inParallel(replaced, looksAtOnce, ({ path }) => storing(path, () => isOpen(join(root, path), R_OK)));
}

async function requireFolder(root: string, folder: string): Promise<void> {
  if (await storing(folder, () => isOpen(join(root, folder), W_OK | X_OK))) return;
  // It will be made, in the folder above it.
  if (folder !== ".") await requireFolder(root, dirname(folder));
}

/** False when nothing is there; what is there and refuses is thrown. */
async function isOpen(path: string, mode: number): Promise<boolean> {
  try {
    await access(path, mode);
    return true;
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(errnoOf(error) ?? "")) return false;
    throw error;
  }
}
