import { statSync } from "node:fs";
import { join } from "node:path";
import { commonDirOf, gitDirOf, maxRefBytes } from "./git-folders.ts";
import { readOrNull } from "./read-file.ts";

// What git opens by name whatever it is asked. A pipe there would keep it waiting until its time is up.
const ofRepository = [
  "HEAD",
  "config",
  "config.worktree",
  "commondir",
  "index",
  "packed-refs",
  "shallow",
  "info/exclude",
  "info/attributes",
  "objects/info/alternates",
];
const ofWorkTree = [".gitignore", ".gitattributes", ".gitmodules"];

/** The file of a repository or its work tree that is a pipe, socket or device, and so would not be read to its end. */
export async function specialFile(call: { gitDir?: string; workTree?: string }): Promise<string | undefined> {
  const { gitDir, workTree } = call;
  const inTree =
    workTree === undefined ? undefined : ofWorkTree.find((name) => isSpecial(join(workTree, name)));
  if (inTree !== undefined || gitDir === undefined) return inTree;
  if (isSpecial(gitDir)) return ".git";
  const folder = isFile(gitDir) ? await gitDirOf(join(gitDir, "..")).catch(() => gitDir) : gitDir;
  return ofRepository.find((name) => isSpecial(join(folder, name))) ?? (await specialRef(folder));
}

/** The ref that is checked out, where it is such a file. */
async function specialRef(folder: string): Promise<string | undefined> {
  const head = await readOrNull(join(folder, "HEAD"), maxRefBytes).catch(() => null);
  const ref = /^ref: (refs\/.+)$/m.exec(String(head))?.[1];
  if (ref === undefined) return undefined;
  const shared = await commonDirOf(folder).catch(() => folder);
  return isSpecial(join(shared, ref)) ? ref : undefined;
}

function isSpecial(path: string): boolean {
  const stats = look(path);
  return stats !== undefined && !stats.isFile() && !stats.isDirectory();
}

function isFile(path: string): boolean {
  return look(path)?.isFile() === true;
}

/** Links are followed, as git does. */
function look(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
