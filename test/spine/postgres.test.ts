import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Call } from "../../packages/writ/src/contract/index.ts";
import { readIdentity } from "../../packages/writ/src/store/index.ts";
import { available } from "../available.ts";
import { postgresDatabase } from "../contract/databases.ts";
import { type TestApp, testApp } from "../support/test-app.ts";

interface Event {
  seq: number;
  kind: string;
  capability?: string;
  code?: string;
  subjects: string[];
}

const by = (token: unknown): Partial<Call> => ({ surface: "http", credential: { token: String(token) } });
const eventsOf = async (it: TestApp) => (await it.call("ledger.list")).data.events as Event[];

/** Apps on one database, and the database; everything is gone at the end of the block. */
async function onServer() {
  await using made = new AsyncDisposableStack();
  const database = made.use(await postgresDatabase());
  const ends = made.move();
  return {
    url: database.url,
    /** A workspace of its own on the shared database. */
    open: (env: Record<string, string> = {}): TestApp =>
      ends.use(testApp({ env: { WRIT_DATABASE_URL: database.url, ...env } })),
    [Symbol.asyncDispose]: () => ends.disposeAsync(),
  };
}

async function registered(server: Awaited<ReturnType<typeof onServer>>): Promise<TestApp> {
  const it = server.open();
  expect((await it.call("store.migrate")).ok).toBe(true);
  return it;
}

describe.runIf(available("postgres", "the program on PostgreSQL"))("the program on PostgreSQL", () => {
  test("RN-2: a workspace that the database does not know is refused, with the command that registers it", async () => {
    await using server = await onServer();
    await registered(server);
    const stranger = server.open();
    for (const answer of [await stranger.call("token.create"), await stranger.call("token.list")]) {
      expect(answer.error).toMatchObject({ code: "E_STORE_OUTDATED", exit_code: 5 });
      expect(answer.error?.remediation).toContain("writ store migrate");
    }
    expect((await stranger.call("store.migrate")).data).toMatchObject({ changed: true });
    expect((await stranger.call("token.create")).ok).toBe(true);
    expect((await stranger.call("store.migrate")).data).toMatchObject({ changed: false });
  });

  test("RN-2, CT-19: an empty database is refused to a reader, made by store migrate, and a dry run makes nothing", async () => {
    await using server = await onServer();
    const it = server.open();
    expect((await it.call("token.list")).error).toMatchObject({ code: "E_STORE_OUTDATED" });
    const dry = await it.call("store.migrate", {}, { dryRun: true });
    expect(dry.data).toMatchObject({ from_version: 0, changed: true, dry_run: true });
    expect((await it.call("token.list")).error?.code).toBe("E_STORE_OUTDATED");
    expect((await it.call("store.migrate")).data).toMatchObject({ from_version: 0, changed: true });
    expect((await it.call("store.status")).data).toMatchObject({ database: "postgres" });
    expect(existsSync(join(it.root, ".writ", "writ.db"))).toBe(false);
  });

  test("RN-2: WRIT_WORKSPACE_ID names the workspace where a folder has no id of its own", async () => {
    await using server = await onServer();
    const home = await registered(server);
    const made = await home.call("token.create", { subject: "user:bob" });
    const identity = await readIdentity(home.root);
    const container = server.open({ WRIT_WORKSPACE_ID: identity?.id ?? "" });
    expect((await container.call("token.list")).data.tokens).toMatchObject([{ id: made.data.id }]);
    expect((await container.call("token.create", { subject: "user:eve" })).ok).toBe(true);
    expect(existsSync(join(container.root, ".writ", "workspace.json"))).toBe(false);
    expect((await home.call("token.list")).data.tokens).toHaveLength(2);
    const lost = server.open({ WRIT_WORKSPACE_ID: "ws_nowhere" });
    expect((await lost.call("token.list")).error?.code).toBe("E_STORE_OUTDATED");
    for (const id of ["store.migrate", "token.create"])
      expect((await lost.call(id)).error).toMatchObject({
        code: "E_STORE_OUTDATED",
        remediation: expect.stringContaining("Correct WRIT_WORKSPACE_ID"),
      });
    expect((await lost.call("token.list")).error?.code).toBe("E_STORE_OUTDATED");
  });

  test("AG-27: two workspaces of one database see nothing of each other", async () => {
    await using server = await onServer();
    const [one, other] = [await registered(server), await registered(server)];
    const mine = await one.call("token.create", { subject: "user:ann", role: "admin" });
    await other.call("token.create", { subject: "user:bob", role: "admin" });
    expect((await one.call("token.list", {}, by(mine.data.token))).data.tokens).toMatchObject([
      { subject: "user:ann" },
    ]);
    expect((await other.call("token.list")).data.tokens).toMatchObject([{ subject: "user:bob" }]);
    expect((await other.call("token.list", {}, by(mine.data.token))).error?.code).toBe("E_AUTH_REQUIRED");
    expect((await other.call("token.revoke", { id: mine.data.id })).error).toMatchObject({
      code: "E_NOT_FOUND",
    });
    expect(JSON.stringify((await other.call("token.revoke", { id: mine.data.id })).error)).not.toContain(
      "user:ann",
    );
    expect((await other.call("token.revoke", { subject: "user:ann" })).error?.code).toBe("E_NOT_FOUND");
    expect((await one.call("token.list", {}, by(mine.data.token))).ok).toBe(true);
    for (const it of [one, other]) {
      expect(await eventsOf(it)).toMatchObject([{ seq: 1, capability: "token.create" }]);
      expect((await it.call("ledger.verify")).data).toMatchObject({ ok: true, events: 1 });
    }
  });

  test("CT-20: one key acts once, also of many calls at once, and belongs to its workspace", async () => {
    await using server = await onServer();
    const [one, other] = [await registered(server), await registered(server)];
    const key = { idempotencyKey: "same" };
    // Its subject is known already: then nothing but the key stands between the calls.
    await one.call("token.create");
    const answers = await Promise.all(Array.from({ length: 8 }, () => one.call("token.create", {}, key)));
    const done = answers.filter((answer) => answer.ok);
    expect(new Set(done.map((answer) => answer.data.id)).size).toBe(1);
    expect(answers.filter((answer) => !answer.ok).every((answer) => answer.error?.retryable)).toBe(true);
    const again = await one.call("token.create", {}, key);
    expect(again).toMatchObject({
      ok: true,
      data: { id: done[0]?.data.id },
      warnings: [{ code: "W_REPLAYED" }],
    });
    const { token: _, ...told } = done[0]?.data ?? {};
    expect(JSON.stringify(again.data)).toBe(JSON.stringify(told));
    expect((await one.call("token.create", { role: "agent" }, key)).error?.code).toBe("E_CONFLICTING_INPUT");
    const elsewhere = await other.call("token.create", {}, key);
    expect(elsewhere.warnings).toEqual([]);
    expect(await eventsOf(one)).toHaveLength(2);
    expect(await eventsOf(other)).toHaveLength(1);
  });

  test("AG-29: a token is kept as a hash, and revoking it counts at the next call of another process", async () => {
    await using server = await onServer();
    const it = await registered(server);
    const made = await it.call("token.create", { subject: "user:bob", role: "admin" });
    expect((await it.call("token.list", {}, by(made.data.token))).ok).toBe(true);
    const elsewhere = server.open();
    const there = { where: { flag: it.root } };
    expect((await elsewhere.call("token.revoke", { id: made.data.id }, there)).data.revoked).toEqual([
      made.data.id,
    ]);
    expect((await it.call("token.list", {}, by(made.data.token))).error?.code).toBe("E_AUTH_REQUIRED");
    expect(await it.call("token.revoke", { id: made.data.id })).toMatchObject({
      ok: true,
      data: { changed: false },
    });
    expect((await it.call("ledger.verify")).data).toMatchObject({ ok: true, events: 2 });
  });

  test("CT-36, AG-158: an act and its event commit together; a refused attempt is noted once a minute", async () => {
    await using server = await onServer();
    const it = await registered(server);
    const member = await it.call("token.create", { subject: "user:bob", role: "member" });
    for (let i = 0; i < 3; i++) {
      expect((await it.call("token.create", {}, by(member.data.token))).error?.code).toBe("E_ROLE_REQUIRED");
    }
    const exists = await it.call("token.create", { subject: "user:bob", role: "admin" });
    expect(exists.error?.code).toBe("E_EXISTS");
    expect(await eventsOf(it)).toMatchObject([
      { kind: "call.denied", capability: "token.create", code: "E_ROLE_REQUIRED" },
      { kind: "capability.done", capability: "token.create", subjects: ["user:bob"] },
    ]);
    expect((await it.call("token.list")).data.tokens).toHaveLength(1);
  });

  test("AG-160: calls of two workspaces and two processes at once leave a gapless chain in each", async () => {
    await using server = await onServer();
    const [one, other] = [await registered(server), await registered(server)];
    const second = server.open();
    const calls = Array.from({ length: 10 }, () => [
      one.call("token.create"),
      second.call("token.create", {}, { where: { flag: one.root } }),
      other.call("token.create"),
    ]).flat();
    expect((await Promise.all(calls)).filter((answer) => !answer.ok)).toEqual([]);
    for (const [it, count] of [
      [one, 20],
      [other, 10],
    ] as const) {
      const seqs = (await eventsOf(it)).map((event) => event.seq).toReversed();
      expect(seqs).toEqual(Array.from({ length: count }, (_, i) => i + 1));
      expect((await it.call("ledger.verify")).data).toMatchObject({ ok: true, events: count });
    }
  });

  test("CT-12, RN-4: no answer shows the database's password", async () => {
    await using server = await onServer();
    const url = new URL(server.url);
    url.password = "hunter2hunter2";
    const it = server.open({ WRIT_DATABASE_URL: url.href });
    await it.call("store.migrate");
    const unreachable = new URL(url);
    unreachable.port = "1";
    const gone = server.open({ WRIT_DATABASE_URL: unreachable.href });
    const answers = [
      await it.call("store.status"),
      await it.call("store.backup"),
      await gone.call("token.list"),
    ];
    expect(answers.map((answer) => answer.error?.category)).toEqual([undefined, "data", "store"]);
    expect(JSON.stringify(answers)).not.toContain("hunter2");
  });
});
