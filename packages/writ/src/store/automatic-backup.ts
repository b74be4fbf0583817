import { readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Clock } from "../contract/index.ts";
import { formatInstant, storing, syncFolder } from "../platform/index.ts";
import { copyOnline } from "./sqlite.ts";

const keptBackups = 3;

/** Copies a store beside itself before its schema changes, and keeps the last three such copies. */
export async function backUpBeforeMigration(file: string, version: number, clock: Clock): Promise<void> {
  const folder = dirname(file);
  const stamp = formatInstant(clock.now()).replaceAll(/[-:]|\.\d+/g, "");
  const name = `${basename(file)}.${stamp}.v${version}.bak`;
  await storing(`.writ/${name}`, async () => {
    // Under a name that no restore would take, until it is whole.
    const unfinished = join(folder, `${name}.part`);
    await rm(unfinished, { force: true });
    await copyOnline(file, unfinished);
    await rename(unfinished, join(folder, name));
    await syncFolder(folder);
    for (const old of (await backupsBeside(file)).slice(keptBackups))
      await rm(join(folder, old), { force: true });
  });
}

/** The names of a store's automatic backups, newest first. */
async function backupsBeside(file: string): Promise<string[]> {
  const prefix = `${basename(file)}.`;
  const names = await readdir(dirname(file));
  return names
    .filter((name) => name.startsWith(prefix) && /\d{8}T\d{6}Z\.v\d+\.bak$/.test(name))
    .sort()
    .reverse();
}
