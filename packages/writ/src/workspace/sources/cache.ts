import { join } from "node:path";
import type { Clock } from "../../contract/index.ts";
import { sha256Hex, storingUnder, systemClock, type Git, type GitSource } from "../../platform/index.ts";
import { fetchInto, type Limits } from "./cache-fetch.ts";
import { markUsed, readStored, readWhole, type Place } from "./cache-place.ts";
import { commitExists, isReachable } from "./cache-read.ts";
import { notingMissing, wasMissing } from "./missing.ts";
import type { RemoteRefs } from "./remote-refs.ts";
import { normaliseUrl } from "../declare/sources.ts";

/** How the cache is opened, once a call. */
export interface CacheOptions {
  /** The cache folder. */
  folder: string;
  git: Git;
  /** How long to wait for another process that fetches the same repository. */
  lockWaitMs: number;
  /** The command at work, shown to those who wait for it. */
  command: string;
  signal?: AbortSignal;
  /** How often the size of a fetch is looked at; one second. */
  checkEveryMs?: number;
  onWait?: (source: string) => void;
  /** Dates the last use of a repository, for pruning. */
  clock?: Clock;
}

export interface FetchOptions {
  /** Adds objects but leaves the refs the cache has: a dry run. */
  keepRefs?: boolean;
  /** Bound of the repository on disk; absent for product repositories, which people own. */
  maxBytes?: number;
  signal?: AbortSignal;
}

/** The bound of one stack repository while it is fetched. */
export const STACK_REPOSITORY_BYTES = 512 * 1024 * 1024;

/** The bare mirrors of every repository that was asked for. Readers take no lock; it is always safe to delete. */
export interface Cache {
  folder: string;
  git: Git;
  /** The cached repository of a URL, whether it exists or not. */
  gitDir(url: string): string;
  /** The refs the cache saw last; null when it never asked. */
  refs(url: string): Promise<RemoteRefs | null>;
  /** Asks the remote and mirrors its branches and tags; returns what the remote has now. */
  fetch(source: GitSource, options?: FetchOptions): Promise<RemoteRefs>;
  /** Whether the remote said, when it was asked last, that there is no such repository. */
  wasMissing(url: string): Promise<boolean>;
  /** Whether the commit's object is here. */
  has(url: string, commit: string): Promise<boolean>;
  /** Whether a branch or tag leads to the commit. */
  reaches(url: string, commit: string, refs: RemoteRefs): Promise<boolean>;
}

/** Opens the cache; nothing is made or read before it is needed. */
export function openCache(options: CacheOptions): Cache {
  const { folder, git } = options;
  const placeOf = (url: string): Place => {
    const normal = normaliseUrl(url);
    const hash = sha256Hex(normal);
    const gitDir = join(folder, "git", hash.slice(0, 2), `${hash}.git`);
    return { url: normal, hash, gitDir, folder, tmp: join(folder, "tmp") };
  };
  return {
    folder,
    git,
    gitDir: (url) => placeOf(url).gitDir,
    async refs(url) {
      const place = placeOf(url);
      await markUsed(place.gitDir, (options.clock ?? systemClock).now());
      return readStored(place);
    },
    fetch: (source, how = {}) => {
      const limits: Limits = { maxBytes: how.maxBytes, checkEveryMs: options.checkEveryMs ?? 1_000 };
      const place = placeOf(source.url);
      const fetch = {
        git,
        source,
        limits,
        // A stack tells all its refs at once; a product repository may have a hundred thousand that nobody wants.
        ...(how.maxBytes !== undefined && { protocol: 0 as const }),
        keepRefs: how.keepRefs === true,
        lock: {
          waitMs: options.lockWaitMs,
          command: options.command,
          onWait: () => options.onWait?.(source.label),
        },
        signal: how.signal ?? options.signal,
      };
      return storingUnder(folder, () => notingMissing(place, () => fetchInto(place, fetch)), "cache");
    },
    wasMissing: (url) => wasMissing(placeOf(url)),
    async has(url, commit) {
      const { gitDir } = placeOf(url);
      const whole = await readWhole({ gitDir });
      return (whole && [...whole.refs.values()].includes(commit)) || commitExists(git, gitDir, commit);
    },
    reaches: (url, commit, refs) => isReachable(git, { gitDir: placeOf(url).gitDir, commit, refs }),
  };
}
