import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { makeHost } from "../../../../../test/fixtures/repositories.ts";
import { runGit } from "../../../../../test/fixtures/run-git.ts";
import { tempFolder } from "../../../../../test/fixtures/temp-folder.ts";
import { openTestGit } from "../../../../../test/fixtures/test-git.ts";
import { withLock } from "../../platform/index.ts";
import { openCache } from "./cache.ts";
import { listCached, pruneCache, type PruneOptions } from "./cache-prune.ts";
import { normaliseUrl } from "../declare/sources.ts";

const DAY_MS = 86_400_000;

async function warmCache(temp: ReturnType<typeof tempFolder>) {
  const host = makeHost(temp.file("host"));
  const git = openTestGit(temp.path);
  const cacheAt = (now: number) =>
    openCache({
      folder: temp.file("cache"),
      git,
      lockWaitMs: 1_000,
      command: "test",
      clock: { now: () => now },
    });
  const fetchAt = async (name: string, now: number) => {
    const { url } = host.repo(name, { files: { a: name } });
    const cache = cacheAt(now);
    await cache.fetch({ url, label: name });
    await cache.refs(url);
    return { url, gitDir: cache.gitDir(url) };
  };
  const old = await fetchAt("t/old", 10 * DAY_MS);
  const young = await fetchAt("t/young", 95 * DAY_MS);
  const prune = (more: Partial<PruneOptions> = {}) =>
    pruneCache({
      folder: temp.file("cache"),
      git,
      command: "test",
      nowMs: 100 * DAY_MS,
      olderThanDays: 90,
      ...more,
    });
  return { old, young, prune, git };
}

test("WS-130: repositories not used for long are removed, the others kept and named", async () => {
  using temp = tempFolder();
  const { old, young, prune } = await warmCache(temp);
  const dry = await prune({ dryRun: true });
  expect((await listCached(temp.file("cache"))).map(({ repo }) => repo)).toEqual([
    normaliseUrl(old.url),
    normaliseUrl(young.url),
  ]);
  const pruned = await prune();
  expect(pruned).toEqual(dry);
  expect(pruned.removed.map(({ repo }) => repo)).toEqual([normaliseUrl(old.url)]);
  expect(pruned.kept).toEqual([{ repo: normaliseUrl(young.url), reason: "recent" }]);
  expect(pruned.freedBytes).toBeGreaterThan(0);
  expect((await listCached(temp.file("cache"))).map(({ repo }) => repo)).toEqual([normaliseUrl(young.url)]);
  runGit(young.gitDir, ["fsck", "--strict"]);
});

test("WS-130: one repository can be named, whatever its age", async () => {
  using temp = tempFolder();
  const { young, prune } = await warmCache(temp);
  const pruned = await prune({ repo: normaliseUrl(young.url) });
  expect(pruned.removed.map(({ repo }) => repo)).toEqual([normaliseUrl(young.url)]);
  expect(await listCached(temp.file("cache"))).toHaveLength(1);
});

test("WS-130: a busy repository is skipped, and one with an unpushed branch is kept unless --all", async () => {
  using temp = tempFolder();
  const { old, young, prune } = await warmCache(temp);
  runGit(old.gitDir, [
    "update-ref",
    "refs/writ/promote/x",
    runGit(old.gitDir, ["rev-parse", "refs/heads/main"]),
  ]);
  expect((await prune()).kept.map(({ reason }) => reason)).toEqual(["unpushed", "recent"]);
  const lock = { waitMs: 0, what: "a test", command: "test" };
  const busy = await withLock(young.gitDir.replace(/\.git$/, ".lock"), lock, () => prune({ all: true }));
  expect(busy).toMatchObject({
    removed: [{ repo: normaliseUrl(old.url) }],
    kept: [{ repo: normaliseUrl(young.url), reason: "busy" }],
  });
});

test("WS-130: leftovers of killed fetches are removed; an empty cache has nothing to prune", async () => {
  using temp = tempFolder();
  const { prune } = await warmCache(temp);
  mkdirSync(temp.file("cache", "tmp", "0123456789abcdef-left"));
  writeFileSync(temp.file("cache", "tmp", "0123456789abcdef-left", "pack"), "half");
  await prune();
  expect(readdirSync(temp.file("cache", "tmp"))).toEqual([]);
  expect(await prune({ folder: temp.file("nothing") })).toEqual({ removed: [], kept: [], freedBytes: 0 });
});
