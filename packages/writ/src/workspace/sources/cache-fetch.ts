import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  makeFolder,
  lstatOrNull,
  storingUnder,
  withLock,
  type Git,
  type GitSource,
} from "../../platform/index.ts";
import { cloneInto } from "./cache-clone.ts";
import {
  holdsRefs,
  lockOf,
  readStored,
  readWhole,
  refsFile,
  settle,
  storeRefs,
  type Place,
} from "./cache-place.ts";
import { watchSize } from "./cache-size.ts";
import { missingObjects } from "./cache-read.ts";
import { objectsOf, parseRemoteRefs, type RemoteRefs } from "./remote-refs.ts";

export interface Limits {
  maxBytes?: number;
  checkEveryMs: number;
}

export interface FetchInto {
  git: Git;
  source: GitSource;
  limits: Limits;
  /** By which protocol the remote is asked for its refs. */
  protocol?: 0;
  keepRefs: boolean;
  lock: { waitMs: number; command: string; onWait?: () => void };
  signal?: AbortSignal;
}

// Words of git, in one line each as one would type them.
const words = (text: string): string[] => text.split(" ");

// Always one pack: a killed fetch leaves no half of a repository among the loose objects.
const fetchArguments = [
  ...words("-c fetch.unpackLimit=1 -c fetch.writeCommitGraph=false -c fetch.parallel=1"),
  // Git holds a smaller file in memory whole while it checks a pack, and by default that is up to 512 MiB.
  ...words("-c core.bigFileThreshold=16m"),
  ...words("fetch --quiet --no-tags --no-write-fetch-head --no-auto-maintenance --no-recurse-submodules"),
  ...words("--stdin --end-of-options"),
];

/**
 * Asks the remote of a cached repository, adds what is missing, and moves the mirrored refs. Mostly nothing has
 * moved, and then nobody has to wait for a lock.
 */
export async function fetchInto(place: Place, fetch: FetchInto): Promise<RemoteRefs> {
  const before = await stampOf(place);
  const listed = (await isHere(place)) ? await listRemote(fetch) : undefined;
  if (listed && (await holdsRefs(place.gitDir, listed))) return listed;
  const { path, folder } = lockOf(place.gitDir);
  const what = `the cache of ${fetch.source.label}`;
  const update = async (): Promise<RemoteRefs> => {
    // Whoever held the lock may have asked the remote in the meantime.
    const fresh = (await stampOf(place)) === before ? null : await readStored(place);
    if (fresh) return fresh;
    return (await isHere(place)) ? refresh(place, fetch, listed) : begin(place, fetch);
  };
  return withLock(path, { ...fetch.lock, what, folder, signal: fetch.signal }, () =>
    storingUnder(place.folder, update, "cache"),
  );
}

async function isHere({ gitDir }: Place): Promise<boolean> {
  return (await lstatOrNull(join(gitDir, "objects"))) !== null;
}

async function stampOf(place: Place): Promise<string> {
  const found = await stat(join(place.gitDir, refsFile), { bigint: true }).catch(() => null);
  return found ? `${found.ino}:${found.mtimeNs}` : "";
}

async function refresh(place: Place, fetch: FetchInto, listed?: RemoteRefs): Promise<RemoteRefs> {
  await removeHalfPacks(place.gitDir);
  const remote = await bring(place.gitDir, fetch, listed ?? (await listRemote(fetch)));
  if (!fetch.keepRefs) await storeRefs(place.gitDir, place.url, remote);
  return remote;
}

/** A new repository becomes visible only when it is complete. */
async function begin(place: Place, fetch: FetchInto): Promise<RemoteRefs> {
  await makeFolder(place.tmp);
  await makeFolder(dirname(place.gitDir));
  const name = place.hash.slice(0, 16);
  // What a killed owner of this lock left behind.
  for (const left of await readdir(place.tmp)) {
    if (left.startsWith(`${name}-`))
      await rm(join(place.tmp, left), { recursive: true, force: true }).catch(() => {});
  }
  const fresh = await mkdtemp(join(place.tmp, `${name}-`));
  try {
    const remote = await cloneInto(fresh, fetch);
    if (!fetch.keepRefs) await storeRefs(fresh, place.url, remote);
    await rm(place.gitDir, { recursive: true, force: true });
    await settle(fresh, place.gitDir);
    return remote;
  } catch (error) {
    await rm(fresh, { recursive: true, force: true }).catch(() => {});
    throw error;
  }
}

/** Asks for HEAD, branches and tags, and nothing else. */
async function listRemote({ git, source, signal, protocol }: FetchInto): Promise<RemoteRefs> {
  const listed = await git.remote(
    ["ls-remote", "--symref", "--end-of-options", source.url, "HEAD", "refs/heads/*", "refs/tags/*"],
    { network: source, signal, protocol },
  );
  return parseRemoteRefs(listed.toString("utf8"), source.label);
}

/** Brings the objects of the listed refs; asks once more when the remote moved between the two questions. */
async function bring(gitDir: string, fetch: FetchInto, listed: RemoteRefs): Promise<RemoteRefs> {
  const seen = await readWhole({ gitDir });
  const known = new Set(seen && objectsOf(seen).values());
  if ([...objectsOf(listed).values()].every((oid) => known.has(oid))) return listed;
  const missing = await missingRefs(gitDir, fetch.git, listed);
  if (missing.length === 0) return listed;
  try {
    await fetchRefs(gitDir, fetch, missing);
  } catch (error) {
    const now = await listRemote(fetch);
    const gone = missing.some((name) => !now.refs.has(name));
    if (!gone) throw error;
    return fetchListed(gitDir, fetch, now);
  }
  const moved = await missingRefs(gitDir, fetch.git, listed);
  return moved.length === 0 ? listed : fetchListed(gitDir, fetch, await listRemote(fetch));
}

async function fetchListed(gitDir: string, fetch: FetchInto, listed: RemoteRefs): Promise<RemoteRefs> {
  const missing = await missingRefs(gitDir, fetch.git, listed);
  if (missing.length > 0) await fetchRefs(gitDir, fetch, missing);
  // A remote that keeps moving: what did not arrive is left for the next fetch.
  for (const name of await missingRefs(gitDir, fetch.git, listed)) {
    listed.refs.delete(name);
    listed.tagObjects.delete(name);
  }
  return listed;
}

async function missingRefs(gitDir: string, git: Git, listed: RemoteRefs): Promise<string[]> {
  const objects = objectsOf(listed);
  const missing = await missingObjects(git, gitDir, [...new Set(objects.values())]);
  return [...objects].filter(([, oid]) => missing.has(oid)).map(([name]) => name);
}

/** Fetches refs by name, without storing them: git takes no lock in the repository, so none can be left behind. */
async function fetchRefs(gitDir: string, fetch: FetchInto, names: readonly string[]): Promise<void> {
  const { git, source, limits } = fetch;
  const watch = watchSize(gitDir, { ...limits, source: source.label });
  const signal = fetch.signal ? AbortSignal.any([fetch.signal, watch.signal]) : watch.signal;
  try {
    await git.remote([...fetchArguments, source.url], {
      gitDir,
      network: source,
      writes: true,
      signal,
      input: `${names.join("\n")}\n`,
    });
    await watch.check();
  } catch (error) {
    await removeHalfPacks(gitDir);
    throw error;
  } finally {
    watch.end();
  }
}

async function removeHalfPacks(gitDir: string): Promise<void> {
  const packs = join(gitDir, "objects", "pack");
  const names = await readdir(packs).catch(() => []);
  const half = names.filter((name) => name.startsWith("tmp_"));
  await Promise.all(half.map((name) => rm(join(packs, name), { force: true }).catch(() => {})));
}
