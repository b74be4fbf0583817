import * as z from "zod";
import { capability } from "../../contract/index.ts";
import { flagsOf } from "../run/source-flags.ts";
import { sourceInput } from "../run/source-input.ts";

const names = z.array(z.string());

export default capability({
  id: "workspace.templates",
  path: "templates",
  summary: "List the templates a workspace can be made of.",
  description:
    "Those of the stack registry, asked for its newest state, and those that ship with Writ. When the registry cannot be reached, the answer comes from the cache and says so.",
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
      registry: z.string().optional().describe("The registry that was read; absent when none could be."),
      templates: z
        .array(
          z.object({
            name: z.string(),
            description: z.string(),
            path: z.string().describe("Where it stands: org/repo/file, or its file in Writ's own package."),
            builtin: z.boolean().describe("True for those that ship with Writ."),
            requires_confirmation: z
              .boolean()
              .describe("True when init needs --yes for it: it would clone, or nobody knows."),
            composes_stacks: names.describe("Stacks it composes."),
            clones_repos: names.describe("Repositories it clones."),
            embeds_in_product_flow: z
              .union([z.boolean(), z.string()])
              .optional()
              .describe("Whether it belongs to a product's flow."),
            available: z.boolean().describe("False for one that cannot be read."),
            reason: z.string().optional().describe("Why it cannot be read."),
          }),
        )
        .describe("The registry's in its own order, then the built-in ones."),
    }),
  need: { effect: "observe", network: "may", workspace: "none" },
  narrow: ({ offline }) => (offline ? { network: "never" } : {}),
  errors: [
    "E_INVALID_REGISTRY",
    "E_INVALID_VALUE",
    "E_UNSAFE_URL",
    "E_REPO_NOT_FOUND",
    "E_AUTH_REQUIRED",
    "E_TOOL_MISSING",
    "E_OFFLINE_MISS",
    "E_LIMIT",
    "E_STORE_LOCKED",
    "NETWORK_ERROR",
  ],
  examples: [
    { title: "All templates", input: {} },
    { title: "Those of another registry", input: { registry: "acme/agent-stack" } },
    { title: "What the cache knows, without network", input: { offline: true } },
  ],
  related: ["init", "shortcuts"],
  async run(ctx, given) {
    const { listTemplates } = await import("../init/list-templates.ts");
    return listTemplates(ctx, { registry: given.registry, flags: flagsOf(given) });
  },
  render: (data, style) =>
    data.templates
      .map(({ name, description, requires_confirmation, available, reason }) => {
        const mark = available
          ? requires_confirmation
            ? style.yellow("needs --yes")
            : ""
          : style.red(`cannot be read: ${reason ?? ""}`);
        return `${style.bold(name.padEnd(20))} ${[description, mark].filter((part) => part !== "").join("   ")}`;
      })
      .join("\n"),
});
