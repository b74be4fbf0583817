import { dirname, isAbsolute, relative, resolve } from "node:path";
import { type Context, fail } from "../contract/index.ts";
import { lstatOrNull } from "../platform/index.ts";

type Place = Pick<Context, "base" | "local" | "workspace">;

/** Where a file that the caller names lies; refuses one outside the workspace, unless the caller is local. */
export function ownFile(ctx: Place, path: string): string {
  const whole = resolve(ctx.base, path);
  const inside = relative(ctx.workspace?.root ?? ctx.base, whole);
  if (ctx.local || (!inside.startsWith("..") && !isAbsolute(inside))) return whole;
  throw fail("E_UNSAFE_PATH", {
    message: `${path} leads outside the workspace.`,
    cause: "A caller that is not at this machine's terminal may name files of the workspace only.",
    remediation: "Name a file relative to the workspace's root.",
  });
}

/** The same for a file that will be written: its folder must be there. */
export async function ownOutput(ctx: Place, path: string): Promise<string> {
  const whole = ownFile(ctx, path);
  if (await lstatOrNull(dirname(whole))) return whole;
  throw fail("E_NOT_FOUND", {
    message: `There is no folder for ${path}.`,
    cause: `${dirname(path)} does not exist.`,
    remediation: `Make it first: mkdir -p ${dirname(path)}`,
  });
}
