import { expect, test } from "vitest";
import type { Warning } from "../../contract/index.ts";
import { startGitHttpServer } from "../../../../../test/fixtures/git-http-server.ts";
import { makeHost } from "../../../../../test/fixtures/repositories.ts";
import { makeRecordingGit } from "../../../../../test/fixtures/recording-git.ts";
import { fixtureEnvironment } from "../../../../../test/fixtures/run-git.ts";
import { tempFolder } from "../../../../../test/fixtures/temp-folder.ts";
import { openTestGit } from "../../../../../test/fixtures/test-git.ts";
import { openCache } from "./cache.ts";
import { resolveSources, type Asked, type ResolveOptions } from "./resolve.ts";

interface Scene extends Disposable {
  host: ReturnType<typeof makeHost>;
  warnings: Warning[];
  networkCalls(): number;
  resolve(asked: Asked[], more?: Partial<ResolveOptions>): ReturnType<typeof resolveSources>;
  file(...parts: string[]): string;
}

function scene(): Scene {
  const temp = tempFolder();
  const host = makeHost(temp.file("host"));
  const recorder = makeRecordingGit(temp.file("bin"));
  const git = openTestGit(temp.path, { env: { ...fixtureEnvironment, PATH: recorder.path } });
  const cache = openCache({ folder: temp.file("cache"), git, lockWaitMs: 30_000, command: "test" });
  const warnings: Warning[] = [];
  return {
    host,
    warnings,
    networkCalls: () =>
      recorder
        .calls()
        .filter((call) => ["clone", "ls-remote", "fetch"].some((verb) => call.args.includes(verb))).length,
    resolve: (asked, more = {}) =>
      resolveSources(asked, {
        cache,
        base: host.url,
        root: temp.path,
        offline: false,
        jobs: 4,
        warn: (warning) => warnings.push(warning),
        ...more,
      }),
    file: temp.file,
    [Symbol.dispose]: temp[Symbol.dispose],
  };
}

const ask = (repo: string, more: Partial<Asked> = {}): Asked => {
  const [org = "", name = ""] = repo.split("/");
  return { label: repo, kind: "stack", source: { kind: "repo", org, repo: name }, want: "default", ...more };
};

test("WS-29: an entry the lock answers stays at its commit, without network when the cache has it", async () => {
  using s = scene();
  const repo = s.host.repo("t/core", { files: { a: "1" } });
  const first = repo.tip();
  await s.resolve([ask("t/core")]);
  repo.commit({ files: { a: "2" } });
  const before = s.networkCalls();
  const [answer] = await s.resolve([ask("t/core", { locked: { ref: "refs/heads/main", commit: first } })]);
  expect(answer).toMatchObject({ commit: first, ref: "refs/heads/main", from: "lock" });
  expect(s.networkCalls()).toBe(before);
});

test("WS-29: a locked commit that the cache lacks is fetched, and stays the answer although the branch moved", async () => {
  using s = scene();
  const repo = s.host.repo("t/core", { files: { a: "1" } });
  const first = repo.tip();
  repo.commit({ files: { a: "2" } });
  const [answer] = await s.resolve([ask("t/core", { locked: { ref: "refs/heads/main", commit: first } })]);
  expect(answer).toMatchObject({ commit: first, from: "lock" });
});

test("WS-29: with update the remote decides; without a lock too", async () => {
  using s = scene();
  const repo = s.host.repo("t/core", { files: { a: "1" } });
  const first = repo.tip();
  const second = repo.commit({ files: { a: "2" } });
  const locked = { ref: "refs/heads/main", commit: first };
  const [updated] = await s.resolve([ask("t/core", { locked, update: true })]);
  expect(updated).toMatchObject({ commit: second, from: "remote" });
  expect((await s.resolve([ask("t/core")]))[0]).toMatchObject({
    commit: second,
    ref: "refs/heads/main",
    from: "remote",
  });
});

test("WS-29, WS-52: offline the refs the cache saw last answer, with W_CACHED_REFS and no network", async () => {
  using s = scene();
  const repo = s.host.repo("t/core", { files: { a: "1" } });
  const first = repo.tip();
  await s.resolve([ask("t/core")]);
  repo.commit({ files: { a: "2" } });
  const before = s.networkCalls();
  expect((await s.resolve([ask("t/core")], { offline: true }))[0]).toMatchObject({
    commit: first,
    from: "cache",
  });
  expect(s.warnings.map(({ code }) => code)).toEqual(["W_CACHED_REFS"]);
  expect(s.networkCalls()).toBe(before);
});

test("WS-52: offline, what the cache never saw is E_OFFLINE_MISS naming the source, without network", async () => {
  using s = scene();
  s.host.repo("t/core", { files: { a: "1" } });
  const locked = { ref: "refs/heads/main", commit: "1".repeat(40) };
  await expect(s.resolve([ask("t/core")], { offline: true })).rejects.toMatchObject({
    code: "E_OFFLINE_MISS",
    failure: { details: { source: "t/core" } },
  });
  await expect(s.resolve([ask("t/core", { locked })], { offline: true })).rejects.toMatchObject({
    code: "E_OFFLINE_MISS",
  });
  expect(s.networkCalls()).toBe(0);
});

test("WS-31: a locked commit whose history was rewritten away is E_COMMIT_GONE, naming stack and commit", async () => {
  using s = scene();
  const repo = s.host.repo("t/core", { files: { a: "1" } });
  const gone = repo.tip();
  repo.rewrite({ files: { a: "2" } });
  const locked = { ref: "refs/heads/main", commit: gone };
  await expect(s.resolve([ask("t/core", { locked })])).rejects.toMatchObject({
    code: "E_COMMIT_GONE",
    failure: {
      remediation: expect.stringContaining("writ bootstrap --update --stack t/core") as string,
      details: { stack: "t/core", commit: gone },
    },
  });
});

test("WS-31: a commit the cache still has counts no more once no branch or tag leads to it", async () => {
  using s = scene();
  const repo = s.host.repo("t/core", { files: { a: "1" } });
  const gone = repo.tip();
  await s.resolve([ask("t/core")]);
  repo.rewrite({ files: { a: "2" } });
  await s.resolve([ask("t/core")]);
  const locked = { ref: "refs/heads/main", commit: gone };
  await expect(s.resolve([ask("t/core", { locked })])).rejects.toMatchObject({ code: "E_COMMIT_GONE" });
  await expect(s.resolve([ask("t/core", { want: `commit:${gone}` })])).rejects.toMatchObject({
    code: "E_COMMIT_GONE",
  });
});

test("WS-31: a commit behind a branch counts; one the remote holds without a ref is never fetched", async () => {
  using s = scene();
  const repo = s.host.repo("t/core", { files: { a: "1" } });
  const old = repo.tip();
  repo.commit({ files: { a: "2" } });
  const stray = repo.commit({ files: { b: "3" }, branch: "stray" });
  repo.git("update-ref", "-d", "refs/heads/stray");
  expect((await s.resolve([ask("t/core", { want: `commit:${old}` })]))[0]).toMatchObject({ commit: old });
  await expect(s.resolve([ask("t/core", { want: `commit:${stray}` })])).rejects.toMatchObject({
    code: "E_COMMIT_GONE",
  });
});

test("WS-30: a tag that was moved gives W_TAG_MOVED on update, and only then", async () => {
  using s = scene();
  const repo = s.host.repo("t/core", { files: { a: "1" }, tags: ["v1"] });
  const first = repo.tip();
  repo.commit({ files: { a: "2" } });
  repo.tag("v1");
  const locked = { ref: "refs/tags/v1", commit: first };
  await s.resolve([ask("t/core", { want: "tag:v1", locked })]);
  expect(s.warnings).toEqual([]);
  const [moved] = await s.resolve([ask("t/core", { want: "tag:v1", locked, update: true })]);
  expect(moved?.commit).toBe(repo.tip());
  expect(s.warnings.map(({ code }) => code)).toEqual(["W_TAG_MOVED"]);
});

test("WS-32: two refs of one repository are asked with one fetch", async () => {
  using s = scene();
  const repo = s.host.repo("t/core", { files: { a: "1" }, branches: ["dev"] });
  const second = repo.commit({ files: { a: "2" } });
  const answers = await s.resolve([
    ask("t/core", { label: "registry", kind: "registry" }),
    ask("t/core", { label: "core", want: "branch:dev" }),
  ]);
  expect(answers.map(({ ref }) => ref)).toEqual(["refs/heads/main", "refs/heads/dev"]);
  expect(answers[0]?.commit).toBe(second);
  expect(s.networkCalls()).toBe(1);
});

test("WS-33: a missing repository is E_REPO_NOT_FOUND, behind a shortcut E_LAZY_STACK", async () => {
  using s = scene();
  await expect(s.resolve([ask("lazy/agent-stack")])).rejects.toMatchObject({ code: "E_REPO_NOT_FOUND" });
  await expect(
    s.resolve([ask("lazy/agent-stack", { label: "lazy", shortcutOrg: "lazy" })]),
  ).rejects.toMatchObject({
    code: "E_LAZY_STACK",
    failure: { remediation: expect.stringContaining("writ scaffold stack lazy") as string },
  });
});

test("WS-51: every failure is reported, the first of the manifest speaks, and what was fetched is named", async () => {
  using s = scene();
  s.host.repo("t/core", { files: { a: "1" } });
  const failure = await s
    .resolve([ask("t/core"), ask("no/one"), ask("no/two"), ask("t/core", { label: "x", want: "branch:x" })])
    .catch((error: unknown) => error);
  expect(failure).toMatchObject({
    code: "E_REPO_NOT_FOUND",
    failure: {
      details: {
        source: "no/one",
        failures: [
          { source: "no/one", code: "E_REPO_NOT_FOUND" },
          { source: "no/two", code: "E_REPO_NOT_FOUND" },
          { source: "x", code: "E_REF_NOT_FOUND" },
        ],
        fetched: ["t/core"],
      },
    },
  });
  expect((await s.resolve([ask("t/core")], { offline: true }))[0]?.from).toBe("cache");
});

test("WS-51: after a failure nothing new starts, and what runs is stopped after its grace", async () => {
  using s = scene();
  await using server = await startGitHttpServer(s.host.folder);
  server.behave({ stall: true });
  const stalled = ask("x/stalled", { source: { kind: "url", url: `${server.url}/x/stalled.git` } });
  const later = ask("later/repo", { source: { kind: "url", url: `${server.url}/later/repo.git` } });
  const resolving = s.resolve([stalled, ask("no/one"), later], { jobs: 2, graceMs: 50 });
  await expect(resolving).rejects.toMatchObject({
    code: "E_REPO_NOT_FOUND",
    failure: { details: { failures: [{ source: "no/one" }] } },
  });
  expect(server.requests.filter((request) => request.includes("later"))).toEqual([]);
});

test("WS-51: no more sources than --jobs are fetched at once, and all are", async () => {
  using s = scene();
  const names = ["a/a", "b/b", "c/c", "d/d", "e/e"];
  for (const name of names) s.host.repo(name, { files: { a: name } });
  const seen: string[] = [];
  const answers = await s.resolve(
    names.map((name) => ask(name)),
    { jobs: 1, onFetch: ({ source }) => seen.push(source) },
  );
  expect(seen).toEqual(names);
  expect(answers.map(({ label }) => label)).toEqual(names);
});

test("WS-53: resolving with keepRefs sees the remote's newest and leaves the cache's refs", async () => {
  using s = scene();
  const repo = s.host.repo("t/core", { files: { a: "1" } });
  const first = repo.tip();
  await s.resolve([ask("t/core")]);
  const second = repo.commit({ files: { a: "2" } });
  expect((await s.resolve([ask("t/core")], { keepRefs: true }))[0]?.commit).toBe(second);
  expect((await s.resolve([ask("t/core")], { offline: true }))[0]?.commit).toBe(first);
});

test("WS-39: a locked repository that is cloned already needs neither network nor cache", async () => {
  using s = scene();
  const locked = { ref: "refs/heads/main", commit: "1".repeat(40) };
  const [answer] = await s.resolve([ask("gone/api", { kind: "repository", locked, needsObjects: false })]);
  expect(answer).toMatchObject({ commit: locked.commit, from: "lock" });
  expect(s.networkCalls()).toBe(0);
});
