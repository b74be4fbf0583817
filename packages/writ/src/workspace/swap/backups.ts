import { readFile } from "node:fs/promises";
import { z } from "zod";
import { writeAtomic } from "../../platform/index.ts";
import { stateOf } from "./state.ts";

const Backups = z.array(z.object({ path: z.string(), sha256: z.string(), run: z.string() }));

/** Work of the user that a run replaced because it was told to, findable by path; never dropped. */
export type Backup = z.output<typeof Backups>[number];

export async function readBackups(root: string): Promise<Backup[]> {
  const text = await readFile(stateOf(root).backups, "utf8").catch(() => "[]");
  try {
    return Backups.parse(JSON.parse(text));
  } catch {
    return [];
  }
}

/** Adds backups to the list; one that is listed already is not listed twice. */
export async function addBackups(root: string, added: readonly Backup[]): Promise<void> {
  if (added.length === 0) return;
  const known = await readBackups(root);
  const isKnown = (backup: Backup) =>
    known.some((other) => other.path === backup.path && other.sha256 === backup.sha256);
  const all = [...known, ...added.filter((backup) => !isKnown(backup))];
  await writeAtomic(stateOf(root).backups, `${JSON.stringify(all, null, 1)}\n`);
}
