import { renameSync } from "node:fs";
import { link, mkdir, open, readdir, rm, rmdir, stat, type FileHandle } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { randomBytes } from "./node-crypto.ts";
import { errnoOf } from "./store-error.ts";

const temporaryName = /^\..{1,120}\.(\d+)-[0-9a-f]{12}\.writ-tmp$/;

/** How a file is written: its permissions (less the umask), and whether it must survive a power cut. */
export interface WriteOptions {
  /** Default: that of the file it replaces, else that of any new file. */
  mode?: number;
  /** Default true: flushed to the disk before it appears under its name. */
  sync?: boolean;
}

/**
 * Writes a file so that every reader sees the old content or the new, whole.
 *
 * On failure the old file stands and nothing is left beside it. A link at the path is replaced, never followed.
 */
export async function writeAtomic(
  path: string,
  content: Uint8Array | string,
  options: WriteOptions = {},
): Promise<void> {
  const temporary = await writeBeside(path, content, options);
  try {
    if (options.mode === undefined) await copyMode(path, temporary);
    await replaceFile(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  if (options.sync !== false) await syncFolder(dirname(path));
}

/**
 * Creates a file that must not exist yet, and answers false when it does.
 *
 * The content is complete the moment the name appears: a crash never leaves half a file there.
 */
export async function createExclusive(
  path: string,
  content: Uint8Array | string,
  options: WriteOptions = {},
): Promise<boolean> {
  const temporary = await writeBeside(path, content, options);
  try {
    await linkOrCreate(temporary, path, { content, options });
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return false;
    throw error;
  } finally {
    await rm(temporary, { force: true });
  }
  if (options.sync !== false) await syncFolder(dirname(path));
  return true;
}

async function writeBeside(
  path: string,
  content: Uint8Array | string,
  options: WriteOptions,
): Promise<string> {
  const name = basename(path).slice(0, 100);
  const temporary = join(dirname(path), `.${name}.${process.pid}-${randomBytes(6).toString("hex")}.writ-tmp`);
  const file = await open(temporary, "wx", options.mode ?? 0o666);
  try {
    await fill(file, content, options.sync !== false);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  return temporary;
}

async function fill(file: FileHandle, content: Uint8Array | string, sync: boolean): Promise<void> {
  try {
    await file.writeFile(content);
    if (sync) await file.sync();
  } finally {
    await file.close();
  }
}

async function linkOrCreate(
  temporary: string,
  path: string,
  file: { content: Uint8Array | string; options: WriteOptions },
): Promise<void> {
  try {
    await link(temporary, path);
  } catch (error) {
    if (!["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"].includes(errnoOf(error) ?? "")) throw error;
    // A file system without hard links: still exclusive, but a crash here could leave half a file.
    const handle = await open(path, "wx", file.options.mode ?? 0o666);
    try {
      await fill(handle, file.content, file.options.sync !== false);
    } catch (failure) {
      await rm(path, { force: true });
      throw failure;
    }
  }
}

async function copyMode(from: string, to: string): Promise<void> {
  const old = await stat(from).catch(() => null);
  if (!old?.isFile()) return;
  const file = await open(to, "r+");
  try {
    await file.chmod(old.mode & 0o777);
  } finally {
    await file.close();
  }
}

/**
 * Renames over whatever file is there; a file held open by another program is tried three times. At once: several
 * threads that rename in one folder wait for each other, and for whoever looks into it.
 */
export async function replaceFile(from: string, to: string): Promise<void> {
  const held = process.platform === "win32" ? ["EBUSY", "EPERM", "EACCES"] : ["EBUSY", "ETXTBSY"];
  for (let attempt = 1; ; attempt++) {
    try {
      return renameSync(from, to);
    } catch (error) {
      if (attempt === 3 || !held.includes(errnoOf(error) ?? "")) throw error;
      await wait(50 * attempt);
    }
  }
}

/** Flushes a folder's entries, so that a rename in it survives a power cut. */
export async function syncFolder(path: string): Promise<void> {
  // Windows cannot open a folder, and needs no flush for a rename to last.
  if (process.platform === "win32") return;
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } catch (error) {
    // Some network file systems refuse to flush a folder; the rename itself has been done.
    if (!["EINVAL", "ENOTSUP", "EOPNOTSUPP"].includes(errnoOf(error) ?? "")) throw error;
  } finally {
    await folder.close();
  }
}

/** Whether a file name is one of Writ's temporary ones. */
export function isTemporaryName(name: string): boolean {
  return temporaryName.test(name);
}

/**
 * A private folder beside `path`, in which what will stand there is made ready; `removeTemporaries` finds it when
 * its process died.
 */
export async function makeTemporaryFolder(path: string): Promise<string> {
  const id = randomBytes(6).toString("hex");
  const made = join(dirname(path), `.${basename(path).slice(0, 80)}.${process.pid}-${id}.writ-tmp`);
  await mkdir(made, { mode: 0o700 });
  return made;
}

/** Removes what dead processes left half made in one folder; answers how many. */
export async function removeTemporaries(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  const dead = names.filter((name) => {
    const owner = temporaryName.exec(name)?.[1];
    return owner !== undefined && !isAlive(Number(owner));
  });
  await Promise.all(dead.map((name) => removeTree(join(folder, name)).catch(() => undefined)));
  return dead.length;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it lives and belongs to somebody else.
    return errnoOf(error) === "EPERM";
  }
}

/** Removes the folders above a path that have become empty, up to and without `stopAt`. */
export async function removeEmptyParents(path: string, stopAt: string): Promise<void> {
  const stop = resolve(stopAt);
  for (let folder = dirname(resolve(path)); folder !== stop; folder = dirname(folder)) {
    const below = relative(stop, folder);
    if (below === "" || below.startsWith("..") || below === folder) return;
    try {
      await rmdir(folder);
    } catch (error) {
      if (errnoOf(error) !== "ENOENT") return;
    }
  }
}

/** Removes a folder and all below it; links in it are removed, never followed. */
export async function removeTree(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 3, retryDelay: 50 });
}
