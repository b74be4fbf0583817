import { resolve as resolvePath } from "node:path";
import { fail, type Warning, type WritError } from "../../contract/index.ts";
import type { GitSource } from "../../platform/index.ts";
import { STACK_REPOSITORY_BYTES, type Cache } from "./cache.ts";
import { commitExists, isReachable } from "./cache-read.ts";
import { openLocal } from "./local-source.ts";
import { chooseRef, type Chosen } from "./ref-choice.ts";
import type { RemoteRefs } from "./remote-refs.ts";
import { fetchTogether } from "./resolve-together.ts";
import { normaliseUrl, urlOf, type Resolvable, type Want } from "../declare/sources.ts";

/** One source that is asked for. */
export interface Asked {
  label: string;
  kind: "registry" | "stack" | "repository";
  source: Resolvable;
  want: Want;
  /** The organisation behind a shortcut, when the source was written as one. */
  shortcutOrg?: string;
  /** How the user names another one; where workspace.yml does not name it. */
  correct?: string;
  /** What the lock answers, when it does. */
  locked?: { ref?: string; commit?: string };
  /** The lock's answer is only compared with, not used. */
  update?: boolean;
  /** False when nothing is to be read from the commit: a repository that is cloned already. */
  needsObjects?: boolean;
}

/** What a source comes to. */
export interface Answer extends Partial<Chosen> {
  label: string;
  /** The URL git is given; the absolute path of a local stack. */
  url: string;
  /** Where its objects are read; absent for a plain folder, which has no commit either. */
  gitDir?: string;
  from: "lock" | "cache" | "remote" | "path";
}

export interface ResolveOptions {
  cache: Cache;
  /** WRIT_GIT_BASE. */
  base: string;
  /** The workspace's root, for local paths. */
  root: string;
  offline: boolean;
  /** A dry run: objects may be added to the cache, its refs stay. */
  keepRefs?: boolean;
  /** How many sources are fetched at once. */
  jobs: number;
  /** What remotes said in this call: each is asked once, also when it is registry, stack and repository. */
  asked?: Map<string, RemoteRefs>;
  /** Gets the labels of what remotes gave. */
  fetched?: Set<string>;
  warn: (warning: Warning) => void;
  signal?: AbortSignal;
  onFetch?: (event: { source: string; done: number; total: number }) => void;
  /** Told of each answer while others are still fetched; what it throws is a defect. */
  onAnswer?: (asked: Asked, answer: Answer) => Promise<void>;
  /** How long running fetches may go on after a failure; 5 s. */
  graceMs?: number;
}

/**
 * Answers every source: from the lock, else offline from the refs the cache saw last, else from the remote.
 * All failures are reported together; what was fetched stays in the cache.
 */
export async function resolveSources(asked: readonly Asked[], options: ResolveOptions): Promise<Answer[]> {
  const groups = Map.groupBy(asked, (ask) =>
    // Each repository is asked once, however many entries name it.
    ask.source.kind === "path" ? `path:${ask.label}` : normaliseUrl(urlOf(ask.source, options.base)),
  );
  const answers = await fetchTogether({ asked, groups: [...groups.values()] }, options, (group, signal) =>
    answerGroup(group, { ...options, signal }),
  );
  return asked.map((ask) => {
    const answer = answers.get(ask) as Answer;
    if (answer.from === "remote") options.fetched?.add(ask.label);
    return answer;
  });
}

type Settled = readonly [Asked, Answer | WritError];

async function answerGroup(group: readonly Asked[], options: ResolveOptions): Promise<Settled[]> {
  const [first] = group;
  if (!first) return [];
  if (first.source.kind === "path") return [[first, await answerLocal(first, options)]];
  const source = sourceOf(first, options);
  const stored = await options.cache.refs(source.url);
  const settled: Settled[] = [];
  const open: Asked[] = [];
  for (const ask of group) {
    const answer = await answerFromLock(ask, stored, options);
    if (answer) settled.push([ask, answer]);
    else open.push(ask);
  }
  if (open.length === 0) return settled;
  if (options.offline && !stored) return [...settled, ...open.map((ask) => [ask, offlineMiss(ask)] as const)];
  const refs = options.offline && stored ? stored : await fetchRefs(group, source, options);
  for (const ask of open) settled.push([ask, await attempt(() => answerFromRefs(ask, refs, options))]);
  return settled;
}

async function fetchRefs(
  group: readonly Asked[],
  source: GitSource,
  options: ResolveOptions,
): Promise<RemoteRefs> {
  const said = options.asked?.get(source.url);
  if (said) return said;
  const isStack = group.some((ask) => ask.kind !== "repository");
  const refs = await options.cache.fetch(source, {
    keepRefs: options.keepRefs,
    signal: options.signal,
    ...(isStack && { maxBytes: STACK_REPOSITORY_BYTES }),
  });
  options.asked?.set(source.url, refs);
  return refs;
}

function sourceOf(ask: Asked, options: ResolveOptions): GitSource {
  return {
    url: urlOf(ask.source, options.base),
    label: ask.label,
    ...(ask.shortcutOrg !== undefined && { shortcutOrg: ask.shortcutOrg }),
    ...(ask.correct !== undefined && { correct: ask.correct }),
  };
}

async function answerFromLock(
  ask: Asked,
  refs: RemoteRefs | null,
  options: ResolveOptions,
): Promise<Answer | undefined> {
  const commit = ask.locked?.commit;
  if (commit === undefined || ask.update) return undefined;
  const url = urlOf(ask.source, options.base);
  const answer: Answer = {
    label: ask.label,
    url,
    gitDir: options.cache.gitDir(url),
    ref: ask.locked?.ref,
    commit,
    from: "lock",
  };
  if (ask.needsObjects === false) return answer;
  if (!refs || !(await options.cache.has(url, commit))) return undefined;
  return (await options.cache.reaches(url, commit, refs)) ? answer : undefined;
}

async function answerFromRefs(ask: Asked, refs: RemoteRefs, options: ResolveOptions): Promise<Answer> {
  const { cache, offline, warn } = options;
  const url = urlOf(ask.source, options.base);
  const locked = ask.update ? undefined : ask.locked;
  const chosen = locked?.commit
    ? { ref: locked.ref, commit: locked.commit }
    : chooseRef(ask.want, refs, ask.label);
  // What a remote was just asked for has arrived, or is not among the refs it told.
  const isNew = !offline && [...refs.refs.values()].includes(chosen.commit);
  const here = isNew || (await cache.has(url, chosen.commit));
  if (offline && !here) throw offlineMiss(ask);
  if (!here || !(await cache.reaches(url, chosen.commit, refs))) throw commitGone(ask, chosen.commit);
  const from = locked?.commit ? "lock" : offline ? "cache" : "remote";
  if (from === "cache") warn(cachedRefs(ask.label));
  if (ask.update) warnOfMovedTag(ask, chosen, warn);
  return { label: ask.label, url, gitDir: cache.gitDir(url), ...chosen, from };
}

async function answerLocal(ask: Asked, options: ResolveOptions): Promise<Answer> {
  const { cache, root, warn } = options;
  const path = resolvePath(root, urlOf(ask.source, options.base));
  const local = await openLocal(cache.git, { path, label: ask.label, warn });
  const answer: Answer = { label: ask.label, url: path, from: "path" };
  if (!local.gitDir || !local.refs || !local.head) return answer;
  const locked = ask.update ? undefined : ask.locked;
  const wanted = ask.want === "default" ? local.head : chooseRef(ask.want, local.refs, ask.label);
  const chosen: Chosen = locked?.commit ? { ref: locked.ref, commit: locked.commit } : wanted;
  const at = { gitDir: local.gitDir, commit: chosen.commit };
  const reachable =
    (await commitExists(cache.git, at.gitDir, at.commit)) &&
    (await isReachable(cache.git, { ...at, refs: local.refs }));
  if (!reachable) throw commitGone(ask, chosen.commit);
  if (ask.update) warnOfMovedTag(ask, chosen, warn);
  return { ...answer, ...chosen, gitDir: local.gitDir, ...(locked?.commit && { from: "lock" as const }) };
}

async function attempt(work: () => Promise<Answer>): Promise<Answer | WritError> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error && "failure" in error) return error as WritError;
    throw error;
  }
}

function warnOfMovedTag(ask: Asked, chosen: Chosen, warn: ResolveOptions["warn"]): void {
  const { locked } = ask;
  const isTag = chosen.ref?.startsWith("refs/tags/") && locked?.ref === chosen.ref;
  if (!isTag || !locked?.commit || locked.commit === chosen.commit) return;
  warn({
    code: "W_TAG_MOVED",
    message: `The tag ${chosen.ref?.slice("refs/tags/".length)} of ${ask.label} pointed to ${locked.commit.slice(0, 8)} and now points to ${chosen.commit.slice(0, 8)}.`,
    remediation: "Ask its owners why a published tag was moved; a commit can be pinned instead.",
  });
}

function cachedRefs(label: string): Warning {
  return {
    code: "W_CACHED_REFS",
    message: `${label} was not asked; its branches and tags are those the cache saw last.`,
    remediation: "Run the command again without --offline.",
  };
}

function commitGone(ask: Asked, commit: string): WritError {
  const what = ask.kind === "repository" ? "repository" : "stack";
  return fail("E_COMMIT_GONE", {
    message: `The commit ${commit} of the ${what} ${ask.label} is on no branch or tag.`,
    cause: "Its history was rewritten, or the commit was never part of that repository.",
    remediation: `Move to a newer commit: writ bootstrap --update${ask.kind === "stack" ? ` --stack ${ask.label}` : ""}`,
    details: { [what]: ask.label, commit },
  });
}

function offlineMiss(ask: Asked): WritError {
  return fail("E_OFFLINE_MISS", {
    message: `${ask.label} is not in the cache, and the call is offline.`,
    cause: ask.locked?.commit
      ? `The commit ${ask.locked.commit} was never fetched here.`
      : "It was never fetched here.",
    remediation: "Run the same command once with network, without --offline.",
    details: { source: ask.label },
  });
}
