import { z } from "zod";

const hash = z.string().nullable();
const path = z.string().describe("Relative path.");

const StackData = z.object({
  label: z.string().describe("The stack's id."),
  repo: z.string().describe("org/repo, URL or path:<relative>."),
  want: z.string().describe("What was asked for."),
  ref: z.string().nullable().describe("Full name of the ref."),
  commit: z.string().nullable().describe("Commit; null for a folder without git."),
  previous_commit: z.string().optional().describe("Commit before this run, where it differs."),
  source: z.enum(["lock", "remote", "cache", "path"]).describe("Who answered."),
  files: z.number().int().describe("Composed files it provides."),
});

const RepoData = z.object({
  path,
  repo: z.string().describe("org/repo or URL."),
  ref: z.string().describe("Ref in the lock."),
  commit: z.string().describe("Commit in the lock."),
  source_stack: z.string().describe("Who declares it: a stack, modules or extra_repos."),
  action: z.enum(["cloned", "kept", "fast_forwarded"]).describe("What the run does with it."),
  reason: z.string().optional().describe("Why it could not be moved forward."),
  branch: z.string().optional().describe("Branch checked out."),
  head: z.string().optional().describe("Commit checked out."),
});

const ChangeData = z.object({
  path,
  action: z.enum(["create", "update", "delete", "adopt", "link"]).describe("What the run does to it."),
  stack: z.string().optional().describe("Where it comes from."),
  from: hash.optional().describe("Hash before."),
  to: hash.optional().describe("Hash after."),
  always_on: z.boolean().optional().describe("True for a rule that steers every agent."),
});

const ConflictData = z.object({
  path,
  reason: z.enum(["no_base", "both_changed"]).describe("How it came to conflict."),
  unmerged: z
    .enum(["same_lines", "no_base", "not_text", "not_a_copy"])
    .optional()
    .describe("Why --merge cannot end it; absent where it can."),
  base: hash.optional().describe("Hash composed last."),
  local: hash.describe("Hash on disk."),
  theirs: hash.describe("Hash that would be composed."),
  theirs_path: z.string().describe("Where the other side can be read."),
});

const Reasoned = z.object({ path, reason: z.string().describe("Why.") });

const SkillData = z.object({
  path,
  name: z.string().describe("Folder name."),
  problems: z
    .array(z.object({ id: z.string(), level: z.string(), message: z.string() }))
    .describe("Findings against the Agent Skills standard."),
});

/** Facts shared by bootstrap and sync; sync has no repositories to tell of. */
const runOutput = {
  name: z.string().describe("The workspace's name."),
  mode: z.enum(["create", "replay", "update", "frozen", "undo"]).describe("What kind of run it was."),
  stacks: z.array(StackData).describe("Stacks, lowest first."),
  files: z
    .object({
      created: z.number().int(),
      updated: z.number().int(),
      deleted: z.number().int(),
      unchanged: z.number().int(),
      kept: z.number().int(),
      conflicts: z.number().int(),
    })
    .describe("Counts of files."),
  changes: z.array(ChangeData).describe("Every path that changes, sorted."),
  edited: z.array(z.string()).describe("Files you edited, kept as they are."),
  adopted: z.array(z.string()).describe("Context files whose text was taken over."),
  collisions: z
    .array(z.object({ file: z.string(), winner: z.string(), losers: z.array(z.string()) }))
    .describe("Paths that several layers provide."),
  conflicts: z.array(ConflictData).describe("Files changed on both sides; yours were kept."),
  backups: z
    .array(z.object({ path, backup: z.string().describe("Where the replaced bytes are.") }))
    .describe("Replaced work."),
  agent_files: z
    .object({
      canonical: z.string(),
      mirrors: z.array(z.string()),
      extras: z.array(z.string()),
      bytes: z.record(z.string(), z.number().int()).describe("Size of each context file."),
      linked: z.array(z.string()).describe("Left alone: links to where the text already is."),
    })
    .describe("Context files."),
  skills: z.array(SkillData).describe("Skills and what the standard says of them."),
  stack_metadata: z
    .array(
      z.object({
        product: z.string(),
        file: z.string(),
        sha256: z.string(),
        source_repo: z.string(),
        source_commit: z.string().optional(),
      }),
    )
    .describe("Copies under .stack/."),
  overlay: z
    .object({ repo: z.string(), commit: z.string(), files: z.number().int() })
    .optional()
    .describe("The private overlay."),
  skipped: z.array(Reasoned).describe("What of the stacks is never composed, and what an undo kept."),
  lock: z
    .object({
      path: z.string(),
      changed: z.boolean(),
      sha256: z.string().nullable(),
      moved: z.array(z.object({ id: z.string(), from: z.string().nullable(), to: z.string() })),
    })
    .describe("The lock."),
  workspace_repo: z
    .object({
      initialised: z.boolean(),
      commit: z.string().nullable(),
      org: z.string().nullable(),
      name: z.string(),
      visibility: z.string(),
      commands: z.array(z.string()).describe("What would publish it."),
    })
    .optional()
    .describe("The workspace's own repository, when enabled."),
  next: z.array(z.string()).describe("Commands to run next."),
  reason: z.string().optional().describe("Why nothing was done."),
};

const repoOutput = {
  repos: z.array(RepoData).describe("Product repositories, sorted by path."),
  orphans: z.array(Reasoned).describe("Clones that nobody declares any more."),
  pruned: z.array(Reasoned).describe("Orphans that were removed."),
  prune_refused: z
    .array(
      Reasoned.extend({
        facts: z.record(z.string(), z.unknown()).describe("Everything that speaks against it."),
      }),
    )
    .describe("Orphans that hold something of yours."),
};

export const bootstrapOutput = z.object({ ...runOutput, ...repoOutput });

export const syncOutput = z.object({
  ...runOutput,
  repos_kept: z.int().describe("Declared repositories that stand in the workspace, untouched."),
});

export const RunData = z.object({
  ...runOutput,
  ...repoOutput,
  repos_kept: z.number().int().optional(),
  changed: z.boolean().optional(),
});
export type RunData = z.input<typeof RunData>;
