import { join } from "node:path";
import { lstatOrNull, type Git } from "../../platform/index.ts";
import { distance, type Distance } from "../sources/cache-read.ts";
import { objectsFolder } from "./repo-folders.ts";
import { repoFacts, type RepoFacts } from "./repos-git.ts";

/** Why a repository was kept as it is. */
export type KeptReason = "other_branch" | "dirty" | "diverged" | "detached" | "in_progress" | "ahead";

export interface ForwardOrder {
  /** The repository of the user. */
  path: string;
  /** Short name of the declared branch. */
  branch: string;
  /** The newest commit of that branch on the remote. */
  commit: string;
  /** The cached repository, which has that commit. */
  cache: string;
  /** The remote's name in the user's repository; "origin". */
  remote?: string;
  /** Only says what would be done. */
  dryRun?: boolean;
}

export interface Forwarded {
  action: "updated" | "kept";
  /** Absent when there was nothing to do. */
  reason?: KeptReason;
  from?: string;
  to?: string;
}

/** Moves a clean repository forward to the remote's commit; in every other case nothing in it changes. */
export async function fastForward(git: Git, order: ForwardOrder): Promise<Forwarded> {
  const facts = await repoFacts(git, order.path);
  const state = reasonOf(facts, order.branch);
  if (state) return { action: "kept", reason: state };
  const head = facts.head ?? "";
  if (head === order.commit) return { action: "kept" };
  const apart = await repoDistance(git, {
    path: order.path,
    cache: order.cache,
    from: head,
    to: order.commit,
  });
  if (apart.ahead > 0) return { action: "kept", reason: apart.behind > 0 ? "diverged" : "ahead" };
  if (await standsInTheWay(git, order, head)) return { action: "kept", reason: "dirty" };
  if (!order.dryRun && !(await move(git, order))) return { action: "kept", reason: "dirty" };
  return { action: "updated", from: head, to: order.commit };
}

/** Counts in the cache, where the user's objects are only lent, so that nothing in the user's `.git` is written. */
export async function repoDistance(
  git: Git,
  { path, cache, from, to }: { path: string; cache: string; from: string; to: string },
): Promise<Distance> {
  if (from === to) return { behind: 0, ahead: 0 };
  const objects = await objectsFolder(git, join(path, ".git"));
  return distance(git, { gitDir: cache, from, to, alternates: objects ? [objects] : [] });
}

function reasonOf(facts: RepoFacts, branch: string): KeptReason | undefined {
  if (facts.inProgress) return "in_progress";
  if (facts.detached) return "detached";
  if (facts.branch !== branch) return "other_branch";
  if (facts.modified.length > 0 || facts.head === undefined) return "dirty";
  return undefined;
}

// Git itself would keep an untracked file, but overwrite an ignored one: both are the user's.
async function standsInTheWay(
  git: Git,
  { path, cache, commit }: ForwardOrder,
  head: string,
): Promise<boolean> {
  const objects = await objectsFolder(git, join(path, ".git"));
  const told = await git.ok(
    [
      "diff-tree",
      "-r",
      "-z",
      "--no-renames",
      "--name-status",
      "--diff-filter=AD",
      "--end-of-options",
      head,
      commit,
    ],
    { gitDir: cache, alternates: objects ? [objects] : [] },
  );
  const fields = told.toString("utf8").split("\0");
  const added: string[] = [];
  const removed = new Set<string>();
  for (let i = 0; i + 1 < fields.length; i += 2) {
    if (fields[i] === "D") removed.add(fields[i + 1] ?? "");
    else added.push(fields[i + 1] ?? "");
  }
  for (const file of added) if (await isTaken(path, file, removed)) return true;
  return false;
}

async function isTaken(root: string, file: string, removed: ReadonlySet<string>): Promise<boolean> {
  const segments = file.split("/");
  for (let i = 1; i <= segments.length; i++) {
    const part = segments.slice(0, i).join("/");
    const stats = await lstatOrNull(join(root, part));
    if (!stats) return false;
    const blocks = i === segments.length || !stats.isDirectory();
    if (blocks && !removed.has(part)) return true;
  }
  return false;
}

async function move(git: Git, order: ForwardOrder): Promise<boolean> {
  const { path, branch, commit, cache, remote = "origin" } = order;
  const at = { gitDir: join(path, ".git"), workTree: path, writes: true, timeoutMs: 300_000 };
  const tracking = `+refs/heads/${branch}:refs/remotes/${remote}/${branch}`;
  const quiet =
    "fetch --quiet --no-tags --no-write-fetch-head --no-auto-maintenance --no-recurse-submodules".split(" ");
  await git.ok([...quiet, "--end-of-options", cache, tracking], { ...at, fromCache: true });
  const merged = await git.run(
    ["-c", "merge.autoStash=false", "merge", "--ff-only", "--quiet", "--end-of-options", commit],
    at,
  );
  return merged.code === 0;
}
