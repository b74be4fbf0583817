import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { lstatOrNull, type Git } from "../../platform/index.ts";
import { readFacts, type RepoFacts } from "./repos-git.ts";

/** What must be known before a repository may be removed. */
export interface RemovalFacts extends RepoFacts {
  ignored: string[];
  /** Linked work trees besides this one. */
  worktrees: number;
  /** Tracked files that git was told not to look at, so that a change of theirs does not show. */
  hidden: string[];
  /** Repositories inside this one: their branches and stashes are nowhere else. */
  submodules: string[];
}

/**
 * Reads what decides whether a repository may be removed. `known` are objects that the remote has; commits that lead to
 * nothing else count as unpushed, whatever ref holds them.
 */
export async function removalFacts(
  git: Git,
  path: string,
  known: readonly string[] = [],
): Promise<RemovalFacts> {
  const facts = await readFacts(git, path, ["--ignore-submodules=none", "--ignored=matching"]);
  if (!facts.isGit) return { ...facts, worktrees: 0, hidden: [], submodules: [] };
  const [worktrees, index, modules, unpushed] = await Promise.all([
    git.ok(["worktree", "list", "--porcelain"], at(path)),
    readIndex(git, path),
    namesIn(join(path, ".git/modules")),
    countNowhereElse(git, path, { known, head: facts.head }),
  ]);
  return {
    ...facts,
    unpushed,
    worktrees: (worktrees.toString("utf8").match(/^worktree /gm)?.length ?? 1) - 1,
    hidden: index.hidden,
    submodules: [...new Set([...index.submodules, ...modules])],
  };
}

const at = (path: string) => ({ gitDir: join(path, ".git"), workTree: path });

/** Every ref is the user's but remote-tracking ones, and stashes, which are counted apart. */
async function countNowhereElse(
  git: Git,
  path: string,
  { known, head }: { known: readonly string[]; head: string | undefined },
): Promise<number> {
  const ours = ["--exclude=refs/stash", "--exclude=refs/remotes/*", "--all", ...(head ? ["HEAD"] : [])];
  const input = known.map((oid) => `^${oid}\n`).join("");
  const args = ["rev-list", "--count", "--ignore-missing", ...ours, "--not", "--remotes", "--stdin"];
  return Number((await git.ok(args, { ...at(path), input })).toString("latin1").trim());
}

/** Of the tracked files those that stand here unseen, and submodules that are checked out. */
async function readIndex(git: Git, path: string): Promise<{ hidden: string[]; submodules: string[] }> {
  const listed = await git.ok(["ls-files", "-v", "--stage", "-z"], at(path));
  const hidden: string[] = [];
  const submodules: string[] = [];
  for (const record of listed.toString("utf8").split("\0")) {
    const [, tag = "", mode = "", file = ""] = /^(\S) (\d+) [^\t]*\t(.*)$/s.exec(record) ?? [];
    if (mode === "160000" && (await lstatOrNull(join(path, file, ".git")))) submodules.push(file);
    if (/[a-zS]/.test(tag) && mode !== "160000" && (await lstatOrNull(join(path, file)))) hidden.push(file);
  }
  return { hidden, submodules };
}

async function namesIn(folder: string): Promise<string[]> {
  return (await lstatOrNull(folder)) ? readdir(folder) : [];
}
