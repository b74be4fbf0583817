import { capability } from "../../contract/index.ts";
import { flagsOf } from "../run/source-flags.ts";
import { sourceErrors } from "../run/source-errors.ts";
import { renderStatus } from "../status/status-render.ts";

export default capability({
  id: "workspace.status",
  path: "status",
  summary: "Show where stacks, repositories and files stand.",
  description:
    "Compares the disk with what was composed last, and the lock with the refs seen last. Writes nothing, and asks nobody without --fetch.",
  input: async () => (await import("../status/status-input.ts")).statusInput,
  output: async () => (await import("../status/status-schema.ts")).statusOutput,
  need: { effect: "observe", network: "may", workspace: "required" },
  narrow: ({ fetch, offline }) => (fetch && !offline ? {} : { network: "never" }),
  errors: [...sourceErrors, "E_DRIFT", "E_UNSAFE_LINK"],
  examples: [
    { title: "Without network", input: {} },
    { title: "In CI: fail when anything differs", input: { fetch: true, exit_code: true } },
  ],
  related: ["diff", "bootstrap", "sync", "doctor"],
  async run(ctx, given) {
    const { workspaceStatus } = await import("../status/status.ts");
    return workspaceStatus(ctx, {
      fetch: given.fetch && !given.offline && !ctx.settings.isOn("WRIT_OFFLINE"),
      exitCode: given.exit_code,
      flags: flagsOf(given),
    });
  },
  render: (data, style) => renderStatus(data, style),
});
