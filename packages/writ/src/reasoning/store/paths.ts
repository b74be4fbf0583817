import { join } from "node:path";
import { requireNoLinks } from "../../platform/index.ts";

/** The records of a checkout, relative to its root. */
export const recordsFolder = ".writ/reasoning";
export const indexFile = `${recordsFolder}/index.ndjson`;
export const lockFile = `${recordsFolder}/lock`;
/** How far the ledger names the records. */
export const toldFile = `${recordsFolder}/told.json`;

const recordName = /^(\d{8,12})-([a-z_]{1,20}_[0-9a-f-]{36})\.json$/;

/** The file of a record, relative to the root: the name says its place in the order. */
export function recordFile({ task, seq, id }: { task: string; seq: number; id: string }): string {
  return `${recordsFolder}/${task}/${String(seq).padStart(8, "0")}-${id}.json`;
}

/** What the name of a record's file says, or undefined for any other name. */
export function readRecordName(name: string): { seq: number; id: string } | undefined {
  const [, seq, id] = recordName.exec(name) ?? [];
  return seq !== undefined && id !== undefined ? { seq: Number(seq), id } : undefined;
}

/** Refuses a link where the records of a task would be written. */
export async function requirePlainFolders(root: string, task: string): Promise<void> {
  await requireNoLinks(root, `${recordsFolder}/${task}/x`);
}

export const at = (root: string, relative: string): string => join(root, relative);
