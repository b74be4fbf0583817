import { isAbsolute, resolve } from "node:path";
import type { Git } from "../../platform/index.ts";

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

/** The folder of a repository's objects; undefined when it is no repository. */
export async function objectsFolder(git: Git, dotGit: string): Promise<string | undefined> {
  return (await repoFolders(git, dotGit))?.objects;
}
