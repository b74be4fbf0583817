import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { canMount, smallDisk } from "../fixtures/small-disk.ts";
import { hashTree } from "../fixtures/hash-tree.ts";
import { cleanEnv, launcher } from "../e2e/harness.ts";
import { type Case, composedCase, failed, makeCase, putNotes, succeeded } from "./cases.ts";

/** The rules of one generation: enough of them that a run takes its time. */
function rules(generation: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`rules/g${at}.md`, `${generation}\n`]));
}

/** Kills `bootstrap --update` after some time; false when it had ended by then. */
async function killedAfter(it: Case, waitMs: number): Promise<boolean> {
  const env = cleanEnv({ cwd: it.root, env: it.f.env });
  const child = spawn(process.execPath, [launcher(), "bootstrap", "--update", "--json"], {
    cwd: it.root,
    env,
    stdio: "ignore",
    detached: true,
  });
  const ended = once(child, "close");
  await Promise.race([ended, pause(waitMs)]);
  if (child.exitCode === null && child.pid) process.kill(-child.pid, "SIGKILL");
  const [, signal] = await ended;
  return signal === "SIGKILL";
}

test("WC-G1: killed at ten random moments, the next run completes it, and notes and edits are whole", async () => {
  using it = makeCase();
  it.f.core.commit({ files: rules(0) });
  const startedAt = performance.now();
  succeeded(await it.run("bootstrap"));
  const wholeRunMs = performance.now() - startedAt;
  putNotes(it, "CLAUDE.md", "my notes\n");
  writeFileSync(it.at(".agents/rules/g1.md"), "MINE\n");
  let killed = 0;
  for (let generation = 1; generation <= 10; generation++) {
    it.f.core.commit({ files: rules(generation) });
    if (await killedAfter(it, wholeRunMs * Math.random())) killed++;
    succeeded(await it.run("status"));
    succeeded(await it.run("bootstrap --wait 0"));
    const texts = [2, 29].map((at) => it.read(`.agents/rules/g${at}.md`));
    expect([...new Set(texts)]).toHaveLength(1);
    expect(Number(texts[0])).toBeLessThanOrEqual(generation);
    expect(it.read(".agents/rules/g1.md")).toBe("MINE\n");
    for (const path of ["CLAUDE.md", "AGENTS.md"]) expect(it.read(path)).toContain("\nmy notes\n");
    expect(leftovers(it)).toEqual([]);
  }
  expect(killed).toBeGreaterThan(0);
  succeeded(await it.run("bootstrap --update"));
  expect(it.read(".agents/rules/g2.md")).toBe("10\n");
});

/** Files of a run that should be gone when none is under way. */
function leftovers(it: Case): string[] {
  const kinds = ["staging/*", "journal.json", "run.lock*", "*.tmp*"];
  const inState = globSync(
    kinds.map((kind) => `.writ/workspace/${kind}`),
    { cwd: it.root },
  );
  return [...inState, ...globSync("{,.agents/**/,.stack/**/}*.tmp*", { cwd: it.root })];
}

describe.runIf(canMount())("a disk that refuses", () => {
  const manifest = "name: demo\nschema: awac/2\nstacks: [core, acme]\n";

  test("WC-G2: a read-only and a full workspace are STORE_ERROR, and the earlier files are as they were", async () => {
    using it = makeCase();
    const cwd = join(it.f.folder, "disk");
    using disk = smallDisk(cwd);
    writeFileSync(join(cwd, "workspace.yml"), manifest);
    succeeded(await it.run("bootstrap", { cwd }));
    it.f.core.commit({ files: { "rules/big.md": "x".repeat(3 * 1024 * 1024), "rules/z.md": "z" } });
    const before = filesOf(cwd);
    failed(await it.run("bootstrap --update", { cwd }), "STORE_ERROR");
    expect(filesOf(cwd)).toEqual(before);
    disk.makeReadOnly();
    const ran = await it.run("bootstrap --update", { cwd });
    failed(ran, "STORE_ERROR");
    expect(ran.code).toBe(5);
    expect(filesOf(cwd)).toEqual(before);
  });

  test("WC-G2: a cache that cannot be written is STORE_ERROR, and the workspace is as it was", async () => {
    using it = await composedCase();
    const cache = join(it.f.folder, "another cache");
    using disk = smallDisk(cache);
    disk.makeReadOnly();
    it.f.core.commit({ files: { "rules/z.md": "z" } });
    const before = filesOf(it.root);
    failed(await it.run("bootstrap --update", { env: { WRIT_CACHE_DIR: cache } }), "STORE_ERROR");
    expect(filesOf(it.root)).toEqual(before);
  });
});

/** Everything but Writ's own state. */
function filesOf(root: string): Record<string, string> {
  const all = Object.entries(hashTree(root));
  return Object.fromEntries(all.filter(([path]) => path !== ".writ" && !path.startsWith(".writ/")));
}
