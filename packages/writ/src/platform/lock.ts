import { closeSync, constants, fstatSync, lstatSync, openSync } from "node:fs";
import { realpath, rm, writeFile } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { fail, WritError } from "../contract/index.ts";
import { formatInstant } from "./clock.ts";
import { unsafeLink } from "./links.ts";
import { readOrNull } from "./read-file.ts";
import { redact } from "./redact.ts";
import { errnoOf, storeError, storing } from "./store-error.ts";
import { makeFolder } from "./make-folder.ts";

/** Who holds a lock; for messages only, the lock itself is the operating system's. */
export interface LockOwner {
  pid: number;
  command: string;
  at: string;
}

/** How long to wait for a lock, and what to say of it. */
export interface LockOptions {
  waitMs: number;
  /** What the lock guards, in the user's words: "the workspace". */
  what: string;
  /** The folder of the lock, as an error may show it: relative to the workspace, or to the cache. */
  folder?: string;
  /** The command that holds it, shown to those who wait: "writ bootstrap". */
  command: string;
  signal?: AbortSignal;
  /** Told once, when it turns out that there is somebody to wait for. */
  onWait?: (owner: LockOwner | null) => void;
}

// The system's lock tells processes apart, not two pieces of work in one; and closing any other handle of the
// file would drop it. So this process never has more than one attempt at a path. The lock stands here as well: were it
// held by unfinished work alone, a collection of garbage could close its handle and drop it.
const heldHere = new Map<string, Locked | null>();

/** The database that has the lock, and another handle of its file; it is closed last. */
interface Locked {
  database: DatabaseSync;
  file: number;
}

const LONGEST_PAUSE_MS = 100;
const maxOwnerBytes = 64 * 1024;

/**
 * Runs work while holding a lock that the operating system releases when this process dies, however it dies.
 *
 * Waits without blocking. When the time is up: E_STORE_LOCKED, naming the owner; when the signal fires:
 * E_CANCELLED. The lock is not re-entrant. The parent folder is made when missing, and no file stays behind. A link
 * or a special file where the lock belongs is E_UNSAFE_LINK; the folders above it are the caller's to judge.
 */
export async function withLock<T>(path: string, options: LockOptions, work: () => Promise<T>): Promise<T> {
  const release = await acquire(path, options);
  try {
    return await work();
  } finally {
    await release();
  }
}

async function acquire(path: string, options: LockOptions): Promise<() => Promise<void>> {
  const label = options.folder === undefined ? basename(path) : `${options.folder}/${basename(path)}`;
  await storing(label, () => makeFolder(dirname(path)));
  const key = `${await realpath(dirname(path))}/${basename(path)}`;
  const startedAt = nowMs();
  let told = false;
  for (let pauseMs = 5; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    if (options.signal?.aborted) throw cancelled(options);
    const taken = await attempt(path, key, label);
    if (taken) return hold({ path, key, taken, command: options.command });
    const leftMs = options.waitMs - (nowMs() - startedAt);
    if (leftMs <= 0) throw locked(await ownerOf(path), options);
    if (!told) options.onWait?.(await ownerOf(path));
    told = true;
    // A little chance keeps many who wait from knocking in step.
    await sleep(Math.min(leftMs, pauseMs * (0.5 + Math.random() / 2)), options.signal);
  }
}

/** Grows steadily; what `performance` tells as well, which is a module of its own to load. */
function nowMs(): number {
  return process.uptime() * 1000;
}

async function attempt(path: string, key: string, label: string): Promise<Locked | null> {
  if (heldHere.has(key)) return null;
  heldHere.set(key, null);
  let taken: Locked | null = null;
  try {
    taken = await openExclusively(path, label);
  } finally {
    if (taken) heldHere.set(key, taken);
    else heldHere.delete(key);
  }
  return taken;
}

// An owner removes the file before it lets go. Whoever opened it earlier holds a lock on a file without a name,
// which nobody else would see; comparing the inode before and after tells. Its own handle stays open meanwhile: the
// system gives the number of a file that is gone to the next one.
async function openExclusively(path: string, label: string): Promise<Locked | null> {
  let file: number | undefined;
  let mine = false;
  try {
    // Again at each attempt: a run that failed may have taken its folders back.
    await makeFolder(dirname(path));
    file = makeLockFile(path, label);
    const database = new DatabaseSync(path, { timeout: 0 });
    mine = begin(database) && isAt(path, file);
    if (!mine) database.close();
    return mine ? { database, file } : null;
  } catch (error) {
    // SQLite's errors while a file vanishes under it are many; what counts is that it did.
    if (errnoOf(error) === "ENOENT" || (file !== undefined && !isAt(path, file))) return null;
    throw lockError(error, label);
  } finally {
    if (!mine && file !== undefined) closeSync(file);
  }
}

// Nothing is followed, and a pipe that nobody reads does not keep the open from returning.
const lockFlags =
  constants.O_WRONLY | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Makes the file unless it stands, and opens it. */
function makeLockFile(path: string, label: string): number {
  const file = openLockFile(path, label);
  if (fstatSync(file).isFile()) return file;
  closeSync(file);
  throw unsafeLink(label, "a special file");
}

function openLockFile(path: string, label: string): number {
  try {
    return openSync(path, lockFlags, 0o600);
  } catch (error) {
    if (errnoOf(error) === "ELOOP") throw unsafeLink(label, "a symbolic link");
    if (errnoOf(error) === "ENXIO") throw unsafeLink(label, "a special file");
    throw error;
  }
}

/** Whether the file that is open is still the one of that name. */
function isAt(path: string, file: number): boolean {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stats?.ino === fstatSync(file, { bigint: true }).ino;
}

function begin(database: DatabaseSync): boolean {
  try {
    // Otherwise even an empty transaction makes a journal file beside the lock.
    database.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
    return true;
  } catch (error) {
    if (isBusy(error)) return false;
    database.close();
    throw error;
  }
}

// SQLITE_BUSY, whatever its extended code.
function isBusy(error: unknown): boolean {
  const code = (error as { errcode?: number }).errcode;
  return code !== undefined && (code & 0xff) === 5;
}

async function hold(held: {
  path: string;
  key: string;
  taken: Locked;
  command: string;
}): Promise<() => Promise<void>> {
  const { path, key, taken } = held;
  const owner: LockOwner = { pid: process.pid, command: redact(held.command), at: formatInstant(Date.now()) };
  // Only a message depends on it: a full disk must not keep a lock from being taken.
  await noteOwner(`${path}.owner`, JSON.stringify(owner)).catch(() => undefined);
  return async () => {
    await rm(`${path}.owner`, { force: true }).catch(() => undefined);
    await rm(path, { force: true }).catch(() => undefined);
    taken.database.close();
    closeSync(taken.file);
    heldHere.delete(key);
  };
}

// Whatever stands there, a dead owner's note or a link to something of the user's, is replaced and never written to.
async function noteOwner(path: string, text: string): Promise<void> {
  const write = () => writeFile(path, text, { mode: 0o600, flag: "wx" });
  await write().catch(async (error: unknown) => {
    if (errnoOf(error) !== "EEXIST") throw error;
    await rm(path);
    await write();
  });
}

async function ownerOf(path: string): Promise<LockOwner | null> {
  try {
    const { pid, command, at } = JSON.parse(
      String(await readOrNull(`${path}.owner`, maxOwnerBytes)),
    ) as LockOwner;
    return typeof pid === "number" && typeof command === "string" && typeof at === "string"
      ? { pid, command, at }
      : null;
  } catch {
    return null;
  }
}

async function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  // An abort ends the pause early; the loop then says so.
  await pause(ms, undefined, { signal }).catch(() => undefined);
}

function locked(owner: LockOwner | null, { what, waitMs }: LockOptions): WritError {
  const who = owner ? `process ${owner.pid} (${owner.command}) since ${owner.at}` : "another process";
  return fail("E_STORE_LOCKED", {
    message: `Another process is at work on ${what}.`,
    cause: `It is held by ${who}; Writ waited ${waitMs / 1000} s.`,
    remediation: owner
      ? `Run the command again once that process has ended: ps -p ${owner.pid}`
      : "Run the command again in a moment.",
    details: { ...(owner && { owner }), waited_ms: waitMs },
  });
}

function cancelled({ signal, what }: LockOptions): WritError {
  if (signal?.reason instanceof WritError) return signal.reason;
  return fail("E_CANCELLED", {
    message: `The call was given up while it waited for ${what}.`,
    cause: "The caller cancelled it.",
    remediation: "Run the command again when you want it done.",
  });
}

function lockError(error: unknown, label: string): Error {
  const sqlite = (error as { errstr?: string }).errstr;
  if (sqlite === undefined) return storeError(error, label);
  return fail("STORE_ERROR", {
    message: `The lock file "${label}" cannot be used.`,
    cause: `SQLite answered: ${sqlite}.`,
    remediation: "Check that the folder's file system supports locks and has space: df -h .",
    details: { path: label },
    from: error,
  });
}
