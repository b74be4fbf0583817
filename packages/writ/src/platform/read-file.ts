import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, read, readSync } from "node:fs";
import { open } from "node:fs/promises";
import { basename } from "node:path";
import { promisify } from "node:util";
import { fail } from "../contract/index.ts";
import { unsafeLink } from "./links.ts";
import { errnoOf } from "./store-error.ts";

/** How much is read, and the name that an error may show in place of the path. */
export interface ReadOptions {
  maxBytes?: number;
  /** Default: the file's own name. */
  label?: string;
}

/**
 * Reads a regular file whole, or answers null when nothing is there.
 *
 * More than `maxBytes` is E_LIMIT, found without reading further; a pipe or device is refused, never waited for.
 */
export async function readOrNull(path: string, options: number | ReadOptions = {}): Promise<Buffer | null> {
  const { maxBytes = Number.POSITIVE_INFINITY, label = basename(path) } =
    typeof options === "number" ? { maxBytes: options } : options;
  // Small files are read at once: having another thread open, ask, read and close takes twenty times as long.
  const file = openOrNull(path);
  if (file === null) return null;
  try {
    const stats = fstatSync(file);
    if (stats.isDirectory()) throw Object.assign(new Error("a folder"), { code: "EISDIR" });
    if (!stats.isFile()) throw unsafeLink(label, "a special file");
    if (stats.size > maxBytes) throw tooLarge(label, maxBytes, stats.size);
    const bytes = await readUpTo(file, stats.size, maxBytes);
    if (bytes.length > maxBytes) throw tooLarge(label, maxBytes, bytes.length);
    return bytes;
  } finally {
    closeSync(file);
  }
}

function openOrNull(path: string): number | null {
  try {
    // Without O_NONBLOCK, opening a pipe that has no writer would never return.
    return openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(errnoOf(error) ?? "")) return null;
    throw error;
  }
}

const atOnceBytes = 64 * 1024;
const readLater = promisify(read);

// A file may grow between stat and read, and some tell no size, so the bound is held while reading as well.
async function readUpTo(file: number, size: number, maxBytes: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (let total = 0; total <= maxBytes; ) {
    // The first read asks for one byte more than there should be, and so finds the end as well.
    const wanted = total === 0 && size > 0 ? size + 1 : atOnceBytes;
    const part = Buffer.allocUnsafe(Math.min(wanted, maxBytes + 1 - total));
    const bytesRead =
      part.length <= atOnceBytes
        ? readSync(file, part, 0, part.length, null)
        : (await readLater(file, part, 0, part.length, null)).bytesRead;
    parts.push(part.subarray(0, bytesRead));
    total += bytesRead;
    if (bytesRead === 0 || total === size) break;
  }
  return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
}

/** The error for a file of which no more than `limit` bytes are read. */
export function tooLarge(label: string, limit: number, found: number) {
  return fail("E_LIMIT", {
    message: `"${label}" is too large: ${found} bytes, and at most ${limit} are read.`,
    cause: "The size of what Writ reads is bounded.",
    remediation: "Make the file smaller, or split it.",
    details: { limit, found, path: label },
  });
}

/**
 * The SHA-256 of a file of any size, in hexadecimal; only a part of it is in memory at a time. A pipe or device is
 * refused.
 */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = await file.stat();
    if (!stats.isFile() && !stats.isDirectory()) throw unsafeLink(basename(path), "a special file");
    const part = Buffer.allocUnsafe(1024 * 1024);
    for (;;) {
      const { bytesRead } = await file.read(part, 0, part.length, null);
      if (bytesRead === 0) return hash.digest("hex");
      hash.update(part.subarray(0, bytesRead));
    }
  } finally {
    await file.close();
  }
}
