import { mkdir, mkdtemp, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { WritError } from "../../contract/index.ts";
import { compareBytes, readOrNull, storing, withLock, type Git } from "../../platform/index.ts";
import { refsFile } from "./cache-place.ts";
import { folderBytes } from "./cache-size.ts";
import { parseRefs } from "./remote-refs.ts";

/** One repository of the cache. */
export interface CachedRepository {
  /** Its normalised URL; the hash of it where that was not kept. */
  repo: string;
  gitDir: string;
  lock: string;
  bytes: number;
  usedAtMs: number;
}

export interface PruneOptions {
  folder: string;
  git: Git;
  command: string;
  nowMs: number;
  olderThanDays: number;
  /** Only the repository of this normalised URL, however young it is. */
  repo?: string;
  /** Everything, unpushed work included. */
  all?: boolean;
  dryRun?: boolean;
}

export type KeptReason = "recent" | "busy" | "unpushed";

export interface Pruned {
  removed: { repo: string; bytes: number }[];
  kept: { repo: string; reason: KeptReason }[];
  freedBytes: number;
}

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Lists the repositories of a cache by URL; a cache that is not there holds none. */
export async function listCached(folder: string): Promise<CachedRepository[]> {
  const root = join(folder, "git");
  const found: CachedRepository[] = [];
  for (const shard of await namesIn(root)) {
    for (const name of await namesIn(join(root, shard))) {
      if (name.endsWith(".git")) found.push(await describe(join(root, shard, name)));
    }
  }
  return found.sort((a, b) => compareBytes(a.repo, b.repo));
}

async function describe(gitDir: string): Promise<CachedRepository> {
  const kept = await readOrNull(join(gitDir, refsFile));
  return {
    repo: (kept && parseRefs(kept.toString("utf8"))?.url) ?? basename(gitDir, ".git"),
    gitDir,
    lock: gitDir.replace(/\.git$/, ".lock"),
    bytes: await folderBytes(gitDir),
    usedAtMs: (await stat(gitDir)).mtimeMs,
  };
}

/** Removes what has not been used for long, and leftovers of killed processes; repositories at work are skipped. */
export async function pruneCache(options: PruneOptions): Promise<Pruned> {
  const pruned: Pruned = { removed: [], kept: [], freedBytes: 0 };
  await storing("cache", async () => {
    for (const cached of await listCached(options.folder)) {
      if (options.repo !== undefined && cached.repo !== options.repo) continue;
      const reason = await alone(cached.lock, options, () => pruneOne(cached, options));
      if (reason) pruned.kept.push({ repo: cached.repo, reason });
      else {
        pruned.removed.push({ repo: cached.repo, bytes: cached.bytes });
        pruned.freedBytes += cached.bytes;
      }
    }
    if (!options.dryRun) pruned.freedBytes += await removeLeftovers(options);
  });
  return pruned;
}

async function pruneOne(cached: CachedRepository, options: PruneOptions): Promise<KeptReason | undefined> {
  const { all, repo, olderThanDays, nowMs, dryRun, git } = options;
  const isOld = nowMs - cached.usedAtMs >= olderThanDays * DAY_MS;
  const reason = all
    ? undefined
    : (await hasOwnRefs(git, cached.gitDir))
      ? "unpushed"
      : isOld || repo !== undefined
        ? undefined
        : "recent";
  if (dryRun) return reason;
  if (reason === undefined) await removeRepository(cached, options.folder);
  else await packLooseObjects(git, cached.gitDir);
  return reason;
}

/** Out of sight in one step, so that a process killed half-way leaves no half of a repository. */
async function removeRepository({ gitDir }: CachedRepository, folder: string): Promise<void> {
  const tmp = join(folder, "tmp");
  await mkdir(tmp, { recursive: true });
  const away = join(await mkdtemp(join(tmp, `${basename(gitDir).slice(0, 16)}-`)), "pruned");
  await rename(gitDir, away);
  await rm(dirname(away), { recursive: true, force: true });
}

// Whatever is no mirrored branch or tag was made here, and may exist nowhere else.
async function hasOwnRefs(git: Git, gitDir: string): Promise<boolean> {
  const listed = await git.run(["for-each-ref", "--format=%(refname)"], { gitDir });
  return listed.stdout
    .toString("utf8")
    .split("\n")
    .some((name) => name !== "" && !/^refs\/(heads|tags)\//.test(name));
}

// Objects that no ref holds are kept: another process may have just fetched them for a dry run.
async function packLooseObjects(git: Git, gitDir: string): Promise<void> {
  await git.run(["repack", "-a", "-d", "-k", "-l", "--quiet"], { gitDir, writes: true, timeoutMs: 300_000 });
}

async function alone(
  lock: string,
  { command }: PruneOptions,
  work: () => Promise<KeptReason | undefined>,
): Promise<KeptReason | undefined> {
  try {
    return await withLock(lock, { waitMs: 0, what: "a cached repository", command }, work);
  } catch (error) {
    if (error instanceof WritError && error.code === "E_STORE_LOCKED") return "busy";
    throw error;
  }
}

async function removeLeftovers(options: PruneOptions): Promise<number> {
  const tmp = join(options.folder, "tmp");
  let freed = 0;
  for (const name of await namesIn(tmp)) {
    const left = join(tmp, name);
    const bytes = await folderBytes(left);
    const lock = await lockOf(options.folder, name);
    const remove = async (): Promise<undefined> => {
      await rm(left, { recursive: true, force: true });
    };
    if (lock === undefined) await remove();
    else if ((await alone(lock, options, remove)) === "busy") continue;
    freed += bytes;
  }
  return freed;
}

/** The lock of the fetch that a temporary folder belongs to, when one is held or was left behind. */
async function lockOf(folder: string, name: string): Promise<string | undefined> {
  const shard = join(folder, "git", name.slice(0, 2));
  const lock = (await namesIn(shard)).find(
    (file) => file.startsWith(name.slice(0, 16)) && file.endsWith(".lock"),
  );
  return lock && join(shard, lock);
}

async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(() => [])).sort(compareBytes);
}
