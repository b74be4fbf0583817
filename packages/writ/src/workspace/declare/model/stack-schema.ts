import * as z from "zod";
import { parsePath } from "../paths.ts";
import { parseRepo, shortcutPattern } from "../sources.ts";
import { AgentContextSchema } from "./agent-context-schema.ts";
import { branch, checkedText, orgRepo, relativePath, slug, token } from "./text.ts";

const PLACEHOLDER = "{module_name}";

// The prefix may be "addons/" or a part of a name; what it makes with a module must be a path.
const pathPrefix = checkedText(
  (text) => parsePath(`${text}module`),
  "Put before a module's name to make its path. Default addons/.",
);

const repoPattern = checkedText((text) => {
  if (text.split(PLACEHOLDER).length !== 2) {
    return {
      fault: {
        kind: "value",
        message: `repo_pattern must hold ${PLACEHOLDER} exactly once`,
        hint: PLACEHOLDER,
      },
    };
  }
  return parseRepo(`org/${text.replace(PLACEHOLDER, "module")}`);
}, `The repository of a module; holds ${PLACEHOLDER} once. Default ${PLACEHOLDER}.`);

const templatePath = checkedText((text) => {
  const [org = "", repo = "", ...file] = text.split("/");
  const named = parseRepo(`${org}/${repo}`);
  return named.fault ? named : parsePath(file.join("/"));
}, "<org>/<repo>/<file path>");

const StackRepo = z.strictObject({
  name: token("the repository"),
  org: token("the org").optional().describe("Default: the stack's own."),
  branch_default: branch.optional(),
  path: relativePath.optional().describe("Where it is cloned. Default <name>/."),
});

/** awac.yml as it is written. Others write it, so what is unknown there is passed over and listed. */
export const StackSchema = z
  .strictObject({
    product: slug.optional().describe("When set, .stack/<product>/ is written for this stack."),
    scope: z.string().max(200).optional().describe("Shown; has no effect."),
    repos: z.array(StackRepo).max(200).optional().describe("Product repositories."),
    module_convention: z
      .strictObject({
        default_org: token("the org").optional().describe("Default: the stack's org."),
        path_prefix: pathPrefix.optional(),
        branch_default: branch.optional(),
        repo_pattern: repoPattern.optional(),
      })
      .optional()
      .describe("How module names become repositories."),
    shortcuts: z
      .record(z.string().regex(shortcutPattern, "is no shortcut"), orgRepo)
      .optional()
      .describe("Registry: short names for org/repo."),
    templates: z
      .array(
        z.strictObject({
          name: z.string().min(1).max(100),
          path: templatePath,
          description: z.string().max(1000).optional(),
        }),
      )
      .max(200)
      .optional()
      .describe("Registry: starter files for workspace.yml."),
    agent_context: AgentContextSchema.optional().describe("Registry: the default of every workspace."),
    org_scaffold: z.record(z.string(), z.unknown()).optional().describe("Registry: how stacks are seeded."),
  })
  .meta({ title: "awac.yml", description: "What a stack declares besides its assets." });

export type StackFile = z.output<typeof StackSchema>;
