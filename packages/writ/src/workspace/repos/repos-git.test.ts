import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeHost, type FixtureRepo } from "../../../../../test/fixtures/repositories.ts";
import { runGit } from "../../../../../test/fixtures/run-git.ts";
import { hashTree } from "../../../../../test/fixtures/hash-tree.ts";
import { tempFolder } from "../../../../../test/fixtures/temp-folder.ts";
import { openTestGit } from "../../../../../test/fixtures/test-git.ts";
import type { Git } from "../../platform/index.ts";
import { openCache, type Cache } from "../sources/cache.ts";
import { cloneFromCache, type CloneOrder } from "./repo-clone.ts";
import { fastForward, repoDistance } from "./repo-forward.ts";
import { judgePrune } from "./prune.ts";
import { removalFacts } from "./removal-facts.ts";
import { repoFacts } from "./repos-git.ts";

interface Scene extends Disposable {
  repo: FixtureRepo;
  git: Git;
  cache: Cache;
  /** The clone. */
  api: string;
  file(...parts: string[]): string;
  clone(more?: Partial<CloneOrder>): Promise<void>;
  /** Fetches, and asks for a fast-forward to what the remote has. */
  forward(more?: { dryRun?: boolean }): ReturnType<typeof fastForward>;
}

async function scene(): Promise<Scene> {
  const temp = tempFolder();
  const repo = makeHost(temp.file("host")).repo("acme/api", {
    files: { "README.md": "# api\n", "docs/a.md": "a\n", "src/run.sh": { mode: "100755", content: "#!\n" } },
    branch: "develop",
    tags: ["v1"],
    branches: ["other"],
  });
  const git = openTestGit(temp.path);
  const cache = openCache({ folder: temp.file("cache"), git, lockWaitMs: 10_000, command: "test" });
  const fetch = () => cache.fetch({ url: repo.url, label: "acme/api" });
  await fetch();
  const from = cache.gitDir(repo.url);
  const api = temp.file("w", "api");
  return {
    repo,
    git,
    cache,
    api,
    file: temp.file,
    clone: (more = {}) =>
      cloneFromCache(git, {
        from,
        to: api,
        url: "https://github.com/acme/api.git",
        ref: "refs/heads/develop",
        commit: repo.tip(),
        head: "refs/heads/develop",
        ...more,
      }),
    async forward(more = {}) {
      await fetch();
      return fastForward(git, { path: api, branch: "develop", commit: repo.tip(), cache: from, ...more });
    },
    [Symbol.dispose]: temp[Symbol.dispose],
  };
}

test("WS-99: a clone has the true URL, its branch at the locked commit, an upstream, and a clean tree", async () => {
  using s = await scene();
  const locked = s.repo.tip();
  s.repo.commit({ files: { "README.md": "# newer\n" } });
  await s.cache.fetch({ url: s.repo.url, label: "acme/api" });
  await s.clone({ commit: locked });
  const git = (...args: string[]) => runGit(s.api, args);
  expect(git("config", "remote.origin.url")).toBe("https://github.com/acme/api.git");
  expect(git("symbolic-ref", "HEAD")).toBe("refs/heads/develop");
  expect(git("rev-parse", "HEAD")).toBe(locked);
  expect(git("rev-parse", "--abbrev-ref", "develop@{upstream}")).toBe("origin/develop");
  expect(git("rev-list", "--count", "HEAD..origin/develop")).toBe("1");
  expect(git("symbolic-ref", "refs/remotes/origin/HEAD")).toBe("refs/remotes/origin/develop");
  expect(git("for-each-ref", "--format=%(refname)", "refs/heads")).toBe("refs/heads/develop");
  expect(git("status", "--porcelain")).toBe("");
  expect(readFileSync(join(s.api, "README.md"), "utf8")).toBe("# api\n");
  expect(existsSync(join(s.api, ".git", "hooks"))).toBe(false);
  expect(statSync(join(s.api, "src", "run.sh")).mode & 0o111).not.toBe(0);
});

test("WS-99: a clone shares its objects with the cache by hard links and needs it no more", async () => {
  using s = await scene();
  await s.clone();
  const packs = runGit(s.api, ["count-objects", "-v"]);
  expect(packs).toContain("packs: 1");
  expect(existsSync(join(s.api, ".git", "objects", "info", "alternates"))).toBe(false);
  const pack = runGit(s.api, ["rev-parse", "--git-path", "objects/pack"]);
  const [name = ""] = runGit(join(s.api, pack), ["-c", "alias.ls=!ls *.pack", "ls"]).split("\n");
  expect(statSync(join(s.api, pack, name)).nlink).toBe(2);
});

test("WS-99: a tag and a pinned commit are checked out detached, as declared", async () => {
  using s = await scene();
  await s.clone({ ref: "refs/tags/v1" });
  expect(await repoFacts(s.git, s.api)).toMatchObject({ detached: true, head: s.repo.tip(), modified: [] });
  expect(runGit(s.api, ["for-each-ref", "refs/heads"])).toBe("");
  await s.clone({ ref: undefined, to: s.file("w", "pinned") });
  expect((await repoFacts(s.git, s.file("w", "pinned"))).detached).toBe(true);
});

test("WS-102: sparse paths are set before the first checkout", async () => {
  using s = await scene();
  await s.clone({ sparse: ["docs/"] });
  expect(existsSync(join(s.api, "docs", "a.md"))).toBe(true);
  expect(existsSync(join(s.api, "src"))).toBe(false);
  expect(runGit(s.api, ["status", "--porcelain"])).toBe("");
});

test("WS-102: submodules inside a product repository are not fetched", async () => {
  using s = await scene();
  const canary = s.file("canary");
  s.repo.commit({
    files: {
      ".gitmodules": `[submodule "x"]\n\tpath = x\n\turl = ext::sh -c touch% ${canary}\n`,
      x: { mode: "160000", content: "1".repeat(40) },
    },
  });
  await s.cache.fetch({ url: s.repo.url, label: "acme/api" });
  await s.clone();
  expect(existsSync(join(s.api, "x", ".git"))).toBe(false);
  expect(existsSync(canary)).toBe(false);
});

test("WS-99: facts of a repository are read without writing a byte or a time in it", async () => {
  using s = await scene();
  await s.clone();
  writeFileSync(join(s.api, "README.md"), "# edited\n");
  writeFileSync(join(s.api, "new.txt"), "new\n");
  runGit(s.api, ["config", "remote.fork.url", "git@github.com:ana/api.git"]);
  const before = hashTree(join(s.api, ".git"));
  const facts = await repoFacts(s.git, s.api);
  expect(facts).toEqual({
    isGit: true,
    remotes: [
      { name: "origin", url: "https://github.com/acme/api.git" },
      { name: "fork", url: "git@github.com:ana/api.git" },
    ],
    branch: "develop",
    head: s.repo.tip(),
    detached: false,
    modified: ["README.md"],
    untracked: ["new.txt"],
    ignored: [],
    stashes: 0,
    unpushed: 0,
  });
  expect(hashTree(join(s.api, ".git"))).toEqual(before);
});

test("WS-99: what is no git repository has no facts, also inside another work tree", async () => {
  using s = await scene();
  await s.clone();
  mkdirSync(join(s.api, "inner"));
  expect((await repoFacts(s.git, join(s.api, "inner"))).isGit).toBe(false);
  expect((await repoFacts(s.git, s.file("nothing"))).isGit).toBe(false);
  mkdirSync(s.file("broken", ".git"), { recursive: true });
  expect((await repoFacts(s.git, s.file("broken"))).isGit).toBe(false);
});

test("WS-103: a stash, unpushed commits, ignored files and linked work trees are found", async () => {
  using s = await scene();
  await s.clone();
  writeFileSync(join(s.api, "README.md"), "# stashed\n");
  runGit(s.api, ["stash"]);
  runGit(s.api, ["commit", "--quiet", "--allow-empty", "-m", "local"]);
  writeFileSync(join(s.api, ".git", "info", "exclude"), "*.log\n");
  writeFileSync(join(s.api, "x.log"), "log\n");
  runGit(s.api, ["worktree", "add", "--quiet", "--detach", s.file("linked")]);
  expect(await removalFacts(s.git, s.api)).toMatchObject({
    stashes: 1,
    unpushed: 1,
    ignored: ["x.log"],
    worktrees: 1,
    modified: [],
  });
});

const local = (s: Scene, ...args: string[]) => runGit(s.api, args);
const onlyHere: [what: string, make: (s: Scene) => void, fact: Record<string, unknown>][] = [
  [
    "a commit that only a tag holds",
    (s) => {
      local(s, "commit", "--quiet", "--allow-empty", "-m", "work");
      local(s, "tag", "mine");
      local(s, "reset", "--quiet", "--hard", "HEAD~1");
    },
    { unpushed: 1 },
  ],
  [
    "a commit that a ref of another kind holds",
    (s) => {
      local(s, "commit", "--quiet", "--allow-empty", "-m", "work");
      local(s, "update-ref", "refs/backup/mine", "HEAD");
      local(s, "reset", "--quiet", "--hard", "HEAD~1");
    },
    { unpushed: 1 },
  ],
  [
    "a submodule",
    (s) => {
      const from = s.file("part");
      runGit(s.file(), ["init", "--quiet", "part"]);
      runGit(from, ["commit", "--quiet", "--allow-empty", "-m", "part"]);
      local(s, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", from, "part");
      local(s, "commit", "--quiet", "-m", "part");
      local(s, "push", "--quiet", s.repo.url, "HEAD:refs/heads/part");
      local(s, "update-ref", "refs/remotes/origin/part", "HEAD");
    },
    { submodules: ["part"] },
  ],
  [
    "an edit of a file that is assumed unchanged",
    (s) => {
      local(s, "update-index", "--assume-unchanged", "README.md");
      writeFileSync(join(s.api, "README.md"), "# mine\n");
    },
    { hidden: ["README.md"] },
  ],
  [
    "an edit of a file that is skipped",
    (s) => {
      local(s, "update-index", "--skip-worktree", "docs/a.md");
      writeFileSync(join(s.api, "docs/a.md"), "mine\n");
    },
    { hidden: ["docs/a.md"] },
  ],
];

test.each(onlyHere)("WS-103: a repository is not removed for %s", async (_, make, fact) => {
  using s = await scene();
  await s.clone();
  const judge = () => judgePrune(s, s.file("w"), { path: "api", discardIgnored: false });
  expect(await judge()).toBeUndefined();
  make(s);
  expect((await judge())?.facts).toMatchObject(fact);
});

test("WS-103: a tag of the remote that no branch leads to is nobody's work", async () => {
  using s = await scene();
  s.repo.commit({ files: { "released.md": "1\n" } });
  s.repo.tag("v2", { at: "develop" });
  s.repo.git("update-ref", "refs/heads/develop", "develop~1");
  await s.cache.fetch({ url: s.repo.url, label: "acme/api" });
  await s.clone({ url: s.repo.url });
  local(s, "fetch", "--quiet", "--tags", s.repo.url);
  expect(local(s, "tag")).toContain("v2");
  expect(await judgePrune(s, s.file("w"), { path: "api", discardIgnored: false })).toBeUndefined();
  local(s, "remote", "set-url", "origin", "https://example.org/unknown.git");
  expect((await judgePrune(s, s.file("w"), { path: "api", discardIgnored: false }))?.facts).toEqual({
    unpushed: 1,
  });
});

test("WS-100: a clean repository behind its remote is moved forward", async () => {
  using s = await scene();
  await s.clone();
  const from = s.repo.tip();
  const to = s.repo.commit({ files: { "new/file.md": "new\n" }, remove: ["docs/a.md"] });
  const before = hashTree(s.api);
  expect(await s.forward({ dryRun: true })).toEqual({ action: "updated", from, to });
  expect(hashTree(s.api)).toEqual(before);
  expect(await s.forward()).toEqual({ action: "updated", from, to });
  expect(runGit(s.api, ["rev-parse", "HEAD", "origin/develop"])).toBe(`${to}\n${to}`);
  expect(readFileSync(join(s.api, "new", "file.md"), "utf8")).toBe("new\n");
  expect(await repoFacts(s.git, s.api)).toMatchObject({ modified: [], untracked: [] });
  expect(await s.forward()).toEqual({ action: "kept" });
});

const kept: [reason: string, make: (s: Scene) => void][] = [
  ["other_branch", (s) => local(s, "checkout", "--quiet", "-b", "feature")],
  ["detached", (s) => local(s, "checkout", "--quiet", "--detach")],
  ["dirty", (s) => writeFileSync(join(s.api, "README.md"), "# mine\n")],
  ["dirty", (s) => (writeFileSync(join(s.api, "README.md"), "# staged\n"), local(s, "add", "-A"))],
  ["dirty", (s) => writeFileSync(join(s.api, "added.md"), "untracked, in the way\n")],
  [
    "dirty",
    (s) => (
      writeFileSync(join(s.api, ".git", "info", "exclude"), "added.md\n"),
      writeFileSync(join(s.api, "added.md"), "ignored, in the way\n")
    ),
  ],
  ["diverged", (s) => local(s, "commit", "--quiet", "--allow-empty", "-m", "mine")],
  ["in_progress", (s) => writeFileSync(join(s.api, ".git", "MERGE_HEAD"), `${s.repo.tip()}\n`)],
];

test.each(kept)(
  "WS-100, WS-101: a repository is kept, byte for byte, with reason %s",
  async (reason, make) => {
    using s = await scene();
    await s.clone();
    make(s);
    const added = { files: { "added.md": "theirs\n", "README.md": "# theirs\n" } };
    s.repo.commit(added);
    const before = hashTree(s.api);
    expect(await s.forward()).toMatchObject({ action: "kept", reason });
    expect(hashTree(s.api)).toEqual(before);
  },
);

test("WS-100: local commits on top of the remote's tip are kept with reason ahead", async () => {
  using s = await scene();
  await s.clone();
  local(s, "commit", "--quiet", "--allow-empty", "-m", "mine");
  expect(await s.forward()).toMatchObject({ action: "kept", reason: "ahead" });
});

test("WS-119: behind and ahead are counted in the cache, and nothing in the repository's .git is written", async () => {
  using s = await scene();
  await s.clone();
  local(s, "commit", "--quiet", "--allow-empty", "-m", "mine");
  for (const text of ["1", "2", "3"]) s.repo.commit({ files: { a: text } });
  await s.cache.fetch({ url: s.repo.url, label: "acme/api" });
  const cached = s.cache.gitDir(s.repo.url);
  const before = [hashTree(join(s.api, ".git")), hashTree(cached)];
  const apart = await repoDistance(s.git, {
    path: s.api,
    cache: cached,
    from: local(s, "rev-parse", "HEAD"),
    to: s.repo.tip(),
  });
  expect(apart).toEqual({ behind: 3, ahead: 1 });
  expect([hashTree(join(s.api, ".git")), hashTree(cached)]).toEqual(before);
});
