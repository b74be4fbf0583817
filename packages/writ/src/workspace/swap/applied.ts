import { rename, stat } from "node:fs/promises";
import { z } from "zod";
import { WritError } from "../../contract/index.ts";
import { storeError } from "../../platform/index.ts";
import type { Recorded } from "./disk.ts";
import { readState, stateOf } from "./state.ts";

/** Moves when the same inputs would compose to other bytes, so that the next run composes anew. */
export const composeFormat = "1";

const hash = z.string().regex(/^[0-9a-f]{64}$/);

const AppliedFile = z.strictObject({
  path: z.string().describe("Relative path."),
  kind: z.enum(["copy", "index", "derived", "extra", "link", "block"]).describe("What Writ owns there."),
  sha256: hash.describe("Hash of the bytes composed last: the base."),
  mode: z.string().describe("Mode on creation: 100644, 100755 or 120000."),
  size: z.number().int().describe("Size of the file when it was recorded."),
  mtime_ns: z.string().describe("Its modification time then, in nanoseconds."),
  ino: z.string().describe("Its inode then."),
  stack: z.string().optional().describe("Label of the stack it came from, or overlay."),
  commit: z.string().optional().describe("Commit of that stack."),
  source: z.string().optional().describe("Path inside the stack."),
  blob: z.string().optional().describe("Git object id of the bytes."),
});

const AppliedRegion = z.strictObject({
  path: z.string().describe("A context file."),
  generated: z.string().describe("Hash of the generated region composed last; empty when none."),
  editable: z.string().describe("Hash of the shared notes recorded last; empty when none."),
});

const AppliedRepo = z.strictObject({
  path: z.string().describe("Where Writ cloned or found it."),
  repo: z.string().describe("Its source, as the lock names it."),
  ref: z.string().describe("Its ref, full name."),
  commit: z.string().describe("The commit it was cloned at."),
  from: z.string().describe("Who declared it."),
});

const AppliedConflict = z.strictObject({
  path: z.string().describe("A file that differs here from both what was composed and what would be."),
  reason: z.enum(["no_base", "both_changed", "orphan_edited"]).describe("How it came to differ."),
  unmerged: z
    .enum(["same_lines", "no_base", "not_text", "not_a_copy"])
    .optional()
    .describe("Why no merge by line can end it."),
  theirs: z.string().nullable().describe("Hash of what would be composed; null when its source dropped it."),
});

const AppliedStack = z.strictObject({
  label: z.string().describe("The stack's id."),
  files: z.number().int().describe("Files it won."),
});

/** The schema of applied.json: what this checkout composed last. */
export const AppliedSchema = z.strictObject({
  schema: z.literal("writ-applied/1"),
  format: z.string().describe("The compose format."),
  inputs: z.string().describe("Hash of workspace.yml, lock and compose format."),
  lock: z.string().nullable().describe("Hash of the lock that was composed."),
  files: z.array(AppliedFile).describe("Every file Writ owns, sorted by path."),
  regions: z.array(AppliedRegion).describe("Every context file Writ shares, sorted by path."),
  repos: z.array(AppliedRepo).describe("Product repositories, sorted by path."),
  stacks: z.array(AppliedStack).default([]).describe("Files each stack contributed, in layer order."),
  conflicts: z.array(AppliedConflict).default([]).describe("Files the last run kept, sorted by path."),
  context: z
    .strictObject({
      canonical: z.string(),
      mirrors: z.array(z.string()),
      extras: z.array(z.string()),
      linked: z.array(z.string()),
    })
    .optional()
    .describe("The context files composed last."),
  overlay: z
    .strictObject({
      repo: z.string(),
      want: z.string(),
      ref: z.string().optional(),
      commit: z.string(),
      files: z.number().int(),
    })
    .optional()
    .describe("The private overlay, pinned here and nowhere else."),
  run: z.string().describe("The act that composed it."),
});

export type Applied = z.output<typeof AppliedSchema>;
export type AppliedFile = z.output<typeof AppliedFile>;
export type AppliedRegion = z.output<typeof AppliedRegion>;
export type AppliedConflict = z.output<typeof AppliedConflict>;
export type AppliedRepo = z.output<typeof AppliedRepo>;

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
    const parsed = AppliedSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : undefined;
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
    const { mtimeNs } = await stat(stateOf(root).applied, { bigint: true });
    const applied = parseApplied(bytes.toString("utf8"));
    return { applied, bytes: applied && bytes, recordedNs: mtimeNs, corrupt: applied === undefined };
  } catch (error) {
    // No record is that large.
    if (error instanceof WritError && error.code === "E_LIMIT") return { ...none, corrupt: true };
    throw storeError(error, ".writ/workspace/applied.json");
  }
}

/** Moves a corrupt record aside, where a person can look at it. */
export async function setAsideApplied(root: string, run: string): Promise<void> {
  const path = stateOf(root).applied;
  await rename(path, `${path}.corrupt-${run}`).catch((error: unknown) => {
    throw storeError(error, ".writ/workspace/applied.json");
  });
}

/** The recorded stat of a file, in the form {@link look} compares. */
export function recordedOf(file: AppliedFile, recordedNs: bigint): Recorded {
  return { sha256: file.sha256, size: file.size, mtime_ns: file.mtime_ns, ino: file.ino, recordedNs };
}
