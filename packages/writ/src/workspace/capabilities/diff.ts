import { z } from "zod";
import { capability, type Style } from "../../contract/index.ts";
import { composeErrors } from "../run/run-errors.ts";
import { conflicting } from "../run/run-request.ts";
import { flagsOf } from "../run/source-flags.ts";
import { sourceInput } from "../run/source-input.ts";
import { plainRequest } from "../gather/request.ts";
import { unmergedWords, waysOut } from "../changeset/ways-out.ts";

const path = z.string().describe("Relative path.");

const output = () =>
  z.object({
    against: z.enum(["lock", "update", "local"]).describe("What the disk was compared with."),
    changes: z
      .array(
        z.object({
          path,
          action: z.enum(["create", "update", "delete", "adopt", "link"]).describe("What happens to it."),
          stack: z.string().optional().describe("Where it comes from."),
          from: z.string().optional().describe("Hash before."),
          to: z.string().optional().describe("Hash after."),
          added: z.int().describe("Lines that come."),
          removed: z.int().describe("Lines that go."),
          patch: z.string().optional().describe("The difference, with --patch."),
        }),
      )
      .describe("Exactly the paths that the next run changes, sorted."),
    conflicts: z
      .array(
        z.object({
          path,
          stack: z.string().optional().describe("Where it comes from."),
          reason: z.enum(["no_base", "both_changed"]).describe("How it came to conflict."),
          unmerged: z
            .enum(["same_lines", "no_base", "not_text", "not_a_copy"])
            .optional()
            .describe("Why --merge cannot end it; absent where it can."),
          from: z.string().optional().describe("Hash of yours."),
          to: z.string().optional().describe("Hash of what would be composed."),
          theirs_path: z.string().describe("Where the other side can be read, once a run has shown it."),
          added: z.int().describe("Lines that would come with the other side."),
          removed: z.int().describe("Lines of yours that would go."),
          patch: z.string().optional().describe("Yours against the other side, with --patch."),
        }),
      )
      .describe("Files changed on both sides, which a run keeps as they are."),
    repos: z
      .array(z.object({ path, action: z.string(), reason: z.string().optional() }))
      .describe("Product repositories."),
    lock_changes: z
      .array(
        z.object({
          id: z.string().describe("Stack, repository or registry."),
          from: z.string().nullable(),
          to: z.string(),
          commits: z.int().describe("Commits between, at most 50."),
          log: z.array(z.object({ commit: z.string(), subject: z.string() })),
        }),
      )
      .describe("What would move in the lock."),
    would_change: z.boolean().describe("The next run would change something."),
  });

type DiffData = z.output<ReturnType<typeof output>>;

export default capability({
  id: "workspace.diff",
  path: "diff",
  summary: "Show what the next run would change, or what you changed.",
  description:
    "Compares the disk with what the lock composes to; with --update, with the newest commits; with --local, shows your own edits. " +
    "It lists exactly the paths that the following run changes, and changes nothing.",
  input: z.object({
    paths: z
      .array(z.string().min(1))
      .max(200)
      .default([])
      .meta({ positional: 0 })
      .describe("Only these files and folders."),
    update: z.boolean().default(false).describe("Against the newest commits."),
    stack: z.array(z.string()).max(64).default([]).describe("Limit an update to these stacks."),
    local: z.boolean().default(false).describe("Your own edits against what was composed last."),
    patch: z.boolean().default(false).describe("Include the text of each difference."),
    ...sourceInput,
  }),
  output,
  need: { effect: "observe", network: "may", workspace: "required" },
  narrow: ({ update, offline }) => (update && !offline ? {} : { network: "never" }),
  errors: [...composeErrors, "E_NOT_FOUND"],
  examples: [
    { title: "What would a bootstrap change", input: {} },
    { title: "What would an update bring", input: { update: true, patch: true } },
    { title: "What did I edit", input: { local: true, patch: true } },
  ],
  related: ["bootstrap", "sync", "status"],
  async run(ctx, given) {
    if (given.local && given.update) throw conflicting("--local", "--update");
    if (given.stack.length > 0 && !given.update) throw conflicting("--stack", "a diff without --update");
    const { workspaceDiff } = await import("../status/diff.ts");
    // Only an update may ask a remote; all else is answered from lock and cache.
    const flags = { ...flagsOf(given), ...(!given.update && { offline: true }) };
    const run = plainRequest({ command: "writ diff", update: given.update, stacks: given.stack, flags });
    return workspaceDiff(ctx, { run, paths: given.paths, local: given.local, patch: given.patch });
  },
  render: (data, style) => renderDiff(data, style),
});

// A longer list would push what matters off the screen; the rest is in --json.
const shownAtMost = 20;

function renderDiff(data: DiffData, style: Style): string {
  const { against, changes, conflicts, repos, lock_changes } = data;
  const moved = lock_changes.map(
    ({ id, from, to, commits }) =>
      `${style.bold(id)}  ${from?.slice(0, 8) ?? "new"} -> ${to.slice(0, 8)}   ${commits} ${commits === 1 ? "commit" : "commits"}`,
  );
  const both = conflicts.map((one) => ({
    ...one,
    action: "conflict",
    note: one.unmerged && unmergedWords[one.unmerged],
  }));
  const listed = [...changes, ...both].toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const shown = listed.slice(0, shownAtMost).flatMap((one) => changeLines(one, style));
  const more = listed.length > shownAtMost ? [`  and ${listed.length - shownAtMost} more`] : [];
  // Only bootstrap moves repositories.
  const movesRepos = repos.some(({ action }) => action === "fast_forwarded" || action === "cloned");
  const update = movesRepos ? "writ bootstrap --update" : "writ sync";
  const told = endOf(data, against === "update" ? update : "writ bootstrap");
  return [...moved, ...shown, ...more, ...told].join("\n");
}

interface Shown {
  path: string;
  action: string;
  added: number;
  removed: number;
  patch?: string | undefined;
  note?: string | undefined;
}

function changeLines({ path: changed, action, added, removed, patch, note }: Shown, style: Style): string[] {
  const why = note === undefined ? "" : `   ${note}`;
  const line = `  ${action.padEnd(6)}  ${changed}   ${style.green(`+${added}`)} ${style.red(`-${removed}`)}${why}`;
  return patch === undefined ? [line] : [line, patch.trimEnd()];
}

function endOf({ against, changes, conflicts, would_change }: DiffData, apply: string): string[] {
  if (against === "local") return ["Nothing was changed."];
  const [, ...ends] = waysOut(apply, conflicts);
  const settle =
    ends.length === 0
      ? []
      : [`Yours (-) is kept beside the new text (+) until you settle it: ${ends.join(", or ")}`];
  if (settle.length > 0 && changes.length === 0) return settle;
  return [...settle, would_change ? `Nothing was changed. Apply with: ${apply}` : "Nothing would change."];
}
