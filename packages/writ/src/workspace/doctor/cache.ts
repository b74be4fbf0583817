import { constants } from "node:fs";
import { access, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { counted, errnoOf, lstatOrNull, makeFolder, removeTree, withLock } from "../../platform/index.ts";
import { listCache } from "../sources/cache-list.ts";
import { lockOf } from "../sources/cache-place.ts";
import { openSources } from "../sources/open-sources.ts";
import { parseRepoText, urlOf } from "../declare/sources.ts";
import { type CheckRow, type Finding, failed, info, listed, ok, skipped, warn } from "./check.ts";
import { type Room, withObserved } from "./room.ts";

const unusedMs = 90 * 24 * 60 * 60 * 1000;

/** The cache of repositories, which may always be deleted. */
export const cacheChecks: readonly CheckRow[] = [
  {
    id: "cache.writable",
    worst: "fail",
    workspace: false,
    look: lookAtFolder,
    fix: async (room) => void (await makeFolder(folderOf(room))),
  },
  { id: "cache.integrity", worst: "warn", workspace: true, look: lookAtRepositories, fix: dropBroken },
  { id: "cache.size", worst: "info", workspace: false, look: lookAtSize },
];

function folderOf(room: Room): string {
  return room.sources().cache.folder;
}

async function lookAtFolder(room: Room): Promise<Finding> {
  const folder = folderOf(room);
  const found = await lstatOrNull(folder).catch(errnoOf);
  if (typeof found === "string") return unwritable(found);
  if (!found)
    return (await isMakeable(folder))
      ? info("not there yet; the first run makes it", { fixable: true })
      : unwritable("ENOENT");
  const probe = join(folder, `.probe-${room.ctx.act}`);
  try {
    await writeFile(probe, "");
    await rename(probe, `${probe}-2`);
    return ok("a file can be made, renamed and deleted");
  } catch (error) {
    return unwritable(errnoOf(error) ?? "unknown");
  } finally {
    await rm(`${probe}-2`, { force: true }).catch(() => {});
    await rm(probe, { force: true }).catch(() => {});
  }
}

async function isMakeable(folder: string): Promise<boolean> {
  for (let above = dirname(folder); ; above = dirname(above)) {
    const there = await lstatOrNull(above);
    if (there)
      return access(above, constants.W_OK).then(
        () => there.isDirectory(),
        () => false,
      );
    if (dirname(above) === above) return false;
  }
}

function unwritable(code: string): Finding {
  return failed(`the cache folder cannot be written (${code})`, {
    remediation: "Make it writable, or name another with WRIT_CACHE_DIR: writ cache path",
  });
}

interface Broken {
  label: string;
  gitDir: string;
}

async function lookAtRepositories(room: Room): Promise<Finding> {
  return withObserved(room, async ({ inputs, failure }) => {
    if (!inputs.lock) return skipped("there is no lock yet");
    if (failure?.code === "E_INTEGRITY")
      return warn(failure.failure.message, { remediation: failure.failure.remediation });
    const { broken, absent } = await judgeRepositories(room);
    if (broken.length > 0) {
      return warn(`broken in the cache: ${listed(broken.map(({ label }) => label))}`, {
        remediation: "writ doctor fix",
        fixable: true,
      });
    }
    if (absent.length === 0) return ok("every repository of the lock is there, with its commit");
    return ok(`not in the cache: ${listed(absent)}; the next run fetches what it needs`);
  });
}

async function judgeRepositories(room: Room): Promise<{ broken: Broken[]; absent: string[] }> {
  const { inputs } = await room.observed();
  const { cache, base } = room.sources();
  const { lock } = inputs;
  const pins = [
    ...(lock?.registry ? [{ id: "registry", ...lock.registry }] : []),
    ...(lock?.stacks ?? []),
    ...(lock?.repos ?? []),
  ];
  const broken: Broken[] = [];
  const absent: string[] = [];
  for (const pin of pins) {
    const source = parseRepoText(pin.repo).value;
    if (!source || source.kind === "path" || pin.commit === undefined) continue;
    const label = "path" in pin ? pin.path : pin.id;
    const url = urlOf(source, base);
    const gitDir = cache.gitDir(url);
    const state = await stateOf(room, { gitDir, url, commit: pin.commit });
    if (state === "broken" && !broken.some((one) => one.gitDir === gitDir)) broken.push({ label, gitDir });
    if (state === "absent") absent.push(label);
  }
  return { broken, absent };
}

async function stateOf(
  room: Room,
  at: { gitDir: string; url: string; commit: string },
): Promise<"good" | "absent" | "broken"> {
  const { cache, git } = room.sources();
  if (!(await lstatOrNull(at.gitDir))) return "absent";
  const refs = await cache.refs(at.url);
  const opens = await git.run(["rev-parse", "--is-bare-repository"], { gitDir: at.gitDir });
  if (!refs || opens.code !== 0) return "broken";
  if (await cache.has(at.url, at.commit)) {
    const tree = await git.run(["ls-tree", "-r", "--name-only", at.commit], { gitDir: at.gitDir });
    return tree.code === 0 ? "good" : "broken";
  }
  // A commit that a teammate locked was perhaps never fetched here; one that a ref names must be there.
  return [...refs.refs.values()].includes(at.commit) ? "broken" : "absent";
}

async function dropBroken(room: Room): Promise<void> {
  for (const { gitDir } of (await judgeRepositories(room)).broken) {
    const { path, folder } = lockOf(gitDir);
    const lock = { waitMs: 0, what: "a cached repository", folder, command: "writ doctor fix" };
    await withLock(path, lock, () => removeTree(gitDir));
  }
}

async function lookAtSize(room: Room): Promise<Finding> {
  const cached = await listCache(folderOf(room));
  const bytes = cached.reduce((sum, one) => sum + one.bytes, 0);
  const unused = cached.filter(({ usedAt }) => room.ctx.clock.now() - usedAt > unusedMs);
  const size = `${(bytes / 1024 / 1024).toFixed(1)} MiB in ${counted(cached.length, "repository", "repositories")}`;
  if (unused.length === 0) return ok(size);
  return info(`${size}, ${unused.length} unused for 90 days`, { remediation: "writ cache prune" });
}

/** Git and the cache with the network, for the one check that may use it; it must not keep a person waiting. */
export function openOnline({ ctx }: Room) {
  return openSources({
    settings: ctx.settings,
    folder: ctx.folders.cache,
    signal: ctx.signal,
    command: "writ doctor",
    flags: { offline: false, timeout: 20 },
  });
}
