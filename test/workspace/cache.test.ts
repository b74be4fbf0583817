import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { withLock } from "../../packages/writ/src/platform/index.ts";
import { makeFixtureF } from "../fixtures/fixture-f.ts";
import { runGit } from "../fixtures/run-git.ts";
import { tempFolder } from "../fixtures/temp-folder.ts";
import { testApp } from "../support/test-app.ts";

const dayMs = 24 * 60 * 60 * 1000;

/** The program with a cache that holds the registry and acme's stack. */
async function withCache(path: string, now?: () => number) {
  const f = makeFixtureF(path);
  const it = testApp({
    env: f.env,
    manifest: "name: demo\nschema: awac/2\nstacks: [core, acme/agent-stack]\n",
    ...(now && { now }),
  });
  const composed = await it.call("workspace.bootstrap");
  expect(composed.error).toBeNull();
  return { f, it, cache: join(path, "cache") };
}

/** How the cache names what it mirrors: the URL in its one spelling. */
const nameOf = ({ url }: { url: string }): string => url.replace(/\.git$/, "");

function gitDirs(cache: string): string[] {
  const git = join(cache, "git");
  return readdirSync(git).flatMap((group) =>
    readdirSync(join(git, group))
      .filter((name) => name.endsWith(".git"))
      .map((name) => join(git, group, name)),
  );
}

test("WS-130: cache path says where the cache is and what is in it, before there is one and after", async () => {
  using temp = tempFolder();
  await using bare = testApp({ manifest: null, env: { WRIT_CACHE_DIR: temp.file("nothing") } });
  expect((await bare.call("workspace.cache.path")).data).toEqual({
    path: temp.file("nothing"),
    env_var: "WRIT_CACHE_DIR",
    exists: false,
    bytes: 0,
    repositories: 0,
  });
  const { it, cache } = await withCache(temp.path);
  await using _ = it;
  const { data } = await it.call("workspace.cache.path");
  expect(data).toMatchObject({ path: cache, exists: true, repositories: 3 });
  expect(data.bytes).toBeGreaterThan(1000);
});

test("WS-130: prune removes what was not used for long, and keeps the rest with its reason", async () => {
  using temp = tempFolder();
  let now = Date.now();
  const { f, it, cache } = await withCache(temp.path, () => now);
  await using _ = it;
  const early = await it.call("workspace.cache.prune");
  expect(early.data).toMatchObject({
    changed: false,
    removed: [],
    freed_bytes: 0,
    reason: expect.any(String),
  });
  expect(early.data.kept).toHaveLength(3);
  now += 91 * dayMs;
  const dry = await it.call("workspace.cache.prune", {}, { dryRun: true });
  expect(gitDirs(cache)).toHaveLength(3);
  const real = await it.call("workspace.cache.prune");
  expect(dry.data.removed).toEqual(real.data.removed);
  expect((real.data.removed as { repo: string }[]).map(({ repo }) => repo)).toEqual(
    [f.acme, f.api, f.core].map(nameOf).toSorted(),
  );
  expect(real.data.freed_bytes).toBeGreaterThan(1000);
  expect(gitDirs(cache)).toEqual([]);
  // It is always safe: what is needed is fetched again.
  expect((await it.call("workspace.bootstrap", { update: true })).error).toBeNull();
});

test("WS-130: one repository can be named, as an answer or a lock names it", async () => {
  using temp = tempFolder();
  const { f, it, cache } = await withCache(temp.path);
  await using _ = it;
  const one = await it.call("workspace.cache.prune", { repo: "acme/agent-stack" });
  expect(one.data.removed).toMatchObject([{ repo: nameOf(f.acme) }]);
  expect((await it.call("workspace.cache.prune", { repo: f.core.url })).data.removed).toMatchObject([
    { repo: nameOf(f.core) },
  ]);
  expect(gitDirs(cache)).toHaveLength(1);
  expect((await it.call("workspace.cache.prune", { repo: "a b" })).error).toMatchObject({
    code: "E_INVALID_VALUE",
  });
});

test("WS-130: a repository with an unpushed promotion stays unless everything is to go", async () => {
  using temp = tempFolder();
  const { f, it, cache } = await withCache(temp.path);
  await using _ = it;
  const held = gitDirs(cache).find((gitDir) => runGit(gitDir, ["for-each-ref"]).includes(f.acme.tip())) ?? "";
  runGit(held, ["update-ref", "refs/writ/promote/demo/1", f.acme.tip()]);
  const kept = await it.call("workspace.cache.prune", { older_than: 0 });
  expect(kept.data).toMatchObject({ kept: [{ repo: nameOf(f.acme), reason: "an unpushed promotion" }] });
  expect(existsSync(held)).toBe(true);
  await it.call("workspace.cache.prune", { all: true });
  expect(existsSync(held)).toBe(false);
});

test("WS-47, WS-130: a repository that is being fetched is skipped, not waited for", async () => {
  using temp = tempFolder();
  const { it, cache } = await withCache(temp.path);
  await using _ = it;
  const [busy = ""] = gitDirs(cache);
  await withLock(busy.replace(/\.git$/, ".lock"), { waitMs: 0, what: "it", command: "test" }, async () => {
    const { data } = await it.call("workspace.cache.prune", { all: true });
    expect(data.kept).toMatchObject([{ reason: "busy" }]);
    expect(data.removed).toHaveLength(2);
  });
  expect(existsSync(busy)).toBe(true);
});

test("WS-130: what was kept of workspaces that nobody uses any more goes", async () => {
  using temp = tempFolder();
  const { it, cache } = await withCache(temp.path);
  await using _ = it;
  const [old, young] = [join(cache, "read", "old.json"), join(cache, "read", "young.json")];
  for (const file of [old, young]) {
    mkdirSync(join(cache, "read"), { recursive: true });
    writeFileSync(file, "{}");
  }
  utimesSync(old, new Date(Date.now() - 91 * dayMs), new Date(Date.now() - 91 * dayMs));
  const { data } = await it.call("workspace.cache.prune");
  expect(data).toMatchObject({ changed: true, removed: [] });
  expect([existsSync(old), existsSync(young)]).toEqual([false, true]);
  await it.call("workspace.cache.prune", { all: true });
  expect(existsSync(young)).toBe(false);
});

test("WS-130: loose objects are packed, and what a dead fetch left long ago goes", async () => {
  using temp = tempFolder();
  const { it, cache } = await withCache(temp.path);
  await using _ = it;
  const [repo = ""] = gitDirs(cache);
  const tip = runGit(repo, ["for-each-ref", "--count=1", "--format=%(objectname)"]);
  runGit(repo, [
    "update-ref",
    "refs/heads/main",
    runGit(repo, ["commit-tree", "-m", "loose", `${tip}^{tree}`]),
  ]);
  const left = join(cache, "tmp", "0123456789abcdef-old");
  const fresh = join(cache, "tmp", "0123456789abcdef-new");
  for (const folder of [left, fresh]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(left, "pack"), "x".repeat(1000));
  utimesSync(left, new Date(Date.now() - 2 * dayMs), new Date(Date.now() - 2 * dayMs));
  expect(runGit(repo, ["count-objects"])).not.toMatch(/^0 /);
  const { data } = await it.call("workspace.cache.prune");
  expect(data).toMatchObject({ changed: true, removed: [] });
  expect(runGit(repo, ["count-objects"])).toMatch(/^0 /);
  expect([existsSync(left), existsSync(fresh)]).toEqual([false, true]);
});
