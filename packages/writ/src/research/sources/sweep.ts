import { readdir, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { isTemporaryName } from "../../platform/index.ts";
import { readPage } from "./page-store.ts";

const oldMs = 90 * 24 * 60 * 60 * 1000;

/**
 * Removes pages older than 90 days, but for those of unfinished runs. The age of a file is looked at first, so
 * that a young store costs one listing. What cannot be removed now is removed another time.
 */
export async function sweepPages(
  folder: string,
  { now, unfinished }: { now: number; unfinished: () => Promise<ReadonlySet<string>> },
): Promise<number> {
  let removed = 0;
  let open: ReadonlySet<string> | undefined;
  const isOpen = async (run: string) => (open ??= await unfinished()).has(run);
  for (const group of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    // Behind a link lies what somebody else keeps.
    if (!group.isDirectory()) continue;
    for (const name of await readdir(join(folder, group.name)).catch(() => [])) {
      const file = join(folder, group.name, name);
      if (await isOld(file, { now, isOpen })) {
        await rm(file, { force: true }).catch(() => undefined);
        removed += 1;
      }
    }
  }
  return removed;
}

async function isOld(
  file: string,
  { now, isOpen }: { now: number; isOpen: (run: string) => Promise<boolean> },
): Promise<boolean> {
  const found = await stat(file).catch(() => undefined);
  if (!found || now - found.mtimeMs < oldMs) return false;
  if (isTemporaryName(file.slice(file.lastIndexOf("/") + 1))) return true;
  const page = await readPage(file).catch(() => undefined);
  if (!page) return true;
  if (page.run !== null && (await isOpen(page.run))) return false;
  if (now - Date.parse(page.at) >= oldMs) return true;
  // Copied from elsewhere: its time is that of its answer.
  await utimes(file, new Date(page.at), new Date(page.at)).catch(() => undefined);
  return false;
}
