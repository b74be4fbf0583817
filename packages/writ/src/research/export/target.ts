import { readlink, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { type Context, fail } from "../../contract/index.ts";
import { makeFolder, storing } from "../../platform/index.ts";
import { rootOf } from "../library/use.ts";

/** A folder to write into. */
export interface Target {
  /** Absolute; links are resolved. */
  folder: string;
  /** As it is shown: relative to the workspace where it lies inside. */
  shown: string;
  /** Whether it is the library's own folder for that, also where somebody named it. */
  isUsual: boolean;
}

/** More links than these, one leading to the next, are a ring. */
const mostLinks = 40;

/**
 * Where a verb writes: the folder the caller named, else the default. Only the local user may name one outside the
 * workspace; links are followed before that is judged. Makes nothing. Throws E_UNSAFE_PATH.
 */
export async function targetFolder(ctx: Context, given: string | undefined, usual: string): Promise<Target> {
  const root = await realpath(rootOf(ctx));
  const own = await resolved(usual);
  const folder = given === undefined ? own : await resolved(resolve(ctx.base, given));
  const inside = folder === root || folder.startsWith(root + sep);
  if (!inside && !ctx.local) throw unsafe(given ?? usual);
  return { folder, shown: shownPath(root, folder), isUsual: folder === own };
}

/** Makes the folder, parents too. */
export function makeTarget({ folder, shown }: Target): Promise<void> {
  return storing(shown, async () => void (await makeFolder(folder)));
}

/** A path as answers show it: relative to the workspace where it lies inside. */
export function shownPath(root: string, path: string): string {
  const inside = relative(root, path);
  return inside === ""
    ? "."
    : inside.startsWith("..") || isAbsolute(inside)
      ? path
      : inside.split(sep).join("/");
}

/** Links resolved as far as the path exists; of one that leads to nothing, where it would lead. */
async function resolved(path: string, links = 0): Promise<string> {
  const real = await realpath(path).catch(() => undefined);
  if (real !== undefined || dirname(path) === path) return real ?? path;
  const folder = await resolved(dirname(path), links);
  const leads = await readlink(path).catch(() => undefined);
  if (leads === undefined) return join(folder, basename(path));
  if (links === mostLinks) throw unsafe(path);
  return resolved(resolve(folder, leads), links + 1);
}

function unsafe(path: string) {
  return fail("E_UNSAFE_PATH", {
    message: `"${path}" lies outside the workspace.`,
    cause: "Only the person at this machine's terminal may name a folder outside the workspace.",
    remediation: "Name a folder inside the workspace, or leave the option out.",
    details: { path },
  });
}
