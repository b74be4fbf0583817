import { z } from "zod";

const path = z.string().describe("Relative path.");
const count = z.int();

const StackStatusData = z.object({
  label: z.string().describe("The stack's id."),
  repo: z.string().describe("org/repo, URL or path:<relative>."),
  ref: z.string().nullable().describe("Full name of the ref."),
  lockfile_commit: z.string().nullable().describe("Commit in the lock."),
  upstream_commit: z.string().optional().describe("Commit the remote has."),
  upstream_known: z.enum(["fetched", "cached", "unknown"]).describe("How fresh that is."),
  behind: count.optional().describe("Commits the remote has and the lock has not."),
  ahead: count.optional().describe("Commits the lock has and the remote has not."),
  in_sync: z.boolean().describe("The lock's commit is the remote's, as far as known."),
});

const RepoStatusData = z.object({
  path,
  repo: z.string().describe("org/repo or URL."),
  ref: z.string().describe("Ref in the lock."),
  exists: z.boolean(),
  is_git: z.boolean(),
  right_remote: z.boolean().describe("A remote is the declared repository."),
  lockfile_commit: z.string(),
  head_commit: z.string().nullable(),
  branch: z.string().optional(),
  modified: z.array(z.string()).describe("Changed tracked paths, at most 100."),
  modified_count: count,
  untracked_count: count,
  behind: count.optional(),
  ahead: count.optional(),
  unpushed: count.describe("Local commits on no remote-tracking branch."),
  stashes: count,
  in_progress: z.string().optional().describe("An operation of git that waits to be finished."),
  matches_lock: z.boolean().describe("HEAD is the lock's commit and the tree is clean."),
});

const DriftData = z.object({
  path,
  kind: z
    .enum([
      "edited",
      "missing",
      "conflict",
      "orphan_edited",
      "extra",
      "mirror_edited",
      "generated_edited",
      "metadata_edited",
      "not_applied",
      "linked",
    ])
    .describe("How the disk differs from what was composed."),
  stack: z.string().optional().describe("Where the file comes from."),
});

/** Loose, because other parts add blocks under their own names. */
export const statusOutput = z.looseObject({
  name: z.string().describe("The workspace's name."),
  schema: z.string().describe("Schema of workspace.yml."),
  has_lock: z.boolean(),
  lock: z.object({ path: z.string(), sha256: z.string().nullable() }).describe("The lock."),
  pending_swap: z.boolean().describe("An interrupted run waits to be completed."),
  stacks: z.array(StackStatusData).describe("Stacks, lowest first."),
  repos: z.array(RepoStatusData).describe("Product repositories, sorted by path."),
  files_drift: z.array(DriftData).describe("Files that differ, sorted by path."),
  orphans: z.array(z.object({ path, reason: z.string() })).describe("Clones nobody declares any more."),
  worktrees: z.array(z.object({ name: z.string(), path })).describe("Worktrees of this workspace."),
  summary: z
    .object({
      in_sync: z.boolean(),
      stacks_out_of_sync: count,
      repos_dirty_or_drifted: count,
      files_drift_count: count.describe("Without extra and linked."),
      conflicts: count,
      orphans: count,
      extras: count,
    })
    .describe("Counts."),
  next: z.array(z.string()).describe("Commands to run next."),
});

export type StatusData = z.output<typeof statusOutput>;
