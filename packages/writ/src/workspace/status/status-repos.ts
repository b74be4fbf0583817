import { join } from "node:path";
import { lstatOrNull } from "../../platform/index.ts";
import type { LockRepo } from "../declare/model/lock.ts";
import type { Sources } from "../sources/open-sources.ts";
import { repoDistance } from "../repos/repo-forward.ts";
import { repoFacts, type RepoFacts } from "../repos/repos-git.ts";
import { identityOf, identityOfRemote, parseRepoText, urlOf } from "../declare/sources.ts";

/** One product repository, as status shows it. */
export interface RepoStatus {
  path: string;
  repo: string;
  ref: string;
  exists: boolean;
  is_git: boolean;
  right_remote: boolean;
  lockfile_commit: string;
  head_commit: string | null;
  branch?: string;
  modified: string[];
  modified_count: number;
  untracked_count: number;
  behind?: number;
  ahead?: number;
  unpushed: number;
  stashes: number;
  in_progress?: string;
  matches_lock: boolean;
}

// Enough for a person to recognise their work; the count says the rest.
const shownPaths = 100;

/** Where a locked repository stands; nothing in its .git is written, not even the index. */
export async function repoStatus(
  root: string,
  locked: LockRepo,
  { sources, fetch }: { sources: Sources; fetch: boolean },
): Promise<RepoStatus> {
  const folder = join(root, locked.path);
  const stats = await lstatOrNull(folder);
  const told = {
    path: locked.path,
    repo: locked.repo,
    ref: locked.ref,
    exists: stats !== null,
    lockfile_commit: locked.commit,
  };
  if (!stats?.isDirectory()) return { ...told, ...nothing };
  const facts = await repoFacts(sources.git, folder);
  if (!facts.isGit) return { ...told, ...nothing };
  const source = parseRepoText(locked.repo).value;
  const identity = source && identityOf(source, sources.base);
  return {
    ...told,
    is_git: true,
    right_remote: facts.remotes.some(({ url }) => identityOfRemote(url) === identity),
    head_commit: facts.head ?? null,
    ...(facts.branch !== undefined && { branch: facts.branch }),
    modified: facts.modified.slice(0, shownPaths),
    modified_count: facts.modified.length,
    untracked_count: facts.untracked.length,
    ...(await upstreamDistance(folder, { locked, facts, sources, fetch })),
    unpushed: facts.unpushed,
    stashes: facts.stashes,
    ...(facts.inProgress && { in_progress: facts.inProgress }),
    matches_lock: facts.head === locked.commit && facts.modified.length === 0 && facts.untracked.length === 0,
  };
}

const nothing = {
  is_git: false,
  right_remote: false,
  head_commit: null,
  modified: [],
  modified_count: 0,
  untracked_count: 0,
  unpushed: 0,
  stashes: 0,
  matches_lock: false,
};

interface Upstream {
  locked: LockRepo;
  facts: RepoFacts;
  sources: Sources;
  fetch: boolean;
}

/** Counted in the cache, with the repository's own objects lent to it. */
async function upstreamDistance(
  path: string,
  { locked, facts, sources, fetch }: Upstream,
): Promise<{ behind?: number; ahead?: number }> {
  const source = parseRepoText(locked.repo).value;
  if (!source || source.kind === "path" || facts.head === undefined) return {};
  const url = urlOf(source, sources.base);
  const refs = fetch ? await sources.cache.fetch({ url, label: locked.path }) : await sources.cache.refs(url);
  const to = refs?.refs.get(locked.ref);
  if (to === undefined) return {};
  return repoDistance(sources.git, { path, cache: sources.cache.gitDir(url), from: facts.head, to }).catch(
    () => ({}),
  );
}
