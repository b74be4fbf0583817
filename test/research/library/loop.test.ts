import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestApp, testApp } from "../../support/test-app.ts";

let it: TestApp;
let root: string;
const call = (id: string, input: Record<string, unknown> = {}) =>
  it.call(id, input, { where: { flag: root }, base: root });

beforeAll(async () => {
  it = testApp({ manifest: null });
  root = join(it.root, "ws");
});
afterAll(() => it[Symbol.asyncDispose]());

test("RL-19: the research template makes the library, an equation and a demonstration", async () => {
  const made = await it.call("workspace.init", { name: "ws", template: "research" });
  expect(made.error).toBeNull();
  expect(made.data.research).toEqual({ library: ".writ/research/library.duckdb", schema_version: "1" });
  for (const path of [
    "equation.yml",
    "demo/works.jsonl",
    ".writ/research/library.duckdb",
    ".writ/research/pages",
  ])
    expect(existsSync(join(root, path)), path).toBe(true);
  const before = statSync(join(root, ".writ/research/library.duckdb")).mtimeMs;
  const again = await it.call("workspace.init", { name: "ws", template: "research" });
  expect(again).toMatchObject({ error: null, data: { changed: false, research: { schema_version: "1" } } });
  expect(statSync(join(root, ".writ/research/library.duckdb")).mtimeMs).toBe(before);
});

test("RL-45: an empty library offers to be seeded", async () => {
  const status = await call("research.status");
  expect(status).toMatchObject({
    error: null,
    data: {
      loop_state: null,
      round: 0,
      transitions_available: ["seed"],
      commands_available: [{ transition: "seed", command: "writ research seed --spec equation.yml" }],
      next_best_action: "seed",
      total_papers: 0,
    },
  });
});

test("RL-19: the demonstration can be read, built and shown offline", async () => {
  const seeded = await call("research.seed", { from_file: "demo/works.jsonl" });
  expect(seeded).toMatchObject({ error: null, data: { papers_new: 30, round: 1 } });
  const status = await call("research.status");
  expect(status).toMatchObject({
    error: null,
    data: { loop_state: "SEEDED", next_best_action: "chain", total_papers: 30, readiness: { ready: true } },
  });
  const listed = await call("research.read.list", {
    fields: ["id", "title", "abstract", "scent"],
    sort: "scent",
    limit: 3,
  });
  expect(listed).toMatchObject({ error: null, data: { count: 3, total: 30 } });
  const next = await call("research.read.list", {
    sort: "scent",
    limit: 30,
    cursor: listed.data.next_cursor as string,
  });
  expect(next.data.count).toBe(27);
  const stats = await call("research.read.stats", { group_by: "language" });
  expect(stats.data.groups).toEqual([
    { key: "en", count: 28 },
    { key: "es", count: 2 },
  ]);
  const shown = await call("research.read.show", { id: "https://doi.org/10.5555/WRIT-DEMO.12" });
  expect(shown).toMatchObject({ error: null, data: { paper: { doi: "10.5555/writ-demo.12" } } });
  expect((shown.data.provenance as unknown[]).length).toBe(1);
  const valid = await call("research.validate");
  expect(valid).toMatchObject({ error: null, data: { valid: true, checked: 30, issues: [] } });
});

test("RL-171: a paper is a reference, and a pinned one tells what changed since", async () => {
  const shown = await call("research.read.show", { id: "W99000000012" });
  const pinned = shown.data.ref as string;
  const same = await call("explain", { ref: pinned });
  expect(same).toMatchObject({
    error: null,
    data: { status: "candidate", pinned: { same: true, changed: [] } },
  });
});
