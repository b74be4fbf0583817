import { link, copyFile, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makeFolder, errnoOf, hashFile, readOrNull, storeError, writeAtomic } from "../../platform/index.ts";
import { readApplied } from "./applied.ts";
import { sha256 } from "./hashes.ts";
import { keptReference, readState, stateOf } from "./state.ts";

/** Old bytes by their hash: what undo restores, merges start from, and backups name. */
export function keptPath(root: string, hash: string): string {
  return join(stateOf(root).kept, hash);
}

/** Keeps bytes; the same bytes are kept once. */
export async function keepBytes(root: string, bytes: Uint8Array): Promise<string> {
  const hash = sha256(bytes);
  if ((await readKept(root, hash)) === undefined) {
    await makeFolder(stateOf(root).kept);
    await writeAtomic(keptPath(root, hash), bytes);
  }
  return hash;
}

/** The kept bytes, or undefined when they are gone or are no longer what their name says. */
export async function readKept(root: string, hash: string): Promise<Buffer | undefined> {
  try {
    const bytes = await readOrNull(keptPath(root, hash));
    return bytes && sha256(bytes) === hash ? bytes : undefined;
  } catch (error) {
    throw storeError(error, keptReference(hash));
  }
}

/** True when the kept bytes are there and are what their name says, however many they are. */
export async function isKept(root: string, hash: string): Promise<boolean> {
  try {
    return (await hashFile(keptPath(root, hash))) === hash;
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return false;
    throw storeError(error, keptReference(hash));
  }
}

/** A second name for a file that is about to be replaced, so that its very last bytes survive. */
export async function secondName(file: string, name: string): Promise<void> {
  await makeFolder(dirname(name));
  await rm(name, { force: true });
  await link(file, name).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") throw error;
    await copyFile(file, name);
  });
}

/** Moves a file into the store under the hash of what it holds now, and answers that hash. */
export async function keepFile(root: string, file: string): Promise<string | undefined> {
  const hash = await hashFile(file).catch((error: unknown) => {
    if (errnoOf(error) === "ENOENT") return undefined;
    throw error;
  });
  if (hash === undefined) return undefined;
  await makeFolder(stateOf(root).kept);
  await rename(file, keptPath(root, hash));
  return hash;
}

/** Keeps the record that is replaced and answers its hash; null when there is none that can be read. */
export async function keepRecord(root: string, planned: string | null): Promise<string | null> {
  const state = stateOf(root);
  const bytes = await readState(root, "applied").catch(() => null);
  // The record the plan was made from has been read and flushed before: a second name for it is enough.
  if (bytes && planned !== null && sha256(bytes) === planned) {
    await secondName(state.applied, keptPath(root, planned));
    return planned;
  }
  const { bytes: readable } = await readApplied(root);
  return readable ? keepBytes(root, readable) : null;
}

/** Drops kept bytes that nothing names any more. */
export async function dropUnnamed(root: string, named: ReadonlySet<string>): Promise<void> {
  const names = await readdir(stateOf(root).kept).catch(() => []);
  for (const name of names) {
    if (!named.has(name)) await rm(keptPath(root, name), { force: true });
  }
}
