import { capability } from "../../contract/index.ts";
import { workspaceFiles } from "../swap/file-store.ts";
import { composeErrors } from "../run/run-errors.ts";
import { renderRun } from "../run/run-render.ts";
import { requestOf } from "../run/run-request.ts";

export default capability({
  id: "workspace.sync",
  path: "sync",
  summary: "Move the stacks to their newest commits and compose anew.",
  description:
    "Resolves registry, stacks and overlay to what they track now, moves the lock and recomposes. " +
    "Product repositories are left alone; files you edited are kept.",
  input: async () => (await import("../run/sync-input.ts")).syncInput,
  output: async () => (await import("../run/run-schema.ts")).syncOutput,
  need: { effect: "local", network: "may", workspace: "required" },
  narrow: ({ offline }) => (offline ? { network: "never" } : {}),
  commits: workspaceFiles,
  undo: "workspace.bootstrap",
  errors: [...composeErrors, "E_NOT_FOUND"],
  examples: [
    { title: "Move all stacks", input: {} },
    { title: "Move one stack", input: { stack: ["core"] } },
    { title: "Settle every conflict with the stacks' text", input: { theirs: ["."] } },
  ],
  related: ["bootstrap", "diff", "status"],
  async run(ctx, given) {
    const { runWorkspace } = await import("../run/run.ts");
    const update = { update: true, stacks: given.stack, repos: false };
    const request = requestOf(ctx, given, { capability: "workspace.sync", command: "writ sync", ...update });
    const {
      repos: _,
      orphans: __,
      pruned: ___,
      prune_refused: ____,
      repos_kept = 0,
      ...data
    } = await runWorkspace(ctx, request);
    return { ...data, repos_kept };
  },
  render: (data, style) => renderRun(data, style),
});
