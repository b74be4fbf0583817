import { realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, relative, resolve } from "node:path";
import { fail, type Context } from "../../contract/index.ts";
import { lstatOrNull } from "../../platform/index.ts";
import { isStyledName, NAME_MAX, namePattern } from "../declare/model/text.ts";

/** The name and the folder of a workspace to be. */
export interface InitTarget {
  name: string;
  /** Absolute path. */
  root: string;
}

/** Checks the name, then says which folder is meant; `.` takes the folder's own name. */
export async function targetOf(
  ctx: Pick<Context, "base" | "local">,
  given: { name: string; target?: string },
): Promise<InitTarget> {
  const isHere = given.name === ".";
  if (!isHere) requireName(given.name, given.name);
  const root = resolve(ctx.base, given.target ?? (isHere ? "." : given.name));
  const name = isHere ? basename(root) : given.name;
  if (isHere) requireName(name, ".");
  if (!ctx.local) await requireInside(root, ctx.base);
  return { name, root };
}

function requireName(name: string, given: string): void {
  if (isStyledName(name)) return;
  const suggestion = styledName(name);
  throw fail("E_INVALID_NAME", {
    message:
      given === "."
        ? `The folder's name "${name.slice(0, 80)}" cannot name a workspace.`
        : `"${name.slice(0, 80)}" cannot name a workspace.`,
    cause: `A name is at most ${NAME_MAX} lower-case letters, digits and single hyphens, and begins with a letter: ${namePattern.source}`,
    remediation: `Use such a name: writ init ${suggestion}`,
    details: { name: name.slice(0, 80), pattern: namePattern.source, max_length: NAME_MAX, suggestion },
  });
}

/** The nearest name that would be accepted. */
export function styledName(text: string): string {
  const words = text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}/gu, "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^[^a-z]+/, "")
    .slice(0, NAME_MAX)
    .replace(/-+$/, "");
  return words === "" ? "my-workspace" : words;
}

/** A caller that is not at this machine's terminal stays below the folder that is served, links followed. */
async function requireInside(root: string, base: string): Promise<void> {
  const [there, served] = [await realPlace(root), await realpath(base)];
  const inside = relative(served, there);
  if (!inside.startsWith("..") && !isAbsolute(inside)) return;
  throw fail("E_UNSAFE_PATH", {
    message: "The target leads out of the folder that is served.",
    cause: "A caller over HTTP or MCP may make workspaces below the served folder only.",
    remediation: "Give a target below it, or run it at that machine's terminal: writ init NAME --target DIR",
    details: { input: "target", reason: "outside" },
  });
}

async function realPlace(path: string): Promise<string> {
  const missing: string[] = [];
  let folder = path;
  while (!(await lstatOrNull(folder)) && dirname(folder) !== folder) {
    missing.unshift(basename(folder));
    folder = dirname(folder);
  }
  return resolve(await realpath(folder), ...missing);
}
