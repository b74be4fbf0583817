import { rmdir, symlink, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  makeFolder,
  errnoOf,
  inspectTarget,
  lstatOrNull,
  removeEmptyParents,
  replaceFile,
  storing,
} from "../../platform/index.ts";
import { hashOf, look } from "./disk.ts";
import type { Action } from "./journal.ts";
import { secondName } from "./kept.ts";

/** Where the old bytes of the n-th action wait between its rename and the content store. */
export function oldName(staging: string, index: number): string {
  return join(staging, "old", String(index));
}

/**
 * Carries out one action, once: looks at the disk again, and refuses when somebody has edited the file in
 * between. Doing it a second time, after a crash, changes nothing.
 */
export async function applyAction(
  root: string,
  action: Action,
  place: { staging: string; index: number },
): Promise<"done" | { refused: string | null }> {
  return storing(action.path, async () => {
    // A folder may have been replaced by a link since the plan was made; nothing is written through one.
    const target = await inspectTarget(root, action.path);
    if (target.kind === "folder" || target.kind === "special" || target.kind === "blocked")
      return { refused: null };
    const now = target.kind === "absent" ? null : hashOf(await look(root, action.path));
    if (now === action.to) return "done" as const;
    if (now !== null && now !== action.from) return { refused: now };
    await replace(root, action, { ...place, isFile: target.kind === "file" });
    return "done" as const;
  });
}

async function replace(
  root: string,
  action: Action,
  place: { staging: string; index: number; isFile: boolean },
): Promise<void> {
  const target = join(root, action.path);
  if (place.isFile) await secondName(target, oldName(place.staging, place.index));
  if (action.to === null) {
    await unlink(target).catch(ignoreAbsent);
    await removeEmptyParents(target, root);
    return;
  }
  const source = join(place.staging, action.staged ?? `link${String(place.index)}`);
  if (action.target !== undefined) {
    await makeFolder(place.staging);
    await unlink(source).catch(ignoreAbsent);
    await symlink(action.target, source);
  }
  await replaceFile(source, target).catch(async (error: unknown) => {
    // Mostly the folder is there already; making it each time would cost as much as the rename.
    if (errnoOf(error) !== "ENOENT") throw error;
    await makeFolder(dirname(target));
    await replaceFile(source, target);
  });
}

/** Moves a staged clone into place; false when something else has taken the path meanwhile. */
export async function placeClone(root: string, path: string, staged: string): Promise<boolean> {
  return storing(path, async () => {
    if (!(await lstatOrNull(staged))) return true;
    const target = join(root, path);
    const { kind } = await inspectTarget(root, path);
    // An empty folder may stand there; a full one refuses to be removed, and is kept.
    if (kind === "folder") await rmdir(target).catch(() => {});
    else if (kind !== "absent") return false;
    if (await lstatOrNull(target)) return false;
    await makeFolder(dirname(target));
    await replaceFile(staged, target);
    return true;
  });
}

function ignoreAbsent(error: unknown): void {
  if (errnoOf(error) !== "ENOENT") throw error;
}
