import { readdirSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as breathe } from "node:timers/promises";
import { fail } from "../contract/index.ts";
import { lstatOrNull } from "./links.ts";

/** One entry below a walked folder; links are reported, never followed. */
export interface Walked {
  /** Relative to the walked folder, with "/" between its parts. */
  path: string;
  kind: "file" | "folder" | "link" | "special";
  sizeBytes: number;
  mode: number;
  modifiedMs: number;
}

/** What a walk leaves out, and how much it may find before it is E_LIMIT. */
export interface WalkOptions {
  /** True leaves an entry out, and all below it. */
  skip?: (path: string) => boolean;
  maxEntries?: number;
}

const looksAtOnce = 200;

/** Lists all below a folder in byte order of the paths; a folder that is not there has no entries. */
export async function walkFolder(root: string, options: WalkOptions = {}): Promise<Walked[]> {
  const { skip = () => false, maxEntries = 1_000_000 } = options;
  const found: Walked[] = [];
  const open = [""];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const name of await namesIn(join(root, folder))) {
      const path = folder === "" ? name : `${folder}/${name}`;
      if (skip(path)) continue;
      const entry = await entryAt(root, path);
      if (!entry) continue;
      found.push(entry);
      if (found.length > maxEntries) throw tooMany(maxEntries);
      // Each look is taken at once, which takes microseconds; whatever else this process does gets its turn in between.
      if (found.length % looksAtOnce === 0) await breathe();
      if (entry.kind === "folder") open.push(path);
    }
  }
  return found.sort((a, b) => compareBytes(a.path, b.path));
}

async function namesIn(folder: string): Promise<string[]> {
  // The walked folder itself may be a link the user chose; below it only what lstat calls a folder gets here.
  if (!(await lstatOrNull(folder))) return [];
  return readdirSync(folder);
}

async function entryAt(root: string, path: string): Promise<Walked | null> {
  const stats = await lstatOrNull(join(root, path));
  if (!stats) return null;
  const kind = stats.isSymbolicLink()
    ? "link"
    : stats.isDirectory()
      ? "folder"
      : stats.isFile()
        ? "file"
        : "special";
  return { path, kind, sizeBytes: stats.size, mode: stats.mode & 0o777, modifiedMs: stats.mtimeMs };
}

/** Orders two texts as their UTF-8 bytes are ordered, which "<" does not do beyond the basic plane. */
export function compareBytes(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return rank(x) - rank(y);
  }
  return a.length - b.length;
}

// Surrogates stand for code points above all others, although their own numbers lie below U+E000.
function rank(unit: number): number {
  if (unit >= 0xe000) return unit - 0x800;
  return unit >= 0xd800 ? unit + 0x2000 : unit;
}

function tooMany(limit: number) {
  return fail("E_LIMIT", {
    message: `A folder holds more than ${limit} files.`,
    cause: "The number of files that Writ looks at is bounded.",
    remediation: "Move what does not belong there to another folder.",
    details: { limit, found: limit + 1 },
  });
}
