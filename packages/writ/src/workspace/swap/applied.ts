import { statSync } from "node:fs";
import { rename } from "node:fs/promises";
import type { z } from "zod";
import { WritError } from "../../contract/index.ts";
import { storeError } from "../../platform/index.ts";
import type {
  AppliedConflictSchema,
  AppliedFileSchema,
  AppliedRegionSchema,
  AppliedRepoSchema,
  AppliedSchema,
} from "./applied-schema.ts";
import { isApplied } from "./applied-shape.ts";
import type { Recorded } from "./disk.ts";
import { readState, stateOf } from "./state.ts";

/** Moves when the same inputs would compose to other bytes, so that the next run composes anew. */
export const composeFormat = "1";

export type Applied = z.output<typeof AppliedSchema>;
export type AppliedFile = z.output<typeof AppliedFileSchema>;
export type AppliedRegion = z.output<typeof AppliedRegionSchema>;
export type AppliedConflict = z.output<typeof AppliedConflictSchema>;
export type AppliedRepo = z.output<typeof AppliedRepoSchema>;

/** The record of a checkout where nothing has been composed. */
export function emptyApplied(run: string): Applied {
  return {
    schema: "writ-applied/1",
    format: composeFormat,
    inputs: "",
    lock: null,
    files: [],
    regions: [],
    repos: [],
    stacks: [],
    conflicts: [],
    run,
  };
}

/** The record's bytes: sorted by path, so that the same state gives the same bytes. */
export function printApplied(applied: Applied): string {
  const byPath = (a: { path: string }, b: { path: string }) =>
    a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
  const sorted = {
    ...applied,
    files: applied.files.toSorted(byPath),
    regions: applied.regions.toSorted(byPath),
    repos: applied.repos.toSorted(byPath),
    conflicts: applied.conflicts.toSorted(byPath),
  };
  return `${JSON.stringify(sorted, null, 1)}\n`;
}

/** Reads a record; undefined when it is not one. */
export function parseApplied(text: string): Applied | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isApplied(value)
      ? { ...value, stacks: value.stacks ?? [], conflicts: value.conflicts ?? [] }
      : undefined;
  } catch {
    return undefined;
  }
}

export interface AppliedState {
  applied: Applied | undefined;
  bytes: Buffer | undefined;
  /** When it was written; a file as young as this must be hashed. */
  recordedNs: bigint;
  corrupt: boolean;
}

/** Reads what this checkout composed last; a corrupt record is reported and counts as absent. */
export async function readApplied(root: string): Promise<AppliedState> {
  const none = { applied: undefined, bytes: undefined, recordedNs: 0n };
  try {
    const bytes = await readState(root, "applied");
    if (!bytes) return { ...none, corrupt: false };
    const { mtimeNs } = statSync(stateOf(root).applied, { bigint: true });
    const applied = parseApplied(bytes.toString("utf8"));
    return { applied, bytes: applied && bytes, recordedNs: mtimeNs, corrupt: applied === undefined };
  } catch (error) {
    // No record is that large.
    if (error instanceof WritError && error.code === "E_LIMIT") return { ...none, corrupt: true };
    throw storeError(error, ".writ/workspace/applied.json");
  }
}

/** Which run wrote the record; mostly told by its end, since to read ten thousand files for it takes long. */
export async function readAppliedRun(root: string): Promise<string | undefined> {
  const bytes = await readState(root, "applied");
  const end = bytes?.toString("utf8", Math.max(0, bytes.length - 200));
  const told = /\n "run": "([^"\\]*)"\n\}\n$/.exec(end ?? "")?.[1];
  return told ?? (bytes ? parseApplied(bytes.toString("utf8"))?.run : undefined);
}

/** Moves a corrupt record aside, where a person can look at it. */
export async function setAsideApplied(root: string, run: string): Promise<void> {
  const path = stateOf(root).applied;
  await rename(path, `${path}.corrupt-${run}`).catch((error: unknown) => {
    throw storeError(error, ".writ/workspace/applied.json");
  });
}

/** The recorded stat of a file, as it is compared with what stands there. */
export function recordedOf(file: AppliedFile, recordedNs: bigint): Recorded {
  return { sha256: file.sha256, size: file.size, mtime_ns: file.mtime_ns, ino: file.ino, recordedNs };
}
