import { dirname, join, relative, sep } from "node:path";
import { lstatOrNull, type Git } from "../../platform/index.ts";

/** The git work tree that the workspace's root lies in. */
export interface EnclosingRepo {
  /** Top of the work tree. */
  top: string;
  gitDir: string;
  /** The root as seen from the top, with "/" at its end; empty when the root is the top. */
  prefix: string;
}

/** Finds the work tree around a folder by looking at folders alone; no git is run. */
export async function findEnclosingRepo(root: string): Promise<EnclosingRepo | undefined> {
  for (let top = root; ; top = dirname(top)) {
    const gitDir = join(top, ".git");
    if (await lstatOrNull(gitDir)) {
      const below = relative(top, root).split(sep).join("/");
      return { top, gitDir, prefix: below === "" ? "" : `${below}/` };
    }
    if (dirname(top) === top) return undefined;
  }
}

/** True when .gitignore is Writ's to write here; looks at folders only. */
export async function wantsIgnore(root: string, ownRepo: boolean): Promise<boolean> {
  return ownRepo || (await findEnclosingRepo(root)) !== undefined;
}

/** Which of these paths of the workspace git tracks; a folder counts when it tracks anything in it. */
export async function trackedPaths(
  git: Git,
  repo: EnclosingRepo,
  paths: readonly string[],
): Promise<Set<string>> {
  if (paths.length === 0) return new Set();
  const { gitDir, top, prefix } = repo;
  const args = ["ls-files", "-z", "--cached", "--", ...paths.map((path) => `${prefix}${path}`)];
  const told = await git.run(args, { gitDir, workTree: top });
  if (told.code !== 0) return new Set();
  const tracked = told.stdout.toString("utf8").split("\0").filter(Boolean);
  return new Set(paths.filter((path) => tracked.some((file) => isAt(file, `${prefix}${path}`))));
}

function isAt(file: string, path: string): boolean {
  const folder = path.endsWith("/") ? path : `${path}/`;
  return file === path || file.startsWith(folder);
}
