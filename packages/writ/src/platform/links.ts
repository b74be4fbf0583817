import { lstatSync, type Stats } from "node:fs";
import { mkdtemp, readlink, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { fail, type WritError } from "../contract/index.ts";
import { errnoOf, quote, storing } from "./store-error.ts";

/** What stands at a path whose parents are all plain folders. */
export type Target =
  | { kind: "absent" }
  | { kind: "file" | "folder"; stats: Stats }
  /** `to` is what the link says, not where it leads. */
  | { kind: "link"; to: string }
  /** A socket, a device, a pipe. */
  | { kind: "special" }
  /** A file stands where a folder of the path must be. */
  | { kind: "blocked"; by: string };

/**
 * What `lstat` says of a path, or null when nothing is there; never follows a link at its end. The system is asked
 * at once: it knows within microseconds, and having another thread ask takes twenty times as long.
 */
export async function lstatOrNull(path: string): Promise<Stats | null> {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ?? null;
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(errnoOf(error) ?? "")) return null;
    throw error;
  }
}

/**
 * Looks at a path below a root, segment by segment, following nothing.
 *
 * A link in a parent is E_UNSAFE_LINK, a path that leads out of the root E_UNSAFE_PATH, and a folder that may not be
 * entered STORE_ERROR. What stands at the end is the caller's to judge: some links there are Writ's own.
 */
export async function inspectTarget(root: string, relative: string): Promise<Target> {
  const segments = segmentsOf(relative);
  for (let i = 1; i < segments.length; i++) {
    const parent = segments.slice(0, i).join("/");
    const stats = await storing(parent, () => lstatOrNull(join(root, parent)));
    if (!stats) return { kind: "absent" };
    if (stats.isSymbolicLink()) throw unsafeLink(parent, "a symbolic link");
    if (!stats.isDirectory()) return { kind: "blocked", by: parent };
  }
  const path = join(root, relative);
  const stats = await storing(relative, () => lstatOrNull(path));
  if (!stats) return { kind: "absent" };
  if (stats.isSymbolicLink()) return { kind: "link", to: await readlink(path) };
  if (stats.isDirectory()) return { kind: "folder", stats };
  return stats.isFile() ? { kind: "file", stats } : { kind: "special" };
}

/** Refuses, with E_UNSAFE_LINK, a link in any parent of the path and a link or special file at its end. */
export async function requireNoLinks(root: string, relative: string): Promise<void> {
  const target = await inspectTarget(root, relative);
  if (target.kind === "link") throw unsafeLink(relative, "a symbolic link");
  if (target.kind === "special") throw unsafeLink(relative, "a special file");
}

function segmentsOf(relative: string): string[] {
  const segments = relative.split("/");
  const windows = process.platform === "win32" && /[\\:]/.test(relative);
  if (windows || relative.includes("\0") || segments.some((s) => s === "" || s === "." || s === "..")) {
    throw fail("E_UNSAFE_PATH", {
      message: `The path ${JSON.stringify(relative)} is not a plain path below the workspace.`,
      cause: "It is absolute, or has an empty, dot or dot-dot segment.",
      remediation: "Name a path below the workspace, with / between its parts.",
      details: { path: relative },
    });
  }
  return segments;
}

/**
 * Whether links can be made in a folder: not on some file systems, and on Windows not for everybody. Makes one and
 * takes it away again; `make` is what the system offers for it.
 */
export async function allowsLinks(folder: string, make: typeof symlink = symlink): Promise<boolean> {
  const probe = await mkdtemp(join(folder, ".links-"));
  try {
    await make("nowhere", join(probe, "link"));
    return true;
  } catch (error) {
    if (["EPERM", "EACCES", "ENOSYS", "ENOTSUP", "EOPNOTSUPP"].includes(errnoOf(error) ?? "")) return false;
    throw error;
  } finally {
    await rm(probe, { recursive: true, force: true });
  }
}

/** The error for a link or special file where Writ would write. */
export function unsafeLink(relative: string, kind: "a symbolic link" | "a special file"): WritError {
  return fail("E_UNSAFE_LINK", {
    message: `Writ does not write through "${relative}".`,
    cause: `It is ${kind}, and writing there could change a file outside the workspace.`,
    remediation: `Look at it, then move it away and run the command again: ls -ld ${quote(relative)}`,
    details: { path: relative },
  });
}
