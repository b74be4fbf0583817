import { rename } from "node:fs/promises";
import { z } from "zod";
import { lstatOrNull, writeAtomic } from "../../platform/index.ts";
import { readState, stateOf } from "./state.ts";

const Backups = z.array(z.object({ path: z.string(), sha256: z.string(), run: z.string() }));

/** Work of the user that a run replaced because it was told to, findable by path; never dropped. */
export type Backup = z.output<typeof Backups>[number];

/** The backups that are listed; undefined when there is a list and it cannot be read. */
export async function readBackups(root: string): Promise<Backup[] | undefined> {
  const bytes = await readState(root, "backups");
  try {
    return bytes ? Backups.parse(JSON.parse(bytes.toString("utf8"))) : [];
  } catch {
    return undefined;
  }
}

/** True when every backup is listed: only then can it be said which kept bytes nothing names. */
export async function areBackupsKnown(root: string): Promise<boolean> {
  return (await readBackups(root)) !== undefined && !(await lstatOrNull(brokenList(root)));
}

/** Adds backups to the list; one that is listed already is not listed twice. */
export async function addBackups(root: string, added: readonly Backup[]): Promise<void> {
  if (added.length === 0) return;
  const listed = await readBackups(root);
  if (!listed) await rename(stateOf(root).backups, brokenList(root));
  const known = listed ?? [];
  const isKnown = (backup: Backup) =>
    known.some((other) => other.path === backup.path && other.sha256 === backup.sha256);
  const all = [...known, ...added.filter((backup) => !isKnown(backup))];
  await writeAtomic(stateOf(root).backups, `${JSON.stringify(all, null, 1)}\n`);
}

function brokenList(root: string): string {
  return `${stateOf(root).backups}.corrupt`;
}
