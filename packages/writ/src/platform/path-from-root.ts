import { lstatSync } from "node:fs";
import { isAbsolute, join, relative, resolve, sep } from "node:path";

/** Where a call is made: the folder of the caller, and the workspace it is about. */
export interface CalledFrom {
  base: string;
  workspace?: { root: string };
}

/** A path of the workspace as it was named, and whether anything is there. */
export interface NamedPath {
  path: string;
  found: boolean;
}

/**
 * A path that somebody typed, relative to the workspace's root and with `/`: like git, what is typed is relative to the
 * folder one stands in. What is not there and is at the root is meant there: so commands that Writ itself shows, with
 * paths of the workspace, can be pasted in any of its folders.
 *
 * A caller outside of the workspace means the root's. A path that leads out of the workspace stays as it was typed;
 * whether it is one is the caller's to check.
 */
export function pathFromRoot({ base, workspace }: CalledFrom, typed: string): NamedPath {
  const root = workspace?.root ?? base;
  const asTyped = { path: typed, found: isThere(join(root, typed)) };
  if (!isAbsolute(typed) && (base === root || leadsOut(relative(root, base)))) return asTyped;
  const path = relative(root, resolve(base, typed)).split(sep).join("/");
  if (leadsOut(path)) return isAbsolute(typed) ? { path: typed, found: false } : asTyped;
  const here = { path: path === "" ? "." : path, found: isThere(join(root, path)) };
  return here.found || !asTyped.found || isAbsolute(typed) ? here : asTyped;
}

function leadsOut(path: string): boolean {
  return path === ".." || path.startsWith(`..${sep}`) || path.startsWith("../") || isAbsolute(path);
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // A folder that may not be entered, or a name no system has.
    return false;
  }
}
