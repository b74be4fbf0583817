import { existsSync } from "node:fs";
import { open } from "node:fs/promises";
import { release } from "node:os";
import { join } from "node:path";
import { inParallel } from "./in-parallel.ts";
import { runProcess } from "./process.ts";

// Below this a flush of each costs no more than starting a program.
const many = 24;
const flushesAtOnce = 16;
const limitMs = 60_000;

/**
 * Flushes files of one folder to the disk, so that they survive a power cut. Many are flushed together where the
 * system can do that: a disk that is asked for each file in turn is waited for each time.
 */
export async function syncFiles(folder: string, names: readonly string[]): Promise<void> {
  if (names.length >= many && (await syncFileSystem(folder))) return;
  await inParallel(names, flushesAtOnce, (name) => syncFile(join(folder, name)));
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, "r");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Flushes the file system of a folder; false where that cannot be done, or where a failed write might not be told. */
async function syncFileSystem(folder: string): Promise<boolean> {
  const [major = 0, minor = 0] = release().split(".").map(Number);
  // Before 5.8 Linux kept a write that had failed to itself.
  if (process.platform !== "linux" || major < 5 || (major === 5 && minor < 8)) return false;
  // By its own path: whatever else is called so on PATH is not what is meant.
  const command = ["/usr/bin/sync", "/bin/sync"].find((path) => existsSync(path));
  if (!command) return false;
  const call = { command, args: ["-f", folder], env: {}, timeoutMs: limitMs };
  return runProcess(call).then(
    ({ code }) => code === 0,
    () => false,
  );
}
