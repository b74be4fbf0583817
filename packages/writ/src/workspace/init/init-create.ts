import { mkdir, rename } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { fail, type Clock, type Ids, type OwedEvent } from "../../contract/index.ts";
import {
  makeFolder,
  createExclusive,
  errnoOf,
  lstatOrNull,
  makeTemporaryFolder,
  readOrNull,
  removeTemporaries,
  removeTree,
  requireNoLinks,
  storing,
  syncFolder,
  walkFolder,
} from "../../platform/index.ts";
import { readOrCreateIdentity } from "../../store/index.ts";
import { noFault, type FaultPoint } from "../swap/faults.ts";
import { noteInit } from "./init-store.ts";
import { manifestFile } from "../declare/file-names.ts";

/** Everything that a new workspace begins with. */
export interface NewWorkspace {
  name: string;
  /** Text of workspace.yml. */
  text: string;
  /** Folders copied beside it: name -> absolute path. */
  folders: Readonly<Record<string, string>>;
  /** Files copied beside it: name -> absolute path. */
  files?: Readonly<Record<string, string>>;
  /** What parts of Writ put below the folder. */
  begin?: (folder: string) => Promise<void>;
  /** The flag that names the folder from where the caller stands; nothing where they stand in it. */
  flag?: string;
  event: OwedEvent;
  clock: Clock;
  ids: Ids;
}

/**
 * How workspace.yml of a folder compares with the one to be written; E_EXISTS when it differs, with the command
 * that shows it: `flag` names the folder from where the caller stands.
 */
export async function findExisting(root: string, text: string, flag = ""): Promise<"absent" | "same"> {
  const folder = await storing(basename(root), () => lstatOrNull(root));
  if (!folder) return "absent";
  if (!folder.isDirectory() && !folder.isSymbolicLink())
    throw exists(basename(root), {
      cause: "A file stands where the folder would be.",
      remediation: "Choose another name, or another folder with --target.",
    });
  await requireNoLinks(root, manifestFile);
  const bytes = await storing(manifestFile, () => readOrNull(join(root, manifestFile)));
  if (!bytes) return "absent";
  if (bytes.toString("utf8") === text) return "same";
  throw exists(manifestFile, {
    cause: "It is not the one that this call would write, and init overwrites nothing.",
    remediation: `Choose another name or target, or keep the workspace that is there: writ status${flag}`,
  });
}

/**
 * Makes the workspace; false when somebody else has just made the same. A folder that is not there yet appears
 * whole, by one rename; in one that is there, workspace.yml comes last and is made exclusively. On failure
 * nothing of it is left.
 */
export async function createWorkspace(
  root: string,
  made: NewWorkspace,
  fault: FaultPoint = noFault,
): Promise<boolean> {
  const top = await firstMissing(root);
  if (top === undefined) return fillExisting(root, made, fault);
  await removeTemporaries(dirname(top));
  const holder = await storing(basename(top), () => makeTemporaryFolder(top));
  try {
    // The holder is private to its owner; the folder inside it has the permissions of any other.
    const staged = join(holder, basename(top));
    const inside = join(staged, relative(top, root));
    await storing(basename(root), () => makeFolder(inside));
    await fill(inside, made, { state: "made", fault });
    await fault("staged");
    await storing(basename(top), () => rename(staged, top));
    await storing(basename(top), () => syncFolder(dirname(top)));
    await fault("made");
    return true;
  } catch (error) {
    // Somebody was faster: what stands there now is judged as any other folder.
    if (!isTaken(error)) throw error;
    await removeTree(holder);
    return (await findExisting(root, made.text, made.flag)) === "absent" && fillExisting(root, made, fault);
  } finally {
    await removeTree(holder).catch(() => {});
  }
}

function isTaken(error: unknown): boolean {
  const errno = errnoOf(error) ?? errnoOf((error as { failure?: { from?: unknown } }).failure?.from);
  return errno !== undefined && ["EEXIST", "ENOTEMPTY", "ENOTDIR"].includes(errno);
}

/** The highest folder on the way that does not exist; undefined when all of them do. */
async function firstMissing(root: string): Promise<string | undefined> {
  let missing: string | undefined;
  for (
    let folder = root;
    !(await storing(basename(folder), () => lstatOrNull(folder)));
    folder = dirname(folder)
  ) {
    missing = folder;
    if (dirname(folder) === folder) break;
  }
  return missing;
}

async function fillExisting(root: string, made: NewWorkspace, fault: FaultPoint): Promise<boolean> {
  const copied: string[] = [];
  const state = await lstatOrNull(join(root, ".writ"));
  try {
    const created = await fill(root, made, { state: "begun", fault, onCopy: (path) => copied.push(path) });
    await fault("made");
    if (created) await noteInit(root, "made", made);
    return created;
  } catch (error) {
    // What belongs to a workspace that has come to be is not ours to take away, whoever made it.
    if (await lstatOrNull(join(root, manifestFile))) throw error;
    for (const path of state ? copied : [...copied, join(root, ".writ")])
      await removeTree(path).catch(() => {});
    throw error;
  }
}

interface Filling {
  state: "begun" | "made";
  fault: FaultPoint;
  /** Told of each folder that was not there before. */
  onCopy?: (path: string) => void;
}

async function fill(root: string, made: NewWorkspace, { state, fault, onCopy }: Filling): Promise<boolean> {
  const { name, text, folders, flag, clock, ids } = made;
  await readOrCreateIdentity(root, { name, clock, ids });
  await fault("identity");
  for (const [folder, from] of Object.entries(folders)) {
    await requireNoLinks(root, folder);
    if (await copyTree(from, join(root, folder))) onCopy?.(join(root, folder));
    await fault("copied");
  }
  for (const [file, from] of Object.entries(made.files ?? {}))
    if (await copyFile(from, root, file)) onCopy?.(join(root, file));
  await made.begin?.(root);
  await noteInit(root, state, made);
  await fault("noted");
  await requireNoLinks(root, manifestFile);
  const created = await storing(manifestFile, () => createExclusive(join(root, manifestFile), text));
  if (!created) await findExisting(root, text, flag);
  return created;
}

/** Copies a shipped file; false when an equal one stands there already. */
async function copyFile(from: string, root: string, name: string): Promise<boolean> {
  await requireNoLinks(root, name);
  const bytes = (await storing(name, () => readOrNull(from))) ?? Buffer.alloc(0);
  if (await storing(name, () => createExclusive(join(root, name), bytes))) return true;
  const there = await storing(name, () => readOrNull(join(root, name)));
  if (there?.equals(bytes)) return false;
  throw exists(name, {
    cause: "A file of that name stands there already, with other content.",
    remediation: "Move it away, or choose another name or target.",
  });
}

/** Copies a shipped folder whole or not at all; false when an equal one stands there already. */
async function copyTree(from: string, to: string): Promise<boolean> {
  if (await lstatOrNull(to)) {
    if (await isEqualTree(from, to)) return false;
    throw exists(basename(to), {
      cause: "A folder of that name stands there already, with other content.",
      remediation: "Move it away, or choose another name or target.",
    });
  }
  return storing(basename(to), async () => {
    await removeTemporaries(dirname(to));
    const staged = await makeTemporaryFolder(to);
    try {
      const inner = join(staged, basename(to));
      await mkdir(inner);
      for (const { path, kind } of await walkFolder(from)) {
        if (kind === "folder") await makeFolder(join(inner, path));
      }
      for (const { path, kind } of await walkFolder(from)) {
        // Not the mode: what is installed read-only is the user's to edit here.
        if (kind === "file")
          await createExclusive(join(inner, path), (await readOrNull(join(from, path))) ?? "", {
            sync: false,
          });
      }
      await rename(inner, to);
    } finally {
      await removeTree(staged);
    }
    return true;
  });
}

async function isEqualTree(from: string, to: string): Promise<boolean> {
  const [shipped, there] = [await walkFolder(from), await walkFolder(to)];
  const pathsOf = (list: typeof shipped) => list.map(({ path, kind }) => `${kind} ${path}`).join("\n");
  if (pathsOf(shipped) !== pathsOf(there)) return false;
  for (const { path, kind } of shipped) {
    if (kind !== "file") continue;
    const [a, b] = [await readOrNull(join(from, path)), await readOrNull(join(to, path))];
    if (!a || !b?.equals(a)) return false;
  }
  return true;
}

function exists(what: string, { cause, remediation }: { cause: string; remediation: string }) {
  return fail("E_EXISTS", {
    message: `"${what}" exists and differs; nothing was changed.`,
    cause,
    remediation,
    details: { path: what },
  });
}
