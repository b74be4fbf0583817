import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import syncCapability from "../../packages/writ/src/workspace/capabilities/sync.ts";
import { makeFixtureF, makeWorkspaceW, type FixtureF } from "../fixtures/fixture-f.ts";
import { tempFolder } from "../fixtures/temp-folder.ts";
import { bootstrap, snapshot, sync } from "../support/workspace-runs.ts";
import { composedApp } from "./composed.ts";

const lockFile = "workspace.lock.yml";

async function composed(folder: string): Promise<{
  f: FixtureF;
  root: string;
  read: (path: string) => string;
  write: (path: string, text: string) => void;
}> {
  const f = makeFixtureF(folder);
  const root = makeWorkspaceW(f);
  await bootstrap(f, root);
  return {
    f,
    root,
    read: (path) => readFileSync(join(root, path), "utf8"),
    write: (path, text) => writeFileSync(join(root, path), text),
  };
}

const manifest = (stacks: string, more = "") => `name: demo\nschema: awac/2\nstacks: ${stacks}\n${more}`;

describe("the lock", () => {
  test("WC-D1, WS-37, WS-39, WS-40: it is replayed, and only what is new is resolved", async () => {
    using temp = tempFolder();
    const { f, root, read, write } = await composed(temp.path);
    const [core, acme] = [f.core.tip(), f.acme.tip()];
    f.core.commit({ files: { "rules/new.md": "N\n" } });
    f.acme.commit({ files: { "rules/new.md": "N\n" } });
    const third = f.host.repo("third/agent-stack", { files: { "rules/t.md": "T\n" } });
    write("workspace.yml", manifest("[core, acme, third/agent-stack]"));
    const before = snapshot(root);
    const frozen = bootstrap(f, root, { frozen: true });
    await expect(frozen).rejects.toMatchObject({
      code: "E_LOCK_OUTDATED",
      failure: {
        cause: `stack "third/agent-stack" was added (workspace.yml:3).`,
        details: { differences: [{ kind: "added", what: "stack", name: "third/agent-stack", line: 3 }] },
      },
    });
    expect(snapshot(root)).toEqual(before);
    const { data } = await bootstrap(f, root);
    expect(data.stacks.map(({ commit }) => commit)).toEqual([core, acme, third.tip()]);
    expect(data.lock).toMatchObject({ changed: true, moved: [] });
    expect(read(lockFile)).toContain(third.tip());
    expect((await bootstrap(f, root, { frozen: true })).data.mode).toBe("frozen");
  });

  test("WS-40: a frozen run without a lock is refused before anybody is asked", async () => {
    using temp = tempFolder();
    const f = makeFixtureF(temp.path);
    const root = makeWorkspaceW(f);
    const refusal = bootstrap({ env: { ...f.env, PATH: "/nonexistent" } }, root, { frozen: true });
    await expect(refusal).rejects.toMatchObject({
      failure: { details: { differences: [{ kind: "missing_lock" }] } },
    });
    expect(existsSync(join(root, ".writ"))).toBe(false);
  });

  test("WS-39: an update moves all stacks, one with --stack only the named", async () => {
    using temp = tempFolder();
    const { f, root } = await composed(temp.path);
    const before = { core: f.core.tip(), acme: f.acme.tip() };
    f.core.commit({ files: { "rules/c.md": "C\n" } });
    f.acme.commit({ files: { "rules/a.md": "A\n" } });
    const one = await bootstrap(f, root, { update: true, stack: ["acme"] });
    expect(one.data.stacks.map(({ commit }) => commit)).toEqual([before.core, f.acme.tip()]);
    expect(one.data.stacks[1]?.previous_commit).toBe(before.acme);
    expect(one.data.lock.moved).toEqual([{ id: "acme", from: before.acme, to: f.acme.tip() }]);
    const all = await bootstrap(f, root, { update: true });
    expect(all.data.stacks[0]?.commit).toBe(f.core.tip());
    expect((await bootstrap(f, root, { update: true })).data.changed).toBe(false);
    await expect(bootstrap(f, root, { update: true, stack: ["amce"] })).rejects.toMatchObject({
      code: "E_UNKNOWN_STACK",
      failure: { details: { nearest: "acme" } },
    });
  });

  test("WC-D2, WS-31: a locked commit that is on no branch any more is E_COMMIT_GONE, naming the way on", async () => {
    using temp = tempFolder();
    const { f, root, read } = await composed(temp.path);
    const gone = f.acme.tip();
    f.acme.rewrite({ files: { "awac.yml": "product: acme\n", "rules/r1.md": "NEW\n" } });
    rmSync(f.env["WRIT_CACHE_DIR"] ?? "", { recursive: true });
    rmSync(join(root, ".agents"), { recursive: true });
    const before = snapshot(root);
    await expect(bootstrap(f, root)).rejects.toMatchObject({
      code: "E_COMMIT_GONE",
      failure: {
        details: { stack: "acme", commit: gone },
        remediation: expect.stringContaining("writ bootstrap --update --stack acme"),
      },
    });
    expect(snapshot(root)).toEqual(before);
    await bootstrap(f, root, { update: true, stack: ["acme"] });
    expect(read(".agents/rules/r1.md")).toBe("NEW\n");
  });

  test("WC-D3, WS-41: a lock that cannot be read is never taken for an absent one", async () => {
    using temp = tempFolder();
    const { f, root, read, write } = await composed(temp.path);
    const good = read(lockFile);
    const broken = [
      "stacks: [",
      "schema: writ/1\nstacks: 1\nrepos: []\n",
      `<<<<<<< ours\n${good}`,
      good.replace("writ/1", "writ/9"),
    ];
    for (const text of broken) {
      write(lockFile, text);
      for (const run of [
        () => bootstrap(f, root),
        () => bootstrap(f, root, { update: true }),
        () => sync(f, root),
      ]) {
        await expect(run()).rejects.toMatchObject({ code: "E_INVALID_LOCK" });
        expect(read(lockFile)).toBe(text);
      }
    }
  });

  test("WS-42: an AWaC lock is replayed and rewritten once; frozen it is replayed and left", async () => {
    using temp = tempFolder();
    const { f, root, read, write } = await composed(temp.path);
    const [core, acme, api] = [f.core.tip(), f.acme.tip(), f.api.tip()];
    const awac =
      `schema: awac/2\nresolved_at: 2026-01-01\nstacks:\n  - {repo: t/core, ref: main, commit: ${core}}\n` +
      `  - {repo: acme/agent-stack, ref: main, commit: ${acme}}\nrepos:\n  - {repo: acme/api, ref: main, commit: ${api}, path: api/}\n`;
    f.acme.commit({ files: { "rules/r1.md": "RB\n" } });
    write(lockFile, awac);
    const frozen = await bootstrap(f, root, { frozen: true });
    expect(frozen.data.stacks[1]?.commit).toBe(acme);
    expect(read(lockFile)).toBe(awac);
    const { data, warned } = await bootstrap(f, root);
    expect(warned).toContain("W_LOCK_UPGRADED");
    expect(data.stacks[1]?.commit).toBe(acme);
    expect(read(lockFile)).toMatch(/^# Written by writ[^\n]*\nschema: writ\/1\n/);
    expect((await bootstrap(f, root)).warned).toEqual([]);
  });

  test("WS-43: content that differs at an unchanged commit is E_INTEGRITY", async () => {
    using temp = tempFolder();
    const { f, root, read, write } = await composed(temp.path);
    write(lockFile, read(lockFile).replace(/sha256:[0-9a-f]{64}/, `sha256:${"0".repeat(64)}`));
    await expect(bootstrap(f, root)).rejects.toMatchObject({
      code: "E_INTEGRITY",
      failure: { details: { stack: "core" } },
    });
  });

  test("WS-32: a registry of the environment that differs from the lock's is ignored until an update", async () => {
    using temp = tempFolder();
    const { f, root, write } = await composed(temp.path);
    const other = f.host.repo("o/reg", {
      files: { "awac.yml": "shortcuts:\n  core: t/core\n  acme: acme/agent-stack\n" },
    });
    write("workspace.yml", `${manifest("[core, acme]")}# changed\n`);
    const env = { ...f.env, WRIT_REGISTRY: "o/reg" };
    const kept = await bootstrap({ env }, root);
    expect(kept.warned).toContain("W_REGISTRY_FROM_LOCK");
    await bootstrap({ env }, root, { update: true });
    expect(readFileSync(join(root, lockFile), "utf8")).toContain(other.tip());
  });

  test("WS-52: a lock and a warm cache are enough, also with the remotes gone and offline", async () => {
    using temp = tempFolder();
    const { f, root, read } = await composed(temp.path);
    for (const repo of [f.core, f.acme, f.api]) repo.moveAway();
    for (const path of [".agents", ".stack", "CLAUDE.md", "api"])
      rmSync(join(root, path), { recursive: true });
    await bootstrap(f, root);
    expect(read(".agents/rules/r1.md")).toBe("RA\n");
    rmSync(join(root, ".agents"), { recursive: true });
    await bootstrap(f, root, { offline: true });
    rmSync(f.env["WRIT_CACHE_DIR"] ?? "", { recursive: true });
    rmSync(join(root, ".agents"), { recursive: true });
    await expect(bootstrap(f, root, { offline: true })).rejects.toMatchObject({ code: "E_OFFLINE_MISS" });
  });
});

describe("a dry run", () => {
  test("WC-E6, WS-53: it lists what the real run changes, and changes neither the tree nor the cache's refs", async () => {
    using temp = tempFolder();
    const { f, root, write } = await composed(temp.path);
    write(".agents/workflows/w1.md", "MINE\n");
    f.core.commit({
      files: { "workflows/w1.md": "# W2\n", "skills/s2/SKILL.md": "---\nname: s2\ndescription: d\n---\n" },
    });
    f.acme.commit({ files: { "rules/r1.md": "RB\n" }, remove: ["deploy.yml"] });
    const before = snapshot(root);
    const refs = () =>
      Object.entries(snapshot(join(f.folder, "cache"))).filter(([path]) =>
        /packed-refs|writ-refs/.test(path),
      );
    const seen = refs();
    const { data } = await bootstrap(f, root, { update: true }, { dryRun: true });
    expect(snapshot(root)).toEqual(before);
    expect(refs()).toEqual(seen);
    const { data: real } = await bootstrap(f, root, { update: true });
    expect(data.changes).toEqual(real.changes);
    const after = snapshot(root);
    const touched = [...new Set([...Object.keys(before), ...Object.keys(after)])]
      .filter((path) => before[path] !== after[path] && !path.startsWith(".writ/") && path !== lockFile)
      .sort();
    expect(data.changes.map(({ path }) => path)).toEqual(touched);
  });
});

describe("undo", () => {
  test("WC-E7, WS-96: it restores the exact tree before the last changing run, once", async () => {
    using temp = tempFolder();
    const { f, root, write } = await composed(temp.path);
    write(".agents/workflows/w1.md", "MINE\n");
    const tree = () =>
      Object.fromEntries(
        Object.entries(snapshot(root, { times: false })).filter(([path]) => !path.startsWith(".writ/")),
      );
    const before = tree();
    f.core.commit({
      files: { "workflows/w1.md": "# W2\n", "rules/deep/new.md": "N\n", "skills/s2/SKILL.md": "x" },
      remove: ["skills/s1/SKILL.md"],
    });
    await sync(f, root);
    expect(tree()).not.toEqual(before);
    const { data, ctx } = await bootstrap(f, root, { undo: true });
    expect(data.mode).toBe("undo");
    expect(tree()).toEqual(before);
    expect(ctx.ledger.events()[0]?.fact.detail).toMatchObject({ undo: true });
    const again = await bootstrap(f, root, { undo: true });
    expect(again.data).toMatchObject({ changed: false, reason: "nothing_to_undo" });
    expect((await bootstrap(f, root)).data.changed).toBe(false);
  });

  test("WS-96: a file that undo keeps is an edit to the next run, and no conflict", async () => {
    using temp = tempFolder();
    const { f, root, write } = await composed(temp.path);
    write(".agents/workflows/w1.md", "MINE\n");
    const { data } = await bootstrap(f, root, { undo: true });
    expect(data.edited).toEqual([".agents/workflows/w1.md"]);
    const again = await bootstrap(f, root);
    expect(again.data.conflicts).toEqual([]);
    expect(again.data.edited).toEqual([".agents/workflows/w1.md"]);
    expect(readFileSync(join(root, ".agents/workflows/w1.md"), "utf8")).toBe("MINE\n");
  });

  test("WS-131: flags that exclude each other are refused", async () => {
    using temp = tempFolder();
    const f = makeFixtureF(temp.path);
    const root = makeWorkspaceW(f);
    for (const input of [
      { undo: true, update: true },
      { frozen: true, update: true },
      { undo: true, theirs: ["."] },
    ]) {
      await expect(bootstrap(f, root, input)).rejects.toMatchObject({ code: "E_CONFLICTING_INPUT" });
    }
  });
});

test("CT-20: a replayed sync tells what the first told, and nothing of repositories", async () => {
  await using it = await composedApp({ capabilities: [syncCapability] });
  it.f.core.commit({ files: { "rules/new.md": "N\n" } });
  const [first, again] = [
    await it.call("workspace.sync", {}, { idempotencyKey: "k" }),
    await it.call("workspace.sync", {}, { idempotencyKey: "k" }),
  ];
  expect(first.data).toMatchObject({ changed: true, files: { created: 1 } });
  expect(again.warnings.map(({ code }) => code)).toContain("W_REPLAYED");
  expect(JSON.stringify(again.data)).toBe(JSON.stringify(first.data));
});
