import { constants } from "node:fs";
import { copyFile, mkdir, open, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { removeEmptyParents, removeTree, storing, syncFolder } from "../../platform/index.ts";
import type { Fingerprint } from "./disk.ts";
import { stateOf } from "./state.ts";

const stagingLabel = ".writ/workspace/staging";

/** A file that waits, complete and synced, to be renamed into place. */
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
  sync(): Promise<void>;
  remove(): Promise<void>;
}

/** Opens the staging folder of a run. */
export async function openStaging(root: string, run: string): Promise<Staging> {
  const folder = stateOf(root).stagingOf(run);
  await storing(stagingLabel, () => mkdir(folder, { recursive: true }));
  let count = 0;
  return {
    folder,
    reserve: (kind) => `${kind}${String(count++)}`,
    copy: (from, mode) => copyInto(folder, { name: `file${String(count++)}`, from, mode }),
    put: (bytes, mode = 0o644) => putFile(folder, { name: `file${String(count++)}`, bytes, mode }),
    sync: () => syncFolder(folder),
    remove: async () => {
      await removeTree(folder);
      await removeEmptyParents(folder, stateOf(root).folder);
    },
  };
}

async function putFile(
  folder: string,
  file: { name: string; bytes: Uint8Array | string; mode: number },
): Promise<StagedFile> {
  return storing(stagingLabel, async () => {
    const handle = await open(join(folder, file.name), "wx", file.mode);
    try {
      await handle.writeFile(file.bytes);
      return await finish(handle, file);
    } finally {
      await handle.close();
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
    const handle = await open(to, "r");
    try {
      return await finish(handle, file);
    } finally {
      await handle.close();
    }
  });
}

async function finish(handle: FileHandle, file: { name: string; mode: number }): Promise<StagedFile> {
  // Set apart from creation: the umask of the caller must not show in a composed file.
  await handle.chmod(file.mode);
  await handle.sync();
  const stat = await handle.stat({ bigint: true });
  const print = { size: Number(stat.size), mtime_ns: String(stat.mtimeNs), ino: String(stat.ino) };
  return { name: file.name, print };
}

/** Removes what earlier runs have staged; called by the holder of the run lock only. */
export async function removeLeftovers(root: string): Promise<void> {
  await removeTree(stateOf(root).staging);
}
