import { dirname, join, resolve } from "node:path";
import { lstatOrNull } from "./links.ts";
import { readOrNull } from "./read-file.ts";

/** HEAD, a ref and the file behind a linked work tree are one line each. */
export const maxRefBytes = 4096;
/** As much of packed refs as is read. */
export const maxPackedBytes = 64 * 1024 * 1024;

/** The folder that a work tree shares with those linked to it: configuration, refs and objects. */
export async function commonDirOf(gitDir: string): Promise<string> {
  const common = (await readOrNull(join(gitDir, "commondir"), maxRefBytes))?.toString("utf8").trim();
  return common === undefined ? gitDir : resolve(gitDir, common);
}

/** The git folder of a work tree: its own `.git`, or the one that this file leads to. */
export async function gitDirOf(folder: string): Promise<string> {
  const dotGit = join(folder, ".git");
  if ((await lstatOrNull(dotGit))?.isDirectory()) return dotGit;
  const pointer = (await readOrNull(dotGit, maxRefBytes))?.toString("utf8") ?? "";
  const target = /^gitdir: (.+)$/m.exec(pointer)?.[1];
  return target === undefined ? dotGit : resolve(dirname(dotGit), target);
}
