import { z } from "zod";

const hash = z.string().regex(/^[0-9a-f]{64}$/);

export const AppliedFileSchema = z.strictObject({
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

export const AppliedRegionSchema = z.strictObject({
  path: z.string().describe("A context file."),
  generated: z.string().describe("Hash of the generated region composed last; empty when none."),
  editable: z.string().describe("Hash of the shared notes recorded last; empty when none."),
});

export const AppliedRepoSchema = z.strictObject({
  path: z.string().describe("Where Writ cloned or found it."),
  repo: z.string().describe("Its source, as the lock names it."),
  ref: z.string().describe("Its ref, full name."),
  commit: z.string().describe("The commit it was cloned at."),
  from: z.string().describe("Who declared it."),
});

export const AppliedConflictSchema = z.strictObject({
  path: z.string().describe("A file that differs here from both what was composed and what would be."),
  reason: z.enum(["no_base", "both_changed", "orphan_edited"]).describe("How it came to differ."),
  unmerged: z
    .enum(["same_lines", "no_base", "not_text", "not_a_copy"])
    .optional()
    .describe("Why no merge by line can end it."),
  theirs: z.string().nullable().describe("Hash of what would be composed; null when its source dropped it."),
});

const AppliedStackSchema = z.strictObject({
  label: z.string().describe("The stack's id."),
  files: z.number().int().describe("Files it won."),
});

/** The schema of applied.json: what this checkout composed last. */
export const AppliedSchema = z.strictObject({
  schema: z.literal("writ-applied/1"),
  format: z.string().describe("The compose format."),
  inputs: z.string().describe("Hash of workspace.yml, lock and compose format."),
  lock: z.string().nullable().describe("Hash of the lock that was composed."),
  files: z.array(AppliedFileSchema).describe("Every file Writ owns, sorted by path."),
  regions: z.array(AppliedRegionSchema).describe("Every context file Writ shares, sorted by path."),
  repos: z.array(AppliedRepoSchema).describe("Product repositories, sorted by path."),
  stacks: z.array(AppliedStackSchema).default([]).describe("Files each stack contributed, in layer order."),
  conflicts: z.array(AppliedConflictSchema).default([]).describe("Files the last run kept, sorted by path."),
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
