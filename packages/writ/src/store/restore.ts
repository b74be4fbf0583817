import { copyFile, link, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Clock, fail, type WritError } from "../contract/index.ts";
import {
  errnoOf,
  formatInstant,
  lstatOrNull,
  makeFolder,
  requireNoLinks,
  storing,
  syncFolder,
} from "../platform/index.ts";
import { migrations } from "./migrations/index.ts";
import { storeFile } from "./open-folder.ts";
import { readBackup } from "./read-backup.ts";
import { readIdentity, writeIdentity } from "./workspace-id.ts";

export interface Restored {
  workspace: { id: string; name: string };
  schema_version: number;
}

/**
 * Puts a backup in the place of the store of a workspace that has none. The file is checked whole first;
 * nothing is ever overwritten, and a workspace with another identity is refused.
 */
export async function restoreStore(file: string, root: string, clock: Clock): Promise<Restored> {
  const target = join(root, storeFile);
  const { backup, identity } = await checkRestore(file, root);
  await storing(storeFile, async () => {
    await makeFolder(join(root, ".writ"));
    const temporary = `${target}.restoring`;
    await rm(temporary, { force: true });
    await copyFile(file, temporary);
    await flush(temporary);
    try {
      // A link fails where a rename would silently replace a store that appeared meanwhile.
      await link(temporary, target);
    } catch (error) {
      throw errnoOf(error) === "EEXIST" ? storeExists() : error;
    } finally {
      await rm(temporary, { force: true });
    }
    await syncFolder(join(root, ".writ"));
  });
  if (!identity) {
    const created_at = backup.created_at ?? formatInstant(clock.now());
    await writeIdentity(root, { schema: "1", ...backup.workspace, created_at });
  }
  return { workspace: backup.workspace, schema_version: backup.version };
}

/** What a restore checks before it writes: the file whole, no link in the way, no other workspace here. */
export async function checkRestore(file: string, root: string) {
  await requireNoLinks(root, storeFile);
  const backup = await readBackup(file, migrations.at(-1)?.version ?? 0);
  const identity = await readIdentity(root);
  if (identity && identity.id !== backup.workspace.id) throw otherWorkspace(identity.id, backup.workspace.id);
  if (await lstatOrNull(join(root, storeFile))) throw storeExists();
  return { backup, identity };
}

async function flush(path: string): Promise<void> {
  const file = await open(path, "r+");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

function storeExists(): WritError {
  return fail("E_EXISTS", {
    message: "This workspace has a store already, and a restore never overwrites one.",
    cause: `${storeFile} exists.`,
    remediation: `Restore into an empty workspace, or move the store away first: mv ${storeFile} ${storeFile}.old`,
  });
}

function otherWorkspace(here: string, there: string): WritError {
  return fail("E_EXISTS", {
    message: "The backup is of another workspace.",
    cause: `This folder is ${here}; the backup holds ${there}.`,
    remediation: "Restore it in a folder without a workspace of its own: mkdir restored && cd restored",
    details: { here, there },
  });
}
