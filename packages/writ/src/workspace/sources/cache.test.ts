import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startGitHttpServer } from "../../../../../test/fixtures/git-http-server.ts";
import { noise } from "../../../../../test/fixtures/noise.ts";
import { makeRecordingGit } from "../../../../../test/fixtures/recording-git.ts";
import { makeHost } from "../../../../../test/fixtures/repositories.ts";
import { fixtureEnvironment, runGit } from "../../../../../test/fixtures/run-git.ts";
import { tempFolder } from "../../../../../test/fixtures/temp-folder.ts";
import { openTestGit } from "../../../../../test/fixtures/test-git.ts";
import { catFileBatch, lsTree, withLock } from "../../platform/index.ts";
import { openCache, type Cache, type CacheOptions } from "./cache.ts";
import { lockOf } from "./cache-place.ts";
import { distance, logBetween, readFileAt } from "./cache-read.ts";

const label = "t/core";

function openTestCache(folder: string, more: Partial<CacheOptions> = {}): Cache {
  return openCache({
    folder: join(folder, "cache"),
    git: openTestGit(folder),
    lockWaitMs: 30_000,
    command: "test",
    ...more,
  });
}

test("WS-45: a repository stands under the hash of its normalised URL, whatever a manifest calls it", async () => {
  using temp = tempFolder();
  const repo = makeHost(temp.file("host")).repo("t/core", { files: { a: "1" } });
  const cache = openTestCache(temp.path);
  await cache.fetch({ url: repo.url, label });
  const hash = createHash("sha256")
    .update(repo.url.replace(/\.git$/, ""))
    .digest("hex");
  expect(cache.gitDir(repo.url)).toBe(join(temp.path, "cache", "git", hash.slice(0, 2), `${hash}.git`));
  expect(existsSync(join(cache.gitDir(repo.url), "objects"))).toBe(true);
  expect(cache.gitDir(repo.url.replace(/\.git$/, "/"))).toBe(cache.gitDir(repo.url));
  expect(readdirSync(join(temp.path, "cache")).sort()).toEqual(["git", "tmp"]);
});

test("WS-45: the cache may be deleted at any time", async () => {
  using temp = tempFolder();
  const repo = makeHost(temp.file("host")).repo("t/core", { files: { a: "1" } });
  const cache = openTestCache(temp.path);
  const first = await cache.fetch({ url: repo.url, label });
  rmSync(temp.file("cache"), { recursive: true });
  expect(await cache.refs(repo.url)).toBeNull();
  expect(await cache.fetch({ url: repo.url, label })).toEqual(first);
});

test("WS-46: branches and tags are mirrored, HEAD's branch is known, annotated tags lead to commits", async () => {
  using temp = tempFolder();
  const repo = makeHost(temp.file("host")).repo("t/core", {
    files: { a: "1" },
    branch: "trunk",
    branches: ["dev"],
  });
  const tagObject = repo.tag("v1", { message: "one" });
  repo.git("update-ref", "refs/pull/1/head", repo.tip());
  const cache = openTestCache(temp.path);
  const refs = await cache.fetch({ url: repo.url, label });
  expect(refs.head).toBe("refs/heads/trunk");
  expect(Object.fromEntries(refs.refs)).toEqual({
    "refs/heads/dev": repo.tip(),
    "refs/heads/trunk": repo.tip(),
    "refs/tags/v1": repo.tip(),
  });
  expect(refs.tagObjects.get("refs/tags/v1")).toBe(tagObject);
  const git = openTestGit(temp.path);
  const listed = await git.ok(["for-each-ref", "--format=%(refname) %(objectname)"], {
    gitDir: cache.gitDir(repo.url),
  });
  expect(listed.toString().trim().split("\n")).toEqual([
    `refs/heads/dev ${repo.tip()}`,
    `refs/heads/trunk ${repo.tip()}`,
    `refs/tags/v1 ${tagObject}`,
  ]);
  expect(await cache.refs(repo.url)).toMatchObject({ head: refs.head, refs: refs.refs });
});

test("WS-46: a branch that became a folder of branches, a deleted one and a rewritten one are followed", async () => {
  using temp = tempFolder();
  const repo = makeHost(temp.file("host")).repo("t/core", { files: { a: "1" }, branches: ["x", "gone"] });
  const cache = openTestCache(temp.path);
  await cache.fetch({ url: repo.url, label });
  repo.git("update-ref", "-d", "refs/heads/x");
  repo.git("update-ref", "-d", "refs/heads/gone");
  repo.branch("x/y");
  const rewritten = repo.rewrite({ files: { a: "2" } });
  const refs = await cache.fetch({ url: repo.url, label });
  expect([...refs.refs.keys()].sort()).toEqual(["refs/heads/main", "refs/heads/x/y"]);
  expect(refs.refs.get("refs/heads/main")).toBe(rewritten);
  expect(await cache.has(repo.url, rewritten)).toBe(true);
});

test("WS-46: content comes from git objects; attributes, filters and line-ending rules do nothing", async () => {
  using temp = tempFolder();
  const canary = temp.file("canary");
  const files = {
    ".gitattributes": "* text eol=crlf filter=evil\n*.md ident export-ignore\n",
    ".gitmodules": `[submodule "x"]\n\tpath = x\n\turl = ext::sh -c touch% ${canary}\n`,
    "rules/a.md": "one\n$Id$\n",
  };
  const repo = makeHost(temp.file("host")).repo("t/core", { files });
  const gitconfig = temp.file("gitconfig");
  writeFileSync(
    gitconfig,
    `[core]\n\tautocrlf = true\n[filter "evil"]\n\tsmudge = touch ${canary}\n\tclean = touch ${canary}\n`,
  );
  const git = openTestGit(temp.path, { env: { ...fixtureEnvironment, GIT_CONFIG_GLOBAL: gitconfig } });
  const cache = openTestCache(temp.path, { git });
  await cache.fetch({ url: repo.url, label });
  const at = { gitDir: cache.gitDir(repo.url), commit: repo.tip() };
  expect((await readFileAt(git, { ...at, path: "rules/a.md", maxBytes: 100 }))?.toString()).toBe(
    "one\n$Id$\n",
  );
  expect(existsSync(canary)).toBe(false);
});

test("WS-46: hostile trees are listed as they are: links, submodules, .git spellings, case twins, other bytes", async () => {
  using temp = tempFolder();
  const repo = makeHost(temp.file("host")).repo("t/core", { files: { a: "1" } });
  const commit = repo.commitTree([
    {
      name: "rules",
      entries: [
        { name: "A.md", content: "1" },
        { name: "a.md", content: "2" },
        { name: "link", mode: "120000", content: "/etc/passwd" },
      ],
    },
    { name: ".git", entries: [{ name: "config", content: "evil" }] },
    { name: "..", content: "up" },
    { name: Buffer.from([0x66, 0xff]), content: "no utf-8" },
    { name: "sub", mode: "160000", oid: "1".repeat(40) },
    { name: "run", mode: "100755", content: "#!" },
  ]);
  const cache = openTestCache(temp.path);
  await cache.fetch({ url: repo.url, label });
  const entries = await lsTree(cache.git, { gitDir: cache.gitDir(repo.url), commit });
  const modes = Object.fromEntries(
    entries.filter((entry) => entry.utf8).map((entry) => [entry.path, entry.mode]),
  );
  expect(modes).toEqual({
    "..": "100644",
    ".git/config": "100644",
    "rules/A.md": "100644",
    "rules/a.md": "100644",
    "rules/link": "120000",
    run: "100755",
    sub: "160000",
  });
  expect(entries.filter((entry) => !entry.utf8)).toHaveLength(1);
  expect(entries.find((entry) => entry.path === "rules/A.md")?.size).toBe(1);
});

test("WS-47: thirty-two fetches of one repository into an empty cache, from eight processes, all succeed", {
  timeout: 120_000,
}, async () => {
  using temp = tempFolder();
  const repo = makeHost(temp.file("host")).repo("t/core", { files: { a: "1" }, tags: ["v1"] });
  const script = join(import.meta.dirname, "../../../../../test/fixtures/fetch-once.ts");
  const runs = Array.from({ length: 8 }, () => nodeOutput([script, temp.file("cache"), repo.url, "4"]));
  expect(await Promise.all(runs)).toEqual(runs.map(() => "2 2 2 2\n"));
  expect(readdirSync(temp.file("cache", "tmp"))).toEqual([]);
});

function nodeOutput(args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
    let [out, problem] = ["", ""];
    child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (problem += chunk.toString()));
    child.on("error", reject);
    child.on("close", (code) => (code === 0 ? resolve(out) : reject(new Error(problem))));
  });
}

test("WS-47: who waited for another's fetch uses what it brought", async () => {
  using temp = tempFolder();
  const repo = makeHost(temp.file("host")).repo("t/core", { files: { a: "1" } });
  const recorder = makeRecordingGit(temp.file("bin"));
  const git = openTestGit(temp.path, { env: { ...fixtureEnvironment, PATH: recorder.path } });
  const cache = openTestCache(temp.path, { git });
  await Promise.all(Array.from({ length: 6 }, () => cache.fetch({ url: repo.url, label })));
  expect(recorder.calls().filter((call) => call.args.includes("clone"))).toHaveLength(1);
});

test("WS-47: a fetch that finds nothing moved waits for nobody, and misses nothing that was lost", async () => {
  using temp = tempFolder();
  const repo = makeHost(temp.file("host")).repo("t/core", { files: { a: "1" } });
  const cache = openTestCache(temp.path, { lockWaitMs: 0 });
  const fetch = () => cache.fetch({ url: repo.url, label });
  const first = await fetch();
  const mirror = cache.gitDir(repo.url);
  await withLock(lockOf(mirror).path, { waitMs: 0, what: "it", command: "another" }, async () => {
    expect(await fetch()).toEqual(first);
    repo.commit({ files: { a: "2" } });
    await expect(fetch()).rejects.toMatchObject({ code: "E_STORE_LOCKED" });
  });
  await fetch();
  expect(runGit(mirror, ["rev-parse", "refs/heads/main"])).toBe(repo.tip());
  rmSync(join(mirror, "packed-refs"));
  await fetch();
  expect(runGit(mirror, ["rev-parse", "refs/heads/main"])).toBe(repo.tip());
});

test("WS-46: a new mirror holds heads and tags, remembers no remote, and is asked for with one process", async () => {
  using temp = tempFolder();
  const repo = makeHost(temp.file("host")).repo("t/core", { files: { a: "1" }, branches: ["dev"] });
  runGit(repo.folder, ["tag", "-a", "-m", "first", "v1"]);
  runGit(repo.folder, ["update-ref", "refs/pull/1/head", "HEAD"]);
  const recorder = makeRecordingGit(temp.file("bin"));
  const git = openTestGit(temp.path, { env: { ...fixtureEnvironment, PATH: recorder.path } });
  const cache = openTestCache(temp.path, { git });
  const refs = await cache.fetch({ url: repo.url, label });
  const about = ["--version", "core.sshCommand"];
  const asked = recorder.calls().filter(({ args }) => !about.some((word) => args.includes(word)));
  expect(asked.map(({ args }) => args.includes("clone"))).toEqual([true]);
  expect(refs).toEqual({
    head: "refs/heads/main",
    refs: new Map([
      ["refs/heads/dev", repo.tip()],
      ["refs/heads/main", repo.tip()],
      ["refs/tags/v1", repo.tip()],
    ]),
    tagObjects: new Map([["refs/tags/v1", runGit(repo.folder, ["rev-parse", "v1"])]]),
  });
  const mirror = cache.gitDir(repo.url);
  expect(readFileSync(join(mirror, "config"), "utf8")).not.toContain("remote");
  expect(runGit(mirror, ["for-each-ref", "--format=%(refname)"]).split("\n")).toEqual([...refs.refs.keys()]);
});

test("WS-47: a fetch that was given up leaves no lock, no half pack and no temporary folder", async () => {
  using temp = tempFolder();
  const big = Buffer.alloc(3_000_000, "0123456789abcdefghijklmnopqrstuvwxyz");
  const repo = makeHost(temp.file("host")).repo("t/core", { files: { big } });
  const bin = temp.file("bin");
  mkdirSync(bin);
  // A git whose first fetch never ends.
  writeFileSync(
    join(bin, "git"),
    `#!/bin/sh\ncase " $* " in *" clone "*) touch ${temp.file("started")}; sleep 60;; esac\nexec /usr/bin/env PATH="${process.env.PATH ?? ""}" git "$@"\n`,
    { mode: 0o755 },
  );
  const stuck = openTestCache(temp.path, {
    git: openTestGit(temp.path, { env: { ...fixtureEnvironment, PATH: `${bin}:${process.env.PATH ?? ""}` } }),
  });
  const controller = new AbortController();
  const given = stuck.fetch({ url: repo.url, label }, { signal: controller.signal });
  given.catch(() => {});
  await expect.poll(() => existsSync(temp.file("started"))).toBe(true);
  controller.abort();
  await expect(given).rejects.toMatchObject({ code: "E_CANCELLED" });
  expect(readdirSync(temp.file("cache", "tmp"))).toEqual([]);
  const refs = await openTestCache(temp.path, { lockWaitMs: 0 }).fetch({ url: repo.url, label });
  expect(refs.refs.size).toBe(1);
});

test("WS-47: when the owner of a fetch is killed, the next one takes over at once", async () => {
  using temp = tempFolder();
  const repo = makeHost(temp.file("host")).repo("t/core", { files: { a: "1" } });
  await using server = await startGitHttpServer(temp.file("host"));
  server.behave({ stall: true });
  const url = `${server.url}/t/core.git`;
  const script = join(import.meta.dirname, "../../../../../test/fixtures/fetch-once.ts");
  const owner = spawn(process.execPath, [script, temp.file("cache"), url], { stdio: "ignore" });
  await expect.poll(() => server.requests.length, { timeout: 20_000 }).toBe(1);
  const busy = openTestCache(temp.path, { lockWaitMs: 0 }).fetch({ url, label });
  await expect(busy).rejects.toMatchObject({
    code: "E_STORE_LOCKED",
    failure: { details: { owner: { pid: owner.pid } } },
  });
  owner.kill("SIGKILL");
  await once(owner, "close");
  server.behave({});
  const refs = await openTestCache(temp.path, { lockWaitMs: 0 }).fetch({ url, label });
  expect(refs.refs.get("refs/heads/main")).toBe(repo.tip());
});

test("WS-130: the last use of a repository is its folder's time", async () => {
  using temp = tempFolder();
  const repo = makeHost(temp.file("host")).repo("t/core", { files: { a: "1" } });
  const cache = openTestCache(temp.path, { clock: { now: () => 1_600_000_000_000 } });
  await cache.fetch({ url: repo.url, label });
  await cache.refs(repo.url);
  expect(statSync(cache.gitDir(repo.url)).mtimeMs).toBe(1_600_000_000_000);
});

test("WS-52: reading a warm cache starts no network call", async () => {
  using temp = tempFolder();
  const repo = makeHost(temp.file("host")).repo("t/core", { files: { a: "1" } });
  const cache = openTestCache(temp.path);
  const refs = await cache.fetch({ url: repo.url, label });
  repo.moveAway();
  expect(await cache.has(repo.url, refs.refs.get("refs/heads/main") ?? "")).toBe(true);
  expect(await cache.refs(repo.url)).not.toBeNull();
});

test("WS-53: a dry run adds objects and moves no ref of the cache", async () => {
  using temp = tempFolder();
  const repo = makeHost(temp.file("host")).repo("t/core", { files: { a: "1" } });
  const cache = openTestCache(temp.path);
  const before = await cache.fetch({ url: repo.url, label });
  const packed = join(cache.gitDir(repo.url), "packed-refs");
  const bytes = readFileSync(packed);
  const next = repo.commit({ files: { a: "2" } });
  const seen = await cache.fetch({ url: repo.url, label }, { keepRefs: true });
  expect(seen.refs.get("refs/heads/main")).toBe(next);
  expect(await cache.has(repo.url, next)).toBe(true);
  expect(await cache.reaches(repo.url, next, seen)).toBe(true);
  expect((await cache.refs(repo.url))?.refs).toEqual(before.refs);
  expect(readFileSync(packed)).toEqual(bytes);
  expect((await cache.fetch({ url: repo.url, label })).refs.get("refs/heads/main")).toBe(next);
});

test("WS-59: a repository that grows past its bound while it is fetched is E_LIMIT and leaves nothing", async () => {
  using temp = tempFolder();
  const repo = makeHost(temp.file("host")).repo("t/core", { files: { big: noise(1_000_000) } });
  const cache = openTestCache(temp.path, { checkEveryMs: 5 });
  await expect(cache.fetch({ url: repo.url, label }, { maxBytes: 300_000 })).rejects.toMatchObject({
    code: "E_LIMIT",
    failure: { details: { limit: 300_000, source: label } },
  });
  expect(readdirSync(temp.file("cache", "tmp"))).toEqual([]);
  expect(existsSync(cache.gitDir(repo.url))).toBe(false);
  expect((await cache.fetch({ url: repo.url, label })).refs.size).toBe(1);
});

test("WS-60: blobs come one at a time, in the order asked, and a large one is E_LIMIT before it is read", async () => {
  using temp = tempFolder();
  const repo = makeHost(temp.file("host")).repo("t/core", {
    files: { a: "1", b: "", c: "x\n\0y".repeat(50_000), big: Buffer.alloc(2_000_000) },
  });
  const cache = openTestCache(temp.path);
  await cache.fetch({ url: repo.url, label });
  const at = { gitDir: cache.gitDir(repo.url), commit: repo.tip() };
  const entries = Object.fromEntries((await lsTree(cache.git, at)).map((entry) => [entry.path, entry.oid]));
  const oids = ["c", "a", "b", "c"].map((name) => entries[name] ?? "");
  const sizes: number[] = [];
  for await (const blob of catFileBatch(cache.git, { ...at, oids })) sizes.push(blob.bytes.length);
  expect(sizes).toEqual([200_000, 1, 0, 200_000]);
  const large = catFileBatch(cache.git, { ...at, oids: [entries.big ?? ""], maxBytes: 1_000_000 });
  await expect(large.next()).rejects.toMatchObject({
    code: "E_LIMIT",
    failure: { details: { limit: 1_000_000, found: 2_000_000 } },
  });
});

test("WS-43: an object that is missing from the cache is E_INTEGRITY", async () => {
  using temp = tempFolder();
  const repo = makeHost(temp.file("host")).repo("t/core", { files: { a: "1" } });
  const cache = openTestCache(temp.path);
  await cache.fetch({ url: repo.url, label });
  const reading = catFileBatch(cache.git, { gitDir: cache.gitDir(repo.url), oids: ["1".repeat(40)] });
  await expect(reading.next()).rejects.toMatchObject({ code: "E_INTEGRITY" });
});

test("a repository without commits is mirrored, and what it gets later", async () => {
  using temp = tempFolder();
  const host = makeHost(temp.file("host"));
  const empty = host.repo("t/empty");
  const cache = openTestCache(temp.path);
  expect((await cache.fetch({ url: empty.url, label })).refs.size).toBe(0);
  const commit = empty.commit({ files: { a: "1" } });
  expect((await cache.fetch({ url: empty.url, label })).refs.get("refs/heads/main")).toBe(commit);
});

test("the commits between two are listed newest first, with their subjects, and counted", async () => {
  using temp = tempFolder();
  const repo = makeHost(temp.file("host")).repo("t/core", { files: { a: "1" } });
  const from = repo.tip();
  const ids = ["second", "third: ñ"].map((message) => repo.commit({ files: { a: message }, message }));
  const cache = openTestCache(temp.path);
  await cache.fetch({ url: repo.url, label });
  const span = { gitDir: cache.gitDir(repo.url), from, to: repo.tip() };
  expect(await logBetween(cache.git, span)).toEqual([
    { commit: ids[1], subject: "third: ñ" },
    { commit: ids[0], subject: "second" },
  ]);
  expect(await distance(cache.git, span)).toEqual({ behind: 2, ahead: 0 });
});
