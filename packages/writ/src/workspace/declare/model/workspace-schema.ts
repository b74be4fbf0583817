import * as z from "zod";
import { parseLocalFolder } from "../paths.ts";
import { parseSourceAtRef } from "../sources.ts";
import { AgentContextSchema } from "./agent-context-schema.ts";
import {
  branch,
  checkedText,
  commit,
  namedText,
  relativePath,
  slug,
  sourceText,
  tag,
  token,
} from "./text.ts";

const names = (what: string) => z.array(token(what)).max(200);

const pins = {
  branch: branch.optional(),
  tag: tag.optional(),
  commit: commit.optional(),
};

const choice = {
  include: names("a repository").optional().describe("Only these of the stack's repositories."),
  exclude: names("a repository").optional().describe("All of the stack's repositories but these."),
  capabilities_only: z.boolean().optional().describe("true: none of the stack's repositories."),
  modules: names("a module").optional().describe("Modules to clone by the stack's own convention."),
};

/** The forms of a stack entry; the order settles which form a hopeless entry is measured against. */
const stackForms = {
  text: checkedText(
    (text) => parseSourceAtRef(text, { allowFile: true }),
    "A shortcut, org/repo, either with @ref (writ/1), or a git URL (writ/1).",
  ),
  ref: z.strictObject({
    ref: namedText,
    branch: branch.optional(),
  }),
  org: z.strictObject({
    org: token("the org").describe("A shortcut when it is registered and name is absent, else an org."),
    name: token("the repository").optional().describe("The stack's repository. Default agent-stack."),
    branch: branch.optional(),
    ...choice,
  }),
  stack: z.strictObject({
    stack: sourceText.describe("A shortcut, org/repo or a git URL."),
    ...pins,
    ...choice,
  }),
  path: z.strictObject({
    path: checkedText(parseLocalFolder, "A local folder, relative to the root; it is only read."),
    ...choice,
  }),
};

export const StackEntrySchema = z.union([
  stackForms.text,
  stackForms.ref,
  stackForms.org,
  stackForms.stack,
  stackForms.path,
]);

const ExtraRepo = z.strictObject({
  org: token("the org"),
  repo: token("the repository"),
  branch: branch.optional(),
  path: relativePath.optional().describe("Where it is cloned. Default <repo>/."),
  mode: z.enum(["clone", "sparse", "submodule"]).optional().describe("Default clone."),
  sparse_paths: z.array(relativePath).min(1).max(100).optional().describe("What a sparse clone checks out."),
});

const Overlay = z.strictObject({
  org: token("the org"),
  repo: token("the repository"),
  branch: branch.optional(),
  path_in_repo: relativePath.optional().describe("The folder that holds rules/, skills/ and the like."),
});

const RegistryChoice = z.union([
  sourceText,
  z.strictObject({ source: sourceText.describe("org/repo or a git URL."), ...pins }),
]);

// Another part fills each slot; here any mapping or list is right, and a scalar is not.
const slot = z
  .union([z.record(z.string(), z.unknown()), z.array(z.unknown())])
  .optional()
  .describe("Content of another part of Writ. Since writ/1.");

/** workspace.yml as it is written; the schema that is published is this object. */
export const WorkspaceSchema = z
  .strictObject({
    name: z
      .string()
      .min(1)
      .max(100)
      .regex(/^[^\u0000-\u001f\u007f-\u009f]*$/, "holds a control character")
      .describe("The workspace's name. Under writ/1: lower case, digits and single hyphens, at most 63."),
    schema: z
      .enum(["awac/1", "awac/2", "workspace/1", "writ/1"])
      .optional()
      .describe("The format of this file. Default awac/1."),
    stacks: z
      .array(StackEntrySchema)
      .max(64)
      .optional()
      .describe("Stacks, lowest layer first. At least one, except under writ/1."),
    modules: names("a module")
      .optional()
      .describe("Modules to clone by the one convention the stacks declare."),
    extra_repos: z.array(ExtraRepo).max(200).optional().describe("Repositories no stack declares."),
    private_overlay: Overlay.optional().describe("A layer above all stacks that stays on this machine."),
    agent_context: AgentContextSchema.optional().describe("Which context files are written."),
    worktrees: z
      .strictObject({
        base_dir: relativePath.optional().describe("Default .worktrees."),
        auto_sync_on_create: z.boolean().optional().describe("Compose a new worktree at once. Default true."),
      })
      .optional()
      .describe("Where more agents get a workspace of their own."),
    workspace_repo: z
      .strictObject({
        enabled: z.boolean().optional().describe("Commit the declaration and the lock. Default false."),
        org: token("the org").optional(),
        name: token("the repository").optional(),
        visibility: z.enum(["private", "internal", "public"]).optional().describe("Default private."),
      })
      .optional()
      .describe("The git repository of the workspace itself."),
    product: slug.optional().describe("The product that operations are about."),
    deploy_overrides: z
      .record(z.string(), z.record(z.string(), z.unknown()))
      .optional()
      .describe("Component name to the fields it overrides. Since awac/2."),
    devvault_overrides: z
      .record(z.string(), relativePath)
      .optional()
      .describe("Logical name to a relative path. Since awac/2."),
    registry: RegistryChoice.optional().describe("The stack that holds shortcuts. Since writ/1."),
    agents: slot,
    brokers: slot,
    research: slot,
    reasoning: slot,
    profiles: slot,
    notify: z
      .array(z.string())
      .min(1)
      .max(32)
      .optional()
      .describe("A command and its arguments, run when something waits for a person. Since writ/1."),
  })
  .meta({ title: "workspace.yml", description: "The declaration of a workspace." });

export type WorkspaceFile = z.output<typeof WorkspaceSchema>;
