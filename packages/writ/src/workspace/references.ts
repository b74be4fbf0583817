import { type Context, fail, type ReferenceKind, type Resolved } from "../contract/index.ts";

/** The kinds of reference that the workspace owns, each resolved by a file of its own that is loaded when it is asked. */
export const workspaceReferences: ReferenceKind[] = [
  kind("file", async (ctx, name) => (await import("./explain/file.ts")).explainFile(inWorkspace(ctx), name)),
  kind("stack", async (ctx, name) =>
    (await import("./explain/stack.ts")).explainStack(inWorkspace(ctx), name),
  ),
  kind("repo", async (ctx, name) => (await import("./explain/repo.ts")).explainRepo(inWorkspace(ctx), name)),
  kind("setting", async (ctx, name) => (await import("./explain/setting.ts")).explainSetting(ctx, name)),
  kind("commit", async (ctx, name) =>
    (await import("./explain/commit.ts")).explainCommit(inWorkspace(ctx), name),
  ),
];

function kind(name: string, resolve: (ctx: Context, name: string) => Promise<object>): ReferenceKind {
  return { kind: name, resolve: async (ctx, of) => ({ ...(await resolve(ctx, of)) }) satisfies Resolved };
}

/** What only a workspace has is not found outside of one, and the error says where one was looked for. */
function inWorkspace(ctx: Context): Context {
  if (ctx.workspace) return ctx;
  throw fail("E_NO_WORKSPACE", {
    message: "There is no workspace here that this reference could be of.",
    cause: "No workspace.yml stands in the folder or above it.",
    remediation: "Make one with writ init NAME, or name one with --workspace DIR.",
    details: { searched_from: ctx.base },
  });
}
