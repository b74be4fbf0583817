import { isAbsolute, relative, resolve } from "node:path";
import { type Context, fail } from "../contract/index.ts";

/** Refuses a file outside the workspace, unless the caller is at this machine's terminal. */
export function requireOwnFile(ctx: Pick<Context, "base" | "local" | "workspace">, path: string): void {
  if (ctx.local) return;
  const inside = relative(ctx.workspace?.root ?? ctx.base, resolve(ctx.base, path));
  if (!inside.startsWith("..") && !isAbsolute(inside)) return;
  throw fail("E_UNSAFE_PATH", {
    message: `${path} leads outside the workspace.`,
    cause: "A caller that is not at this machine's terminal may write into the workspace only.",
    remediation: "Name a file relative to the workspace's root.",
  });
}
