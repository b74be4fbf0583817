import { join, resolve } from "node:path";
import { type Clock, fail, type Ids, type WritError } from "../contract/index.ts";
import {
  createExclusive,
  formatInstant,
  makeFolder,
  readOrNull,
  requireNoLinks,
  storing,
} from "../platform/index.ts";

/** Which workspace this folder is: `.writ/workspace.json`. */
export interface Identity {
  schema: "1";
  id: string;
  name: string;
  created_at: string;
  /** A worktree is another checkout of its parent, and shares the parent's store. */
  parent?: { id: string; path: string };
}

/** Where a workspace's rows are, and under which id: its own place, or its parent's. */
export interface StoreHome {
  root: string;
  workspace: { id: string; name: string };
}

const identityFile = ".writ/workspace.json";
const maxBytes = 64 * 1024;

/** The identity of a folder, or null when it has none yet. */
export async function readIdentity(root: string): Promise<Identity | null> {
  await requireNoLinks(root, identityFile);
  const bytes = await storing(identityFile, () => readOrNull(join(root, identityFile), { maxBytes }));
  return bytes && parseIdentity(bytes);
}

/**
 * The identity of a folder, made when it has none. Of two processes that race, one makes it and both
 * answer the same.
 */
export async function readOrCreateIdentity(
  root: string,
  made: { name: string; clock: Clock; ids: Ids },
): Promise<{ identity: Identity; created: boolean }> {
  const there = await readIdentity(root);
  if (there) return { identity: there, created: false };
  const identity: Identity = {
    schema: "1",
    id: made.ids.next("ws"),
    name: made.name,
    created_at: formatInstant(made.clock.now()),
  };
  if (await writeIdentity(root, identity)) return { identity, created: true };
  const theirs = await readIdentity(root);
  // Between the two steps somebody removed the folder; the caller's next attempt starts afresh.
  if (!theirs) throw damaged("It was there and vanished.");
  return { identity: theirs, created: false };
}

/** Writes an identity where there is none, whole or not at all; false when there is one. */
export async function writeIdentity(root: string, identity: Identity): Promise<boolean> {
  await requireNoLinks(root, identityFile);
  return storing(identityFile, async () => {
    await makeFolder(join(root, ".writ"));
    return createExclusive(join(root, identityFile), `${JSON.stringify(identity, null, 2)}\n`);
  });
}

/** Where the store of a folder is: E_STORE_PARENT_GONE when it is a worktree whose parent left. */
export async function storeHome(root: string, identity: Identity): Promise<StoreHome> {
  const { parent } = identity;
  if (!parent) return { root, workspace: { id: identity.id, name: identity.name } };
  const home = resolve(root, parent.path);
  const theirs = await readIdentity(home);
  if (!theirs) throw parentGone(parent.path, "No workspace is there any more.");
  if (theirs.id !== parent.id)
    throw parentGone(parent.path, `Another workspace (${theirs.id}) is there now.`);
  return { root: home, workspace: { id: theirs.id, name: theirs.name } };
}

function parseIdentity(bytes: Buffer): Identity {
  let value: Partial<Identity> | null;
  try {
    value = JSON.parse(bytes.toString("utf8")) as Partial<Identity> | null;
  } catch {
    throw damaged("It is not JSON.");
  }
  if (value?.schema !== "1")
    throw damaged(`Its schema is ${JSON.stringify(value?.schema ?? null)}, not "1".`);
  for (const field of ["id", "name", "created_at"] as const) {
    if (typeof value[field] !== "string" || value[field] === "") throw damaged(`It has no ${field}.`);
  }
  const { parent } = value;
  if (parent !== undefined && (typeof parent?.id !== "string" || typeof parent.path !== "string")) {
    throw damaged("Its parent has no id and path.");
  }
  return value as Identity;
}

function damaged(cause: string): WritError {
  return fail("STORE_ERROR", {
    message: `${identityFile} cannot be read.`,
    cause,
    remediation: `Bring back the file from a backup; without it this folder is a new workspace: ls -l ${identityFile}`,
  });
}

function parentGone(path: string, cause: string): WritError {
  return fail("E_STORE_PARENT_GONE", {
    message: `The workspace this worktree belongs to is gone from ${path}.`,
    cause,
    remediation: `Put it back at ${path}, or make this folder a workspace of its own: rm ${identityFile} && writ init`,
    details: { path },
  });
}
