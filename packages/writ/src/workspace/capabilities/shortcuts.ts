import * as z from "zod";
import { capability } from "../../contract/index.ts";
import { flagsOf } from "../run/source-flags.ts";
import { sourceInput } from "../run/source-input.ts";

export default capability({
  id: "workspace.shortcuts",
  path: "shortcuts",
  summary: "List the short names under which the registry knows stacks.",
  description:
    "The stack registry is asked for its newest state; when it cannot be reached, the answer comes from the cache and says so. In a workspace its own registry is read.",
  input: z.object({
    registry: z
      .string()
      .max(1000)
      .optional()
      .meta({ env: "WRIT_REGISTRY" })
      .describe("The stack registry: org/repo or a git URL."),
    ...sourceInput,
  }),
  output: () =>
    z.object({
      registry: z.string().describe("The registry that was read."),
      shortcuts: z
        .array(
          z.object({
            shortcut: z.string().describe("What stands in workspace.yml."),
            target: z.string().describe("The repository it means."),
            lazy: z
              .boolean()
              .optional()
              .describe("True when that repository was missing when it was last asked for."),
          }),
        )
        .describe("Sorted by name."),
    }),
  need: { effect: "observe", network: "may", workspace: "optional" },
  narrow: ({ offline }) => (offline ? { network: "never" } : {}),
  errors: [
    "E_INVALID_REGISTRY",
    "E_INVALID_MANIFEST",
    "E_INVALID_SCHEMA",
    "E_SCHEMA_TOO_OLD",
    "E_INVALID_LOCK",
    "E_INVALID_VALUE",
    "E_UNSAFE_PATH",
    "E_UNSAFE_URL",
    "E_REPO_NOT_FOUND",
    "E_REF_NOT_FOUND",
    "E_REF_AMBIGUOUS",
    "E_COMMIT_GONE",
    "E_AUTH_REQUIRED",
    "E_TOOL_MISSING",
    "E_OFFLINE_MISS",
    "E_LIMIT",
    "E_STORE_LOCKED",
    "NETWORK_ERROR",
  ],
  examples: [
    { title: "The shortcuts of this workspace's registry", input: {} },
    { title: "Those of another registry", input: { registry: "acme/agent-stack" } },
  ],
  related: ["templates", "init", "bootstrap"],
  async run(ctx, given) {
    const { listShortcuts } = await import("../init/list-shortcuts.ts");
    const listed = await listShortcuts(ctx, { registry: given.registry, flags: flagsOf(given) });
    if (listed.shortcuts.length > 0) return listed;
    return { ...listed, reason: `The registry ${listed.registry} declares no shortcut.` };
  },
  render: (data, style) =>
    data.shortcuts
      .map(
        ({ shortcut, target, lazy }) =>
          `${style.bold(shortcut.padEnd(20))} ${target}${lazy ? "   (missing)" : ""}`,
      )
      .join("\n") || `none: ${data.reason ?? ""}`,
});
