import { mkdtemp, readdir, rename, rmdir, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fail, type Context, WritError } from "../../contract/index.ts";
import { makeFolder, removeTree, storingUnder, withLock, type Git } from "../../platform/index.ts";
import { listCache, type CachedRepo } from "./cache-list.ts";
import { lockOf } from "./cache-place.ts";
import { folderBytes } from "./cache-size.ts";
import { openSources } from "./open-sources.ts";
import { looksLikeUrl } from "../declare/urls.ts";
import { identityOfRemote, parseSource, urlOf } from "../declare/sources.ts";

export interface PruneRequest {
  olderThanDays: number;
  repo?: string;
  all: boolean;
}

export interface Pruned extends Record<string, unknown> {
  removed: { repo: string; bytes: number }[];
  kept: { repo: string; reason: string }[];
  freed_bytes: number;
  changed: boolean;
}

const dayMs = 24 * 60 * 60 * 1000;
// A fetch holds its staging folder for as long as a network call may take; a day is beyond any.
const leftoverMs = dayMs;

/** Removes cached repositories that nobody has used for long, and what dead fetches left; busy ones are skipped. */
export async function pruneCache(ctx: Context, request: PruneRequest): Promise<Pruned> {
  const { git, base, protocols, cache } = openSources({
    settings: ctx.settings,
    folder: ctx.folders.cache,
    signal: ctx.signal,
    command: "writ cache prune",
  });
  const { folder } = cache;
  const repos = await listCache(folder);
  const only = request.repo === undefined ? undefined : identityOfGiven(request.repo, { base, protocols });
  const pruned: Pruned = { removed: [], kept: [], freed_bytes: 0, changed: false };
  for (const repo of repos) {
    if (only !== undefined && identityOfRemote(repo.repo) !== only) continue;
    await pruneOne(ctx, repo, { git, request, pruned, folder });
  }
  if (only === undefined) {
    await removeOld(ctx, { folder, below: "tmp", olderMs: leftoverMs }, pruned);
    // What workspace.yml was read as is kept for workspaces that are long gone as well.
    await removeOld(ctx, { folder, below: "read", olderMs: ageOf(request) }, pruned);
    await removeOld(ctx, { folder, below: "missing", olderMs: ageOf(request) }, pruned);
  }
  pruned.changed = pruned.freed_bytes > 0 || pruned.removed.length > 0;
  return pruned;
}

function identityOfGiven(
  text: string,
  { base, protocols }: { base: string; protocols: readonly string[] },
): string {
  const source = looksLikeUrl(text) ? undefined : parseSource(text, { protocols, allowFile: true }).value;
  const url = source?.kind === "repo" ? urlOf(source, base) : text;
  const identity = identityOfRemote(url);
  if (identity !== undefined) return identity;
  throw fail("E_INVALID_VALUE", {
    message: `"${text.slice(0, 80)}" names no repository.`,
    cause: "It is neither org/repo nor a git URL.",
    remediation: "Give one of them, as an answer names it: writ cache prune --repo org/repo",
    details: { repo: text.slice(0, 80) },
  });
}

async function pruneOne(
  ctx: Context,
  repo: CachedRepo,
  { git, request, pruned, folder }: { git: Git; request: PruneRequest; pruned: Pruned; folder: string },
): Promise<void> {
  const keep = (reason: string) => pruned.kept.push({ repo: repo.repo, reason });
  const age = ctx.clock.now() - repo.usedAt;
  const wanted = request.repo !== undefined || age >= ageOf(request);
  const lock = lockOf(repo.gitDir);
  try {
    // Whoever fetches it right now is not waited for.
    await withLock(
      lock.path,
      {
        waitMs: 0,
        what: "a cached repository",
        folder: lock.folder,
        command: "writ cache prune",
        signal: ctx.signal,
      },
      async () => {
        if (wanted && (request.all || !(await hasPromotion(git, repo.gitDir)))) {
          if (!ctx.dryRun) await storingUnder(folder, () => removeRepository(repo, folder), "cache");
          pruned.removed.push({ repo: repo.repo, bytes: repo.bytes });
          pruned.freed_bytes += repo.bytes;
          return;
        }
        keep(wanted ? "an unpushed promotion" : "recently used");
        if (!ctx.dryRun) pruned.freed_bytes += await packLoose(git, repo);
      },
    );
    if (!ctx.dryRun) await rmdir(dirname(repo.gitDir)).catch(() => {});
  } catch (error) {
    if (!(error instanceof WritError) || error.code !== "E_STORE_LOCKED") throw error;
    keep("busy");
  }
}

/** Out of sight in one step, so that a process that is killed half-way leaves no half of a repository. */
async function removeRepository({ gitDir }: CachedRepo, folder: string): Promise<void> {
  const tmp = join(folder, "tmp");
  await makeFolder(tmp);
  const away = await mkdtemp(join(tmp, `${basename(gitDir).slice(0, 16)}-`));
  await rename(gitDir, join(away, "pruned"));
  await removeTree(away);
}

/** The age in milliseconds from which something goes. */
function ageOf({ all, olderThanDays }: PruneRequest): number {
  return all ? Number.NEGATIVE_INFINITY : olderThanDays * dayMs;
}

/** A promotion's commit is nowhere else until it is pushed. */
async function hasPromotion(git: Git, gitDir: string): Promise<boolean> {
  const told = await git.run(["for-each-ref", "--count=1", "--format=%(refname)", "refs/writ/promote"], {
    gitDir,
  });
  return told.code === 0 && told.stdout.length > 0;
}

/** Packs loose objects; what they took and the pack does not is freed. */
async function packLoose(git: Git, repo: CachedRepo): Promise<number> {
  const counted = await git.run(["count-objects"], { gitDir: repo.gitDir });
  if (counted.code !== 0 || counted.stdout.toString("latin1").startsWith("0 ")) return 0;
  const packed = await git.run(["repack", "-d", "-q"], { gitDir: repo.gitDir, writes: true });
  return packed.code === 0 ? Math.max(0, repo.bytes - (await folderBytes(repo.gitDir))) : 0;
}

/** Removes what nobody has touched for long in a folder of the cache that needs no lock. */
async function removeOld(
  ctx: Context,
  { folder, below, olderMs }: { folder: string; below: "tmp" | "read" | "missing"; olderMs: number },
  pruned: Pruned,
): Promise<void> {
  for (const name of await readdir(join(folder, below)).catch(() => [])) {
    const path = join(folder, below, name);
    const found = await stat(path).catch(() => null);
    if (ctx.clock.now() - (found?.mtimeMs ?? 0) < olderMs) continue;
    pruned.freed_bytes += found?.isFile() ? found.size : await folderBytes(path);
    if (!ctx.dryRun) await storingUnder(folder, () => removeTree(path), "cache");
  }
}
