import { closeSync, constants, fchmodSync, fstatSync, openSync, writeFileSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import {
  makeFolder,
  removeEmptyParents,
  removeTree,
  storing,
  syncFiles,
  syncFolder,
} from "../../platform/index.ts";
import type { Fingerprint } from "./disk.ts";
import { stateOf } from "./state.ts";

const stagingLabel = ".writ/workspace/staging";

/** A file that waits, complete, to be renamed into place. */
export interface StagedFile {
  name: string;
  /** Its stat, which the rename does not change. */
  print: Fingerprint;
}

/** The folder of one run, in which everything stands before anything is swapped. */
export interface Staging {
  folder: string;
  put(bytes: Uint8Array | string, mode?: number): Promise<StagedFile>;
  /** Stages a copy of a file of any size. */
  copy(from: string, mode: number): Promise<StagedFile>;
  /** A path inside the folder for something that makes itself, such as a clone. */
  reserve(kind: string): string;
  /** Flushes all that was put there, and the folder. */
  sync(): Promise<void>;
  remove(): Promise<void>;
}

/** Opens the staging folder of a run. */
export async function openStaging(root: string, run: string): Promise<Staging> {
  const folder = stateOf(root).stagingOf(run);
  await storing(stagingLabel, () => makeFolder(folder));
  let count = 0;
  const names: string[] = [];
  const name = (): string => {
    const named = `file${String(count++)}`;
    names.push(named);
    return named;
  };
  return {
    folder,
    reserve: (kind) => `${kind}${String(count++)}`,
    copy: (from, mode) => copyInto(folder, { name: name(), from, mode }),
    put: (bytes, mode = 0o644) => putFile(folder, { name: name(), bytes, mode }),
    sync: () =>
      storing(stagingLabel, async () => {
        await syncFiles(folder, names);
        await syncFolder(folder);
      }),
    remove: async () => {
      await removeTree(folder);
      await removeEmptyParents(folder, stateOf(root).folder);
    },
  };
}

// Written at once: having another thread open, write, ask and close takes several times as long.
async function putFile(
  folder: string,
  file: { name: string; bytes: Uint8Array | string; mode: number },
): Promise<StagedFile> {
  return storing(stagingLabel, async () => {
    const handle = openSync(join(folder, file.name), "wx", file.mode);
    try {
      writeFileSync(handle, file.bytes);
      return finish(handle, file);
    } finally {
      closeSync(handle);
    }
  });
}

async function copyInto(
  folder: string,
  file: { name: string; from: string; mode: number },
): Promise<StagedFile> {
  const to = join(folder, file.name);
  return storing(stagingLabel, async () => {
    await copyFile(file.from, to, constants.COPYFILE_EXCL);
    const handle = openSync(to, "r");
    try {
      return finish(handle, file);
    } finally {
      closeSync(handle);
    }
  });
}

function finish(handle: number, { name, mode }: { name: string; mode: number }): StagedFile {
  const stat = fstatSync(handle, { bigint: true });
  // The umask of the caller must not show in a composed file.
  if ((Number(stat.mode) & 0o777) !== mode) fchmodSync(handle, mode);
  const print = { size: Number(stat.size), mtime_ns: String(stat.mtimeNs), ino: String(stat.ino) };
  return { name, print };
}

/** Removes what earlier runs have staged; called by the holder of the run lock only. */
export async function removeLeftovers(root: string): Promise<void> {
  await removeTree(stateOf(root).staging);
}
