import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeFixtureF, makeWorkspaceW } from "../fixtures/fixture-f.ts";
import { tempFolder } from "../fixtures/temp-folder.ts";
import { withRunLock } from "../../packages/writ/src/workspace/swap/run-lock.ts";
import { bootstrap, snapshot } from "../support/workspace-runs.ts";

describe("a first bootstrap", () => {
  test("WC-C1: two stacks compose, the later one wins, and the repository is cloned", async () => {
    using temp = tempFolder();
    const f = makeFixtureF(temp.path);
    const root = makeWorkspaceW(f);
    const { data, ctx } = await bootstrap(f, root);
    const read = (path: string) => readFileSync(join(root, path), "utf8");
    expect(data.mode).toBe("create");
    expect(data.changed).toBe(true);
    expect(data.stacks.map(({ label }) => label)).toEqual(["core", "acme"]);
    expect(data.repos.map(({ path, action }) => [path, action])).toEqual([["api", "cloned"]]);
    expect(read(".agents/rules/r1.md")).toBe("RA\n");
    expect(existsSync(join(root, ".agents/skills/s1/SKILL.md"))).toBe(true);
    expect(existsSync(join(root, ".agents/workflows/w1.md"))).toBe(true);
    expect(data.collisions).toEqual([{ file: ".agents/rules/r1.md", winner: "acme", losers: ["core"] }]);
    for (const file of ["CLAUDE.md", "AGENTS.md"]) {
      expect(read(file)).toContain("acme/agent-stack");
      expect(read(file)).toContain(f.acme.tip().slice(0, 8));
      expect(read(file)).toContain("acme/api");
    }
    for (const file of ["awac", "deploy", "devvault"])
      expect(existsSync(join(root, `.stack/acme/${file}.yml`))).toBe(true);
    expect(read("workspace.lock.yml")).toContain(f.core.tip());
    expect(read("workspace.lock.yml")).toContain(f.acme.tip());
    expect(read("api/.git/config")).toContain(f.api.url);
    expect(ctx.ledger.events()).toHaveLength(1);
    expect(existsSync(join(root, ".writ/workspace/journal.json"))).toBe(false);
  });

  test("WS-95: a second run reports no change, writes nothing and runs no git", async () => {
    using temp = tempFolder();
    const f = makeFixtureF(temp.path);
    const root = makeWorkspaceW(f);
    await bootstrap(f, root);
    const before = snapshot(root);
    const { data, ctx } = await bootstrap({ ...f, env: { ...f.env, PATH: "/nonexistent" } }, root);
    expect(data.changed).toBe(false);
    expect(data.repos[0]).toMatchObject({ path: "api", action: "kept", branch: "main", head: f.api.tip() });
    expect(snapshot(root)).toEqual(before);
    expect(ctx.ledger.events()).toHaveLength(0);
  });

  test("WS-93: a refused first run leaves the folder as it was", async () => {
    using temp = tempFolder();
    const f = makeFixtureF(temp.path);
    const root = makeWorkspaceW(f);
    writeFileSync(join(root, "workspace.yml"), "name: demo\nschema: awac/2\nstacks: [core, nosuch]\n");
    const before = snapshot(root);
    await expect(bootstrap(f, root)).rejects.toMatchObject({ code: "E_UNKNOWN_SHORTCUT" });
    expect(snapshot(root)).toEqual(before);
  });
});

describe("the run lock", () => {
  test("WS-92 step 1: a run that waits in vain says who holds the workspace, and changes nothing", async () => {
    using temp = tempFolder();
    const f = makeFixtureF(temp.path);
    const root = makeWorkspaceW(f);
    await withRunLock(root, { waitMs: 0, command: "writ sync" }, async () => {
      await expect(bootstrap(f, root, { wait: 0 })).rejects.toMatchObject({
        code: "E_STORE_LOCKED",
        failure: { details: { owner: { command: "writ sync", pid: process.pid } } },
      });
    });
    expect(Object.keys(snapshot(root))).toEqual(["workspace.yml"]);
  });
});
