import { makeFolder, removeEmptyParents, storing, withLock } from "../../platform/index.ts";
import { requirePlainPlaces } from "./disk-scan.ts";
import { stateFolder, stateOf, statePlaces } from "./state.ts";

/** Roots whose run lock this process holds; the end of a run may remove its journal without asking again. */
const held = new Set<string>();

/** True while this process runs a composition of that root. */
export function holdsRunLock(root: string): boolean {
  return held.has(root);
}

/** Refuses what would keep a run from taking its lock; a rehearsal takes none, and has to say the same. */
export async function requireRunPlaces(root: string): Promise<void> {
  await requirePlainPlaces(root, [stateFolder, ...statePlaces, `${stateFolder}/run.lock`]);
}

export interface RunLockOptions {
  waitMs: number;
  command: string;
  signal?: AbortSignal;
  onWait?: () => void;
}

/** Runs `work` as the only composition of this checkout; the lock dies with its owner. A link among its places is refused. */
export async function withRunLock<T>(
  root: string,
  options: RunLockOptions,
  work: () => Promise<T>,
): Promise<T> {
  const { folder, lock } = stateOf(root);
  await requireRunPlaces(root);
  const made = await storing(`${stateFolder}/run.lock`, () => makeFolder(folder));
  try {
    return await withLock(lock, { ...options, what: "this workspace", folder: stateFolder }, async () => {
      held.add(root);
      try {
        return await work();
      } finally {
        held.delete(root);
      }
    });
  } finally {
    // A first run that was refused leaves no trace; a folder that holds something stays.
    if (made !== undefined) await removeEmptyParents(`${folder}/x`, root);
  }
}
