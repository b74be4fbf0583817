import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { appendEvent } from "../../packages/writ/src/ledger/index.ts";
import { systemIds } from "../../packages/writ/src/platform/index.ts";
import { openStore, readIdentity } from "../../packages/writ/src/store/index.ts";
import { eventOf } from "../contract/events.ts";
import { tempFolder } from "../fixtures/temp-folder.ts";
import { type TestApp, testApp } from "../support/test-app.ts";

const hour = 3_600_000;
const start = Date.UTC(2026, 10, 30, 9);

/** One more act in a workspace, and a signed checkpoint of where its ledger then stands. */
async function goOn(it: TestApp, root: string): Promise<void> {
  const where = { flag: root };
  expect((await it.call("token.create", {}, { where })).ok).toBe(true);
  const exported = { out: join(root, "ledger.jsonl"), replace: true };
  expect((await it.call("ledger.export", exported, { where })).ok).toBe(true);
}

async function verdict(it: TestApp, root: string): Promise<string> {
  const { ok, error } = await it.call("ledger.verify", {}, { where: { flag: root } });
  return ok ? "whole" : String(error?.details?.kind ?? error?.code);
}

/** Takes the end of a ledger away, and all that the store itself knows of it. */
function truncate(root: string): void {
  using database = new DatabaseSync(join(root, ".writ/writ.db"));
  database.exec(`drop trigger ledger_events_no_delete; delete from ledger_events where seq > 1;
    delete from ledger_checkpoints;
    update ledger_heads set seq = 1, hash = (select hash from ledger_events)`);
}

test("RN-1, AG-162: a workspace and its copy go on apart and both verify; one cut in place does not", async () => {
  await using it = testApp({ folder: "original" });
  const copy = join(it.root, "../copy");
  await goOn(it, it.root);
  await it.app.close();
  cpSync(it.root, copy, { recursive: true });
  for (const root of [it.root, copy, copy]) await goOn(it, root);
  expect([await verdict(it, it.root), await verdict(it, copy)]).toEqual(["whole", "whole"]);
  await it.app.close();
  truncate(copy);
  expect([await verdict(it, it.root), await verdict(it, copy)]).toEqual(["whole", "TRUNCATED"]);
});

test("RN-1, AG-162: a workspace that was moved verifies where it is now, and goes on", async () => {
  await using it = testApp({ folder: "here" });
  const there = join(it.root, "../there");
  await goOn(it, it.root);
  await it.app.close();
  renameSync(it.root, there);
  expect(await verdict(it, there)).toBe("whole");
  await goOn(it, there);
  expect(await verdict(it, there)).toBe("whole");
});

/** A folder that says it is a worktree of a workspace. */
async function worktreeOf(it: TestApp): Promise<{ path: string } & Disposable> {
  const tree = tempFolder("writ-tree");
  writeFileSync(join(tree.path, "workspace.yml"), "name: demo\nschema: writ/1\n");
  mkdirSync(join(tree.path, ".writ"));
  const parent = { id: (await readIdentity(it.root))?.id, path: it.root };
  const identity = {
    schema: "1",
    id: "ws_tree",
    name: "tree",
    created_at: "2026-11-30T09:00:00.000Z",
    parent,
  };
  writeFileSync(join(tree.path, ".writ/workspace.json"), JSON.stringify(identity));
  return tree;
}

test("RN-3: a worktree's acts stand in its parent's ledger, and say which checkout they came from", async () => {
  await using it = testApp();
  await it.call("token.create");
  using tree = await worktreeOf(it);
  const where = { flag: tree.path };
  const member = await it.call("token.create", { role: "member" }, { where });
  expect(member.ok).toBe(true);
  const denied = { where, surface: "http", credential: { token: String(member.data.token) } } as const;
  expect((await it.call("token.create", {}, denied)).error?.code).toBe("E_ROLE_REQUIRED");
  const payloads = [];
  for (const event of ["1", "2", "3"])
    payloads.push((await it.call("ledger.show", { event })).data.payload as Record<string, unknown>);
  const checkout = { id: "ws_tree", name: "tree" };
  expect(payloads.map((payload) => payload.checkout)).toEqual([undefined, checkout, checkout]);
  expect(await verdict(it, tree.path)).toBe("whole");
});

test("RN-3: a worktree whose parent is gone is E_STORE_PARENT_GONE, to readers and writers, with its path", async () => {
  await using it = testApp({ folder: "parent" });
  await it.call("token.create");
  using tree = await worktreeOf(it);
  await it.app.close();
  rmSync(it.root, { recursive: true });
  for (const id of ["token.list", "token.create"]) {
    expect((await it.call(id, {}, { where: { flag: tree.path } })).error).toMatchObject({
      code: "E_STORE_PARENT_GONE",
      exit_code: 5,
      message: expect.stringContaining(it.root),
      details: { path: it.root },
    });
  }
});

test("AG-162: the commit after 1,000 events makes a checkpoint, in the store and in the installation's file", async () => {
  await using it = testApp({ now: () => start });
  await it.call("token.create");
  const { id = "", name = "" } = (await readIdentity(it.root)) ?? {};
  const clock = { now: () => start };
  const store = await openStore({
    root: it.root,
    workspace: { id, name },
    clock,
    ids: systemIds,
    mode: "write",
  });
  await store.write(async (db) => {
    for (let n = 1; n < 999; n++) await appendEvent(db, eventOf({ id: `led_${n}` }));
  });
  await store.close();
  expect((await it.call("store.status")).data.ledger).toMatchObject({ seq: 999, checkpoint: null });
  await it.call("token.create");
  expect((await it.call("store.status")).data.ledger).toMatchObject({ seq: 1000, checkpoint: { seq: 1000 } });
  const kept = readFileSync(join(it.home, ".local/state/writ/ledger_checkpoints.jsonl"), "utf8");
  expect(JSON.parse(kept)).toMatchObject({ workspace: id, seq: 1000 });
});

test("AG-162: a checkpoint that cannot be made does not fail the act, and is made by the first act that can", async () => {
  let now = start;
  await using it = testApp({ now: () => now });
  const state = join(it.home, ".local/state/writ");
  mkdirSync(join(state, ".."), { recursive: true });
  writeFileSync(state, "a file where the folder must be");
  await it.call("token.create");
  now += 2 * hour;
  expect(await it.call("token.create")).toMatchObject({ ok: true, warnings: [] });
  expect((await it.call("store.status")).data.ledger).toMatchObject({ seq: 2, checkpoint: null });
  rmSync(state);
  expect((await it.call("token.create")).ok).toBe(true);
  expect((await it.call("store.status")).data.ledger).toMatchObject({ seq: 3, checkpoint: { seq: 3 } });
});
