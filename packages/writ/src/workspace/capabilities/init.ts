import * as z from "zod";
import { capability } from "../../contract/index.ts";
import { initFiles } from "../init/init-store.ts";
import { sourceErrors } from "../run/source-errors.ts";
import { flagsOf } from "../run/source-flags.ts";
import { sourceInput } from "../run/source-input.ts";

export default capability({
  id: "workspace.init",
  path: "init",
  summary: "Make a workspace: write its workspace.yml from a template.",
  description:
    "It clones nothing and never overwrites a workspace.yml. A template whose workspace would clone repositories, or of which that cannot be found out, needs a person's word (--yes). Templates named writ/… ship with Writ and need no network. On failure no folder is left behind.",
  input: z.object({
    // Optional here, so that its absence is answered with the pattern and the templates there are.
    name: z
      .string()
      .optional()
      .meta({ positional: 0 })
      .describe(
        "The workspace's name, required: lower-case letters, digits and single hyphens. A dot takes the folder's own name.",
      ),
    template: z
      .string()
      .max(200)
      .optional()
      .describe(
        "A template of the registry, or writ/blank, writ/team, writ/research, writ/example. Default: blank.",
      ),
    target: z
      .string()
      .min(1)
      .max(4096)
      .optional()
      .meta({ local_path: true })
      .describe("The folder to use or create. Default: ./NAME, or the current folder for a dot."),
    registry: z
      .string()
      .max(1000)
      .optional()
      .meta({ env: "WRIT_REGISTRY" })
      .describe("The stack registry: org/repo or a git URL."),
    yes: z
      .boolean()
      .default(false)
      .describe("Accept a template that clones repositories; ask the person first."),
    ...sourceInput,
  }),
  output: () =>
    z.object({
      file: z.string().describe("The file that declares the workspace, relative to its root."),
      name: z.string().describe("The workspace's name."),
      template: z
        .object({
          name: z.string(),
          repo: z.string().optional().describe("The repository it came from; absent for a built-in one."),
          commit: z.string().optional(),
          path: z.string().optional().describe("Its path in that repository."),
        })
        .describe("What it was made of."),
      confirmed: z.boolean().describe("True when a person's word was needed and given."),
      research: z
        .object({
          library: z.string().describe("Its research library, relative to the root."),
          schema_version: z.string(),
        })
        .optional()
        .describe("With writ/research: what was made for research."),
    }),
  need: { effect: "local", network: "may", workspace: "creates" },
  narrow: ({ offline, template }) =>
    offline || template?.startsWith("writ/") || template === "research" ? { network: "never" } : {},
  commits: initFiles,
  errors: [
    ...sourceErrors,
    "E_MISSING_INPUT",
    "E_INVALID_NAME",
    "E_INVALID_VALUE",
    "E_UNKNOWN_TEMPLATE",
    "E_CONFIRMATION_REQUIRED",
    "E_EXISTS",
    "E_UNSAFE_LINK",
  ],
  examples: [
    { title: "An empty workspace in ./my-feature", input: { name: "my-feature" } },
    { title: "The example, offline", input: { name: "demo", template: "writ/example" } },
    {
      title: "In the current folder, from a template of your registry",
      input: { name: ".", template: "feature", registry: "acme/agent-stack" },
    },
  ],
  related: ["templates", "bootstrap", "shortcuts"],
  async run(ctx, given) {
    const { initWorkspace } = await import("../init/init.ts");
    const { name, template, target, registry, yes } = given;
    return initWorkspace(ctx, { name, template, target, registry, yes, flags: flagsOf(given) });
  },
  render(data, style) {
    if (data.changed === false) return `${style.green("ok")}  ${data.reason ?? "Nothing changed."}`;
    const lines = [
      `${style.bold("Workspace")}  ${data.name}   ${data.file}`,
      `${style.bold("Template")}   ${data.template.name}${data.template.repo ? `   ${data.template.repo}` : ""}`,
      // What comes next needs the workspace, which a dry run does not make.
      ...(data.dry_run
        ? []
        : (data.next ?? []).map((line, at) => `${style.bold((at === 0 ? "Next" : "").padEnd(9))}  ${line}`)),
    ];
    return lines.join("\n");
  },
});
