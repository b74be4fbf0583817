import { capability } from "../../contract/index.ts";
import { workspaceFiles } from "../swap/file-store.ts";
import type { BootstrapInput } from "../run/bootstrap-input.ts";
import { bootstrapErrors } from "../run/run-errors.ts";
import { renderRun } from "../run/run-render.ts";
import { conflicting, requestOf } from "../run/run-request.ts";

/** Refuses flags that exclude each other. */
function checkFlags(given: BootstrapInput): void {
  if (given.frozen && given.update) throw conflicting("--frozen", "--update");
  if (given.stack.length > 0 && !given.update) throw conflicting("--stack", "a run without --update");
  if (given.discard_ignored && !given.prune) throw conflicting("--discard-ignored", "a run without --prune");
  if (!given.undo) return;
  const others = ["update", "frozen", "strict", "merge", "prune"] as const;
  const other =
    others.find((flag) => given[flag]) ??
    (["theirs", "ours"] as const).find((flag) => given[flag].length > 0);
  if (other) throw conflicting("--undo", `--${other}`);
}

export default capability({
  id: "workspace.bootstrap",
  path: "bootstrap",
  summary: "Make the folder match workspace.yml and its lock.",
  description:
    "Composes the stacks into .agents/ and the context files, clones missing product repositories and writes the lock. " +
    "It never changes a file you edited, never touches a repository that stands, and a crash leaves the old files or the new.",
  input: async () => (await import("../run/bootstrap-input.ts")).bootstrapInput,
  output: async () => (await import("../run/run-schema.ts")).bootstrapOutput,
  need: { effect: "local", network: "may", workspace: "required" },
  narrow: ({ offline, undo }) => (offline || undo ? { network: "never" } : {}),
  commits: workspaceFiles,
  undo: "workspace.bootstrap",
  errors: bootstrapErrors,
  examples: [
    { title: "Compose from the lock", input: {} },
    { title: "Move one stack to its newest commit", input: { update: true, stack: ["core"] } },
    { title: "In CI: refuse any change of the lock", input: { frozen: true, strict: true } },
    { title: "Take the last run back", input: { undo: true } },
  ],
  related: ["sync", "status", "diff", "explain"],
  async run(ctx, given) {
    checkFlags(given);
    const { runWorkspace, undoWorkspace } = await import("../run/run.ts");
    const request = requestOf(ctx, given, {
      capability: "workspace.bootstrap",
      command: "writ bootstrap",
      update: given.update,
      stacks: given.stack,
      frozen: given.frozen,
      prune: given.prune,
      discardIgnored: given.discard_ignored,
    });
    return given.undo ? undoWorkspace(ctx, request) : runWorkspace(ctx, request);
  },
  render: (data, style) => renderRun(data, style),
});
