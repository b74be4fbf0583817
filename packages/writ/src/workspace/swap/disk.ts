import { type BigIntStats, lstatSync } from "node:fs";
import { lstat, readlink } from "node:fs/promises";
import { join } from "node:path";
import { hashFile, readOrNull, storeError } from "../../platform/index.ts";
import { linkHash, sha256 } from "./hashes.ts";

// The largest file that is composed, with every line ending made longer.
const heldBytes = 10 * 1024 * 1024;

/** What makes a file count as unread-unchanged: its stat equals the record. */
export interface Fingerprint {
  size: number;
  mtime_ns: string;
  ino: string;
}

/** What stands at a path, without following links. */
export type OnDisk =
  | { kind: "absent" }
  /** Without bytes when its stat is that of the record, or when it is larger than anything Writ composes. */
  | { kind: "file"; hash: string; mode: number; print: Fingerprint; bytes?: Buffer }
  | { kind: "link"; hash: string; target: string; print: Fingerprint }
  | { kind: "folder" }
  | { kind: "special" };

/** What was recorded of a file, and when: a younger file may have changed within one clock tick. */
export interface Recorded extends Fingerprint {
  sha256: string;
  recordedNs: bigint;
}

/** The hash of what stands there, or null when it is nothing that has one. */
export function hashOf(found: OnDisk): string | null {
  return found.kind === "file" || found.kind === "link" ? found.hash : null;
}

/**
 * What stands at a path, if it is nothing or its stat is that of the record; undefined when only a closer look can
 * tell. Asked at once, which takes microseconds: having another thread ask takes twenty times as long.
 */
export function lookQuickly(root: string, path: string, recorded: Recorded | undefined): OnDisk | undefined {
  try {
    // A path that is recorded or composed is plain already.
    const stat = lstatSync(`${root}/${path}`, { bigint: true, throwIfNoEntry: false });
    if (!stat) return { kind: "absent" };
    if (!recorded || !stat.isFile()) return undefined;
    const print = printOf(stat);
    if (!isUnchanged(print, recorded)) return undefined;
    return { kind: "file", hash: recorded.sha256, mode: Number(stat.mode) & 0o777, print };
  } catch {
    return undefined;
  }
}

function printOf(stat: BigIntStats): Fingerprint {
  return { size: Number(stat.size), mtime_ns: String(stat.mtimeNs), ino: String(stat.ino) };
}

/** Looks at one path of the workspace, and reads what stands there. */
export async function look(root: string, path: string): Promise<OnDisk> {
  const target = join(root, path);
  try {
    const stat = await lstat(target, { bigint: true });
    const print = printOf(stat);
    if (stat.isDirectory()) return { kind: "folder" };
    if (stat.isSymbolicLink()) {
      const to = await readlink(target);
      return { kind: "link", hash: linkHash(to), target: to, print };
    }
    if (!stat.isFile()) return { kind: "special" };
    const mode = Number(stat.mode) & 0o777;
    if (print.size > heldBytes) return { kind: "file", hash: await hashFile(target), mode, print };
    const bytes = await readOrNull(target);
    if (!bytes) return { kind: "absent" };
    return { kind: "file", hash: sha256(bytes), mode, print, bytes };
  } catch (error) {
    if (isAbsence(error)) return { kind: "absent" };
    throw storeError(error, path);
  }
}

function isUnchanged(print: Fingerprint, recorded: Recorded): boolean {
  return (
    print.size === recorded.size &&
    print.mtime_ns === recorded.mtime_ns &&
    print.ino === recorded.ino &&
    BigInt(print.mtime_ns) < recorded.recordedNs
  );
}

function isAbsence(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === "ENOENT" || code === "ENOTDIR";
}
