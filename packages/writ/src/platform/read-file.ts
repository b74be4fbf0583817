import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import { basename } from "node:path";
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
  const file = await openOrNull(path);
  if (!file) return null;
  try {
    const stats = await file.stat();
    if (stats.isDirectory()) throw Object.assign(new Error("a folder"), { code: "EISDIR" });
    if (!stats.isFile()) throw unsafeLink(label, "a special file");
    if (stats.size > maxBytes) throw tooLarge(label, maxBytes, stats.size);
    const bytes = await readUpTo(file, maxBytes);
    if (bytes.length > maxBytes) throw tooLarge(label, maxBytes, bytes.length);
    return bytes;
  } finally {
    await file.close();
  }
}

async function openOrNull(path: string): Promise<FileHandle | null> {
  try {
    // Without O_NONBLOCK, opening a pipe that has no writer would never return.
    return await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(errnoOf(error) ?? "")) return null;
    throw error;
  }
}

// A file may grow between stat and read, so the bound is held while reading as well.
async function readUpTo(file: FileHandle, maxBytes: number): Promise<Buffer> {
  if (maxBytes === Number.POSITIVE_INFINITY) return file.readFile();
  const parts: Buffer[] = [];
  for (let total = 0; total <= maxBytes; ) {
    const part = Buffer.allocUnsafe(Math.min(64 * 1024, maxBytes + 1 - total));
    const { bytesRead } = await file.read(part, 0, part.length, null);
    if (bytesRead === 0) break;
    parts.push(part.subarray(0, bytesRead));
    total += bytesRead;
  }
  return Buffer.concat(parts);
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

/** The SHA-256 of a file of any size, in hexadecimal; only a part of it is in memory at a time. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
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
