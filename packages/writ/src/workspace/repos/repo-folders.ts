import { isAbsolute, join, resolve } from "node:path";
import { lstatOrNull, type Git } from "../../platform/index.ts";

/** The folders of one repository. */
export interface RepoFolders {
  /** Of this work tree: HEAD, index, operations in progress. */
  gitDir: string;
  /** Where the objects are; shared by linked work trees. */
  objects: string;
}

/** Finds the folders behind a `.git` folder or file; undefined when it is no repository. */
export async function repoFolders(git: Git, dotGit: string): Promise<RepoFolders | undefined> {
  const told = await git.run(["rev-parse", "--absolute-git-dir", "--git-path", "objects"], {
    gitDir: dotGit,
  });
  if (told.code !== 0) return undefined;
  const [gitDir, objects] = told.stdout.toString("utf8").split("\n");
  if (!gitDir || !objects) return undefined;
  return { gitDir, objects: isAbsolute(objects) ? objects : resolve(dotGit, "..", objects) };
}

/** The folders of a repository that is all in its `.git` folder; undefined for any other, and for what is none. */
export async function plainFolders(dotGit: string): Promise<RepoFolders | undefined> {
  const parts = ["", "objects", "refs"].map((name) => lstatOrNull(join(dotGit, name)));
  const areFolders = (await Promise.all(parts)).every((part) => part?.isDirectory());
  const head = await lstatOrNull(join(dotGit, "HEAD"));
  if (!areFolders || !head || (await lstatOrNull(join(dotGit, "commondir")))) return undefined;
  return { gitDir: dotGit, objects: join(dotGit, "objects") };
}

/** The folder of a repository's objects; undefined when it is no repository. */
export async function objectsFolder(git: Git, dotGit: string): Promise<string | undefined> {
  return (await repoFolders(git, dotGit))?.objects;
}
