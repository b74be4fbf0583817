import { rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makeFolder } from "../../platform/index.ts";
import { WritError } from "../../contract/index.ts";
import type { Git } from "../../platform/index.ts";

/** One product repository to be cloned from the cache. */
export interface CloneOrder {
  /** The cached repository. */
  from: string;
  /** The folder to make: under staging, renamed into place later. */
  to: string;
  /** The URL a person would have cloned from. */
  url: string;
  /** Full name of a branch or tag; absent for a pinned commit. */
  ref?: string;
  commit: string;
  /** Full name of the branch that HEAD of the remote points to. */
  head?: string;
  /** Files and folders to check out, set before the first checkout. */
  sparse?: readonly string[];
}

/**
 * Clones from the cache, with hard links where the file system allows, into a repository that looks as if it
 * had been cloned from its URL: a branch at the locked commit with its upstream set, or a detached HEAD.
 */
export async function cloneFromCache(git: Git, order: CloneOrder): Promise<void> {
  const { to, url, ref, commit } = order;
  await makeFolder(dirname(to));
  await cloneObjects(git, order);
  const at = { gitDir: join(to, ".git"), workTree: to, writes: true };
  // Without a template git does not make it, and people and tools write info/exclude without asking.
  await makeFolder(join(at.gitDir, "info"));
  await git.ok(["config", "remote.origin.url", url], at);
  const branch = ref?.startsWith("refs/heads/") ? ref.slice("refs/heads/".length) : undefined;
  if (branch === undefined) {
    await git.ok(["update-ref", "--no-deref", "HEAD", commit], at);
  } else {
    await git.ok(["update-ref", `refs/heads/${branch}`, commit], at);
    await git.ok(["symbolic-ref", "HEAD", `refs/heads/${branch}`], at);
    await git.ok(["config", `branch.${branch}.remote`, "origin"], at);
    await git.ok(["config", `branch.${branch}.merge`, `refs/heads/${branch}`], at);
  }
  await pointOriginHead(git, order);
  if (order.sparse) await makeSparse(git, order);
  await git.ok(["checkout", "--quiet", "--force", "--no-recurse-submodules", "HEAD", "--"], {
    ...at,
    timeoutMs: 300_000,
  });
}

async function cloneObjects(git: Git, { from, to }: CloneOrder): Promise<void> {
  const clone = async (...how: string[]): Promise<void> => {
    const args = [
      "clone",
      "--quiet",
      "--no-checkout",
      "--origin",
      "origin",
      "--template=",
      "--no-recurse-submodules",
    ];
    await git.ok([...args, ...how, "--end-of-options", from, to], {
      writes: true,
      fromCache: true,
      timeoutMs: 300_000,
    });
  };
  try {
    await clone();
  } catch (error) {
    if (!(error instanceof WritError) || error.code === "E_CANCELLED") throw error;
    // Another process may have fetched into the cache while its files were being linked.
    await rm(to, { recursive: true, force: true });
    await clone("--no-local");
  }
}

async function pointOriginHead(git: Git, { to, head }: CloneOrder): Promise<void> {
  if (!head?.startsWith("refs/heads/")) return;
  const tracking = `refs/remotes/origin/${head.slice("refs/heads/".length)}`;
  await git.ok(["symbolic-ref", "refs/remotes/origin/HEAD", tracking], {
    gitDir: join(to, ".git"),
    writes: true,
  });
}

async function makeSparse(git: Git, { to, sparse = [] }: CloneOrder): Promise<void> {
  const gitDir = join(to, ".git");
  await git.ok(["config", "core.sparseCheckout", "true"], { gitDir, writes: true });
  await git.ok(["config", "core.sparseCheckoutCone", "false"], { gitDir, writes: true });
  const patterns = sparse.map((path) => `/${escapePattern(path.replace(/\/+$/, ""))}\n`);
  await writeFile(join(gitDir, "info", "sparse-checkout"), patterns.join(""));
}

// The paths are plain names; to git they are patterns.
function escapePattern(path: string): string {
  return path.replace(/[\\*?[\]!#]/g, "\\$&");
}
