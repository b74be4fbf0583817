import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeFixtureF, makeWorkspaceW, type FixtureF } from "../fixtures/fixture-f.ts";
import { runGit } from "../fixtures/run-git.ts";
import { tempFolder } from "../fixtures/temp-folder.ts";
import { bootstrap, snapshot, sync } from "../support/workspace-runs.ts";

async function composed(
  folder: string,
): Promise<{ f: FixtureF; root: string; api: string; write: (path: string, text: string) => void }> {
  const f = makeFixtureF(folder);
  const root = makeWorkspaceW(f);
  await bootstrap(f, root);
  return { f, root, api: join(root, "api"), write: (path, text) => writeFileSync(join(root, path), text) };
}

const git = (folder: string, ...args: string[]) => runGit(folder, args);

/** Everything that Writ must leave alone in a repository. */
function facts(repo: string) {
  const files = snapshot(join(repo, ".git"));
  // Reading status may rewrite nothing; hooks and index included.
  return { files, head: git(repo, "rev-parse", "HEAD"), refs: git(repo, "for-each-ref") };
}

describe("product repositories", () => {
  test("WS-99: a clone looks as if it had been cloned from its URL", async () => {
    using temp = tempFolder();
    const { f, api } = await composed(temp.path);
    expect(git(api, "remote", "get-url", "origin")).toBe(f.api.url);
    expect(git(api, "rev-parse", "--abbrev-ref", "HEAD@{upstream}")).toBe("origin/main");
    expect(git(api, "status", "--porcelain")).toBe("");
    expect(readFileSync(join(api, "README.md"), "utf8")).toBe("# api\n");
  });

  test("WC-C11: default branches that are not main are found and recorded", async () => {
    using temp = tempFolder();
    const f = makeFixtureF(temp.path);
    f.host.repo("m/agent-stack", {
      branch: "master",
      files: { "awac.yml": "repos:\n  - name: shop\n", "rules/m.md": "M\n" },
    });
    f.host.repo("m/shop", { branch: "develop", files: { "a.txt": "a\n" } });
    const root = join(temp.path, "w2");
    mkdirSync(root);
    writeFileSync(join(root, "workspace.yml"), "name: demo\nschema: awac/2\nstacks: [m/agent-stack]\n");
    const { data } = await bootstrap(f, root);
    expect(data.stacks[0]?.ref).toBe("refs/heads/master");
    expect(data.repos[0]).toMatchObject({
      path: "shop",
      ref: "refs/heads/develop",
      branch: "develop",
      action: "cloned",
    });
  });

  test("WC-E3, WS-99: another repository, plain files and a link are each refused with nothing changed", async () => {
    using temp = tempFolder();
    const { f, root, api } = await composed(temp.path);
    rmSync(api, { recursive: true });
    git(temp.path, "clone", "--quiet", f.core.folder, api);
    git(api, "remote", "set-url", "origin", "https://user:secret@example.org/o/r.git");
    const before = snapshot(root);
    for (const input of [{}, { update: true }]) {
      const wrong = bootstrap(f, root, input);
      await expect(wrong).rejects.toMatchObject({ code: "E_WRONG_REMOTE" });
      await expect(wrong).rejects.not.toThrow(/secret/);
    }
    expect(snapshot(root)).toEqual(before);
    rmSync(api, { recursive: true });
    mkdirSync(api);
    writeFileSync(join(api, "notes.txt"), "mine");
    await expect(bootstrap(f, root)).rejects.toMatchObject({ code: "E_PATH_CONFLICT" });
    expect(readFileSync(join(api, "notes.txt"), "utf8")).toBe("mine");
    rmSync(api, { recursive: true });
    symlinkSync(temp.path, api);
    await expect(bootstrap(f, root)).rejects.toMatchObject({ code: "E_UNSAFE_LINK" });
  });

  test("WC-E4, WS-58: clones at one path, inside one another or equal but for case are refused before any clone", async () => {
    using temp = tempFolder();
    const f = makeFixtureF(temp.path);
    f.host.repo("o/x", { files: { a: "a" } });
    f.host.repo("o/y", { files: { a: "a" } });
    const root = makeWorkspaceW(f);
    for (const [first, second] of [
      ["x", "x"],
      ["x", "x/y"],
      ["x", "X"],
    ]) {
      const extra = `extra_repos:\n  - {org: o, repo: x, path: ${first}}\n  - {org: o, repo: y, path: ${second}}\n`;
      writeFileSync(join(root, "workspace.yml"), `name: demo\nschema: awac/2\nstacks: [core]\n${extra}`);
      await expect(bootstrap(f, root)).rejects.toMatchObject({
        code: "E_PATH_CONFLICT",
        failure: { cause: expect.stringMatching(/line 5.*line 6|line 6.*line 5/s) },
      });
      expect(existsSync(join(root, ".agents"))).toBe(false);
    }
  });

  test("WC-C3, WC-C4: sync leaves repositories alone, also when they cannot be reached", async () => {
    using temp = tempFolder();
    const { f, root, api } = await composed(temp.path);
    const lock = readFileSync(join(root, "workspace.lock.yml"), "utf8");
    f.api.moveAway();
    const before = facts(api);
    const { data } = await sync(f, root);
    expect(data.repos_kept).toBe(1);
    expect(facts(api)).toEqual(before);
    expect(readFileSync(join(root, "workspace.lock.yml"), "utf8")).toBe(lock);
    rmSync(join(root, "workspace.lock.yml"));
    await sync(f, root);
    expect(readFileSync(join(root, "workspace.lock.yml"), "utf8")).toContain("repos: []");
    expect(readFileSync(join(root, "CLAUDE.md"), "utf8")).toContain("acme/api");
  });

  test("WS-103: after a sync that cloned nothing, a bootstrap still clones", async () => {
    using temp = tempFolder();
    const f = makeFixtureF(temp.path);
    const root = makeWorkspaceW(f);
    await sync(f, root);
    expect(existsSync(join(root, "api"))).toBe(false);
    const { data } = await bootstrap(f, root);
    expect(data.repos[0]?.action).toBe("cloned");
  });

  test("WS-100, WS-101: an update moves a clean repository forward and keeps every other with its reason", async () => {
    using temp = tempFolder();
    const { f, root, api, write } = await composed(temp.path);
    const tip = f.api.commit({ files: { "b.txt": "b\n" } });
    const { data } = await bootstrap(f, root, { update: true });
    expect(data.repos[0]).toMatchObject({ action: "fast_forwarded", head: tip });
    expect(git(api, "rev-parse", "HEAD")).toBe(tip);
    f.api.commit({ files: { "c.txt": "c\n" } });
    write("api/README.md", "edited\n");
    const before = facts(api);
    const dirty = await bootstrap(f, root, { update: true });
    expect(dirty.data.repos[0]).toMatchObject({ action: "kept", reason: "dirty" });
    expect(dirty.warned).toContain("W_REPO_KEPT");
    expect(facts(api)).toEqual(before);
    git(api, "checkout", "--quiet", "--", ".");
    git(api, "checkout", "--quiet", "-b", "mine");
    expect((await bootstrap(f, root, { update: true })).data.repos[0]?.reason).toBe("other_branch");
  });

  test("WC-E5, WS-103: an orphan is reported, and pruned only when nothing in it would be lost", async () => {
    using temp = tempFolder();
    const { f, root, api, write } = await composed(temp.path);
    write("workspace.yml", "name: demo\nschema: awac/2\nstacks: [core]\n");
    const { data, warned } = await bootstrap(f, root);
    expect(existsSync(join(root, ".stack/acme"))).toBe(false);
    expect(data.orphans).toMatchObject([{ path: "api" }]);
    expect(warned).toContain("W_ORPHANS");
    expect(existsSync(api)).toBe(true);
    const refusedFor = async () => (await bootstrap(f, root, { prune: true })).data.prune_refused[0]?.reason;
    write("api/new.txt", "x");
    expect(await refusedFor()).toBe("untracked");
    git(api, "add", "new.txt");
    expect(await refusedFor()).toBe("modified");
    git(api, "stash", "--quiet");
    expect(await refusedFor()).toBe("stashes");
    git(api, "stash", "drop", "--quiet");
    git(api, "commit", "--quiet", "--allow-empty", "-m", "mine");
    expect(await refusedFor()).toBe("unpushed");
    expect(existsSync(api)).toBe(true);
    git(api, "reset", "--quiet", "--hard", "HEAD~1");
    const pruned = await bootstrap(f, root, { prune: true });
    expect(pruned.data.pruned).toMatchObject([{ path: "api" }]);
    expect(existsSync(api)).toBe(false);
    expect((await bootstrap(f, root, { prune: true })).data).toMatchObject({ changed: false, orphans: [] });
  });

  test("WC-C8, WS-22: modules are cloned by their stack's convention, wherever the entry stands", async () => {
    using temp = tempFolder();
    const f = makeFixtureF(temp.path);
    f.host.repo("erp/agent-stack", {
      files: {
        "awac.yml":
          "module_convention:\n  path_prefix: addons/\n  branch_default: 19-dev\n  repo_pattern: mod_{module_name}\n",
      },
    });
    for (const name of ["a", "b"])
      f.host.repo(`erp/mod_${name}`, { branch: "19-dev", files: { [name]: name } });
    const entry = "{org: erp, modules: [a, b]}";
    for (const [at, stacks] of [
      `[${entry}, core, acme]`,
      `[core, ${entry}, acme]`,
      `[core, acme, ${entry}]`,
    ].entries()) {
      const root = join(temp.path, `w${at}`);
      mkdirSync(root);
      writeFileSync(join(root, "workspace.yml"), `name: demo\nschema: awac/2\nstacks: ${stacks}\n`);
      const { data } = await bootstrap(f, root);
      const modules = data.repos.filter(({ source_stack }) => source_stack === "erp");
      expect(modules.map(({ path, branch, action }) => [path, branch, action])).toEqual([
        ["addons/a", "19-dev", "cloned"],
        ["addons/b", "19-dev", "cloned"],
      ]);
    }
  });

  test("WC-C9, WS-15: include, exclude and capabilities_only choose among a stack's repositories", async () => {
    using temp = tempFolder();
    const f = makeFixtureF(temp.path);
    f.host.repo("o/agent-stack", {
      files: { "awac.yml": "repos:\n  - name: p\n  - name: q\n  - name: r\n" },
    });
    for (const name of ["p", "q", "r"]) f.host.repo(`o/${name}`, { files: { a: "a" } });
    const entries: [string, string[]][] = [
      ["include: [p]", ["p"]],
      ["exclude: [p]", ["q", "r"]],
      ["capabilities_only: true", []],
    ];
    for (const [at, [choice, expected]] of entries.entries()) {
      const root = join(temp.path, `w${at}`);
      mkdirSync(root);
      writeFileSync(
        join(root, "workspace.yml"),
        `name: demo\nschema: awac/2\nstacks: [{org: o, name: agent-stack, ${choice}}]\n`,
      );
      expect((await bootstrap(f, root)).data.repos.map(({ path }) => path)).toEqual(expected);
    }
    const root = join(temp.path, "w9");
    mkdirSync(root);
    writeFileSync(
      join(root, "workspace.yml"),
      "name: demo\nschema: awac/2\nstacks: [{org: o, name: agent-stack, include: [nosuch]}]\n",
    );
    await expect(bootstrap(f, root)).rejects.toMatchObject({
      code: "E_INVALID_MANIFEST",
      failure: { cause: expect.stringContaining("p, q, r") },
    });
  });

  test("WS-102: sparse paths are set before the first checkout", async () => {
    using temp = tempFolder();
    const f = makeFixtureF(temp.path);
    f.host.repo("o/big", { files: { "docs/a.md": "a\n", "src/b.ts": "b\n" } });
    const root = makeWorkspaceW(f);
    const extra = "extra_repos:\n  - {org: o, repo: big, mode: sparse, sparse_paths: [docs]}\n";
    writeFileSync(join(root, "workspace.yml"), `name: demo\nschema: awac/2\nstacks: [core]\n${extra}`);
    await bootstrap(f, root);
    expect(existsSync(join(root, "big/docs/a.md"))).toBe(true);
    expect(existsSync(join(root, "big/src"))).toBe(false);
    expect(git(join(root, "big"), "status", "--porcelain")).toBe("");
  });

  test("WS-102: a submodule is registered in the workspace's own repository, once", async () => {
    using temp = tempFolder();
    const f = makeFixtureF(temp.path);
    f.host.repo("o/sub", { files: { "a.md": "a\n" } });
    const root = makeWorkspaceW(f);
    git(root, "init", "--quiet", "-b", "main");
    const extra = "extra_repos:\n  - {org: o, repo: sub, mode: submodule}\n";
    writeFileSync(join(root, "workspace.yml"), `name: demo\nschema: awac/2\nstacks: [core]\n${extra}`);
    await bootstrap(f, root);
    expect(readFileSync(join(root, ".gitmodules"), "utf8")).toContain(f.host.url);
    expect(git(root, "ls-files", "--stage", "sub")).toMatch(/^160000 /);
    expect(existsSync(join(root, "sub/a.md"))).toBe(true);
  });
});
