import { readlink } from "node:fs/promises";
import { join } from "node:path";
import { dirname, normalize } from "node:path/posix";
import { setImmediate as breathe } from "node:timers/promises";
import { inParallel, inspectTarget, lstatOrNull, unsafeLink } from "../../platform/index.ts";
import { recordedOf, type AppliedFile } from "./applied.ts";
import { look, lookQuickly, type OnDisk } from "./disk.ts";

// Enough to keep the disk busy, few enough for the usual limit on open files.
const readsAtOnce = 64;
// So many take a millisecond; whatever else this process does gets its turn in between.
const quickLooks = 200;

export interface Scan {
  root: string;
  recorded: ReadonlyMap<string, AppliedFile>;
  recordedNs: bigint;
}

/**
 * Looks at many paths of the workspace. A parent that is a link is refused where something would be written,
 * and else hides what is behind it: nothing there is Writ's.
 */
export async function scan(
  { root, recorded, recordedNs }: Scan,
  paths: readonly string[],
  written: ReadonlySet<string>,
): Promise<Map<string, OnDisk>> {
  const linkAbove = await linksAbove(root, paths);
  const found = new Map<string, OnDisk>(paths.map((path) => [path, { kind: "absent" }]));
  const toRead: string[] = [];
  for (const [index, path] of paths.entries()) {
    if (index % quickLooks === quickLooks - 1) await breathe();
    const link = linkAbove(path);
    if (link !== undefined && written.has(path)) throw unsafeLink(link, "a symbolic link");
    if (link !== undefined) continue;
    const file = recorded.get(path);
    const quick = lookQuickly(root, path, file && recordedOf(file, recordedNs));
    if (quick) found.set(path, quick);
    else toRead.push(path);
  }
  await inParallel(toRead, readsAtOnce, async (path) => void found.set(path, await look(root, path)));
  return found;
}

/** Finds, for a path, the highest of its parents that is a link; each folder is looked at once. */
async function linksAbove(
  root: string,
  paths: readonly string[],
): Promise<(path: string) => string | undefined> {
  const folders = new Set<string>();
  for (const path of paths) {
    for (let folder = dirname(path); folder !== "." && !folders.has(folder); folder = dirname(folder))
      folders.add(folder);
  }
  const links = new Set<string>();
  for (const folder of folders) {
    const stat = await lstatOrNull(join(root, folder)).catch(() => null);
    if (stat?.isSymbolicLink()) links.add(folder);
  }
  if (links.size === 0) return () => undefined;
  return (path) => {
    let highest: string | undefined;
    for (let folder = dirname(path); folder !== "."; folder = dirname(folder))
      if (links.has(folder)) highest = folder;
    return highest;
  };
}

/** Refuses a place of the workspace that is a link or a special file, or lies behind one. */
export async function requirePlainPlaces(root: string, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const target = await inspectTarget(root, path);
    if (target.kind === "link") throw unsafeLink(path, "a symbolic link");
    if (target.kind === "special") throw unsafeLink(path, "a special file");
  }
}

/** The context files that are relative links to another context file of the workspace. */
export async function linkedContextFiles(root: string, paths: readonly string[]): Promise<Set<string>> {
  const linked = new Set<string>();
  for (const path of paths) {
    const target = await inspectTarget(root, path);
    if (target.kind === "special") throw unsafeLink(path, "a special file");
    if (target.kind !== "link") continue;
    const to = await readlink(join(root, path));
    const leads = to.startsWith("/") ? "" : normalize(`${dirname(path)}/${to}`);
    if (!paths.includes(leads) || leads === path) throw unsafeLink(path, "a symbolic link");
    linked.add(path);
  }
  return linked;
}
