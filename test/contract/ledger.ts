import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { appendDenied, appendEvent, listEvents, showEvent } from "../../packages/writ/src/ledger/index.ts";
import { canonicalJson } from "../../packages/writ/src/platform/index.ts";
import type { Store } from "../../packages/writ/src/store/index.ts";
import { type Abilities, type MakeDatabase, manualClock } from "./databases.ts";
import { eventOf } from "./events.ts";
import { checkpointContract } from "./ledger-checkpoints.ts";
import { addOwner, append, appendMany, at, eventsOf, found } from "./ledger-steps.ts";
import { verifyContract } from "./ledger-verify.ts";

/** What every database must do to hold a ledger. */
export function ledgerContract(make: MakeDatabase, can: Abilities) {
  appendContract(make, can);
  readContract(make);
  verifyContract(make);
  checkpointContract(make);
}

function appendContract(make: MakeDatabase, can: Abilities) {
  test("AG-158: an event keeps every field it was given, and has no others", async () => {
    await using database = await make();
    const store = await database.open({ clock: manualClock(Date.parse(at)) });
    const given = eventOf({
      id: "led_1",
      at,
      run: "run_1",
      manifest: "librarian@3",
      code: "E_DRIFT",
      subjects: ["file:näh \u{1F600}", "stack:base"],
      payload: { files: 3, lock: "abc" },
    });
    const position = await store.write((db) => appendEvent(db, given));
    const { payload, ...said } = given;
    const payload_hash = createHash("sha256").update(canonicalJson(payload)).digest("hex");
    const [event] = await eventsOf(store);
    expect(event).toEqual({
      ...said,
      workspace: store.workspaceId,
      seq: 1,
      rows: [],
      payload_hash,
      prev_hash: "0".repeat(64),
      hash: position.hash,
    });
  });

  test("AG-158: an event goes with the rows it tells of, or not at all", async () => {
    await using database = await make();
    const store = await database.open();
    const failed = store.write(async (db) => {
      await db.insertInto("replays").values(replay(store)).execute();
      await appendEvent(db, eventOf({ id: "led_1" }));
      throw new Error("no");
    });
    await expect(failed).rejects.toThrow("no");
    expect((await store.status()).rows).toMatchObject({ replays: 0, ledger_events: 0 });
  });

  test("AG-158: an id that is appended again keeps the first event and tells its position", async () => {
    await using database = await make();
    const store = await database.open();
    const first = await append(store, { id: "led_1", outcome: "done" });
    await append(store, { id: "led_2" });
    const again = await append(store, { id: "led_1", outcome: "failed" });
    expect({ ...again }).toEqual(first);
    expect((await eventsOf(store)).map(({ id, outcome }) => [id, outcome])).toEqual([
      ["led_1", "done"],
      ["led_2", "done"],
    ]);
  });

  test("AG-159: the database refuses to change or delete an event", async () => {
    await using database = await make();
    const store = await database.open();
    await append(store, { id: "led_1" });
    await expect(database.direct("update ledger_events set outcome = 'denied'")).rejects.toThrow(
      "append-only",
    );
    await expect(database.direct("delete from ledger_events")).rejects.toThrow("append-only");
    expect((await eventsOf(store)).map(({ outcome }) => outcome)).toEqual(["done"]);
  });

  test("AG-160: sequence numbers are contiguous, and each hash covers the one before and the event", async () => {
    await using database = await make();
    const store = await database.open();
    await appendMany(store, 5);
    let previous = "0".repeat(64);
    for (const [i, event] of (await eventsOf(store)).entries()) {
      const { hash, ...unhashed } = event;
      expect(event.seq).toBe(i + 1);
      expect(event.prev_hash).toBe(previous);
      expect(hash).toBe(createHash("sha256").update(previous).update(canonicalJson(unhashed)).digest("hex"));
      previous = hash;
    }
  });

  test("AG-160: writers at once in several connections never share a position", async () => {
    await using database = await make();
    const stores = await Promise.all(
      can.severalProcesses ? [database.open(), database.open(), database.open()] : [database.open()],
    );
    const writes = Array.from({ length: 30 }, (_, n) =>
      append(stores[n % stores.length] as Store, { id: `led_${n}`, actor: `user:${n}` }),
    );
    const seqs = (await Promise.all(writes)).map(({ seq }) => seq);
    expect(seqs.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, n) => n + 1));
    expect(await found(stores[0] as Store)).toEqual([]);
  });

  test.each(can.severalWorkspaces ? ["two workspaces"] : [])(
    "AG-160: each workspace has a chain of its own, and sees no event of another",
    async () => {
      await using database = await make();
      const one = await database.open({ workspace: "ws_one" });
      const two = await database.open({ workspace: "ws_two" });
      await append(one, { id: "led_1" });
      const other = await append(two, { id: "led_1", outcome: "denied" });
      expect(other.seq).toBe(1);
      expect((await eventsOf(one)).map(({ outcome }) => outcome)).toEqual(["done"]);
      await expect(one.read((db) => showEvent(db, "2"))).rejects.toMatchObject({ code: "E_NOT_FOUND" });
    },
  );

  test("AG-158: NUL and lone surrogates in a file's name do not keep an event out of the ledger", async () => {
    await using database = await make();
    const store = await database.open();
    await append(store, { id: "led_1", subjects: ["file:a\0b", "file:\ud800"], payload: { name: "\0" } });
    expect((await eventsOf(store))[0]?.subjects).toEqual(["file:a\uFFFDb", "file:\uFFFD"]);
    expect(await found(store)).toEqual([]);
  });

  test("CT-36: a refusal is one event per caller, capability, code and minute", async () => {
    await using database = await make();
    const clock = manualClock();
    const store = await database.open({ clock });
    const denied = (id: string, code = "E_ROLE_REQUIRED") =>
      store.write((db) => appendDenied(db, { id, actor: "user:eve", capability: "token.create", code }));
    expect((await denied("led_1"))?.seq).toBe(1);
    expect((await denied("led_3", "E_HUMAN_REQUIRED"))?.seq).toBe(2);
    if (store.dialect === "postgres") return;
    expect(await denied("led_2")).toBeNull();
    clock.advance(60_000);
    expect((await denied("led_4"))?.seq).toBe(3);
    expect((await store.status()).rows.denials).toBe(1);
  });
}

function replay(store: Store) {
  const times = { created_at: at, expires_at: at };
  return {
    workspace_id: store.workspaceId,
    key: "k",
    actor: "user:ana",
    capability: "a.b",
    input_hash: "h",
    answer: "{}",
    ...times,
  };
}

function readContract(make: MakeDatabase) {
  test("AG-158: the list is newest first, filtered, and goes on from its cursor", async () => {
    await using database = await make();
    const store = await database.open();
    const hours = (n: number) => `2026-11-30T${10 + n}:00:00.000Z`;
    await append(store, { id: "led_1", at: hours(1), actor: "user:eve", subjects: ["stack:base", "file:a"] });
    await append(store, { id: "led_2", at: hours(2), kind: "run.started", run: "run_1" });
    await append(store, { id: "led_3", at: hours(3), kind: "run.ended", subjects: ["file:a,b"] });
    const ids = (filter: object) =>
      store.read(async (db) => (await listEvents(db, { limit: 10, ...filter })).events.map(({ id }) => id));
    expect(await ids({})).toEqual(["led_3", "led_2", "led_1"]);
    expect(await ids({ actor: "user:eve" })).toEqual(["led_1"]);
    expect(await ids({ kind: "run.ended" })).toEqual(["led_3"]);
    expect(await ids({ kind: "run.*" })).toEqual(["led_3", "led_2"]);
    expect(await ids({ run: "run_1" })).toEqual(["led_2"]);
    expect(await ids({ subject: "file:a" })).toEqual(["led_1"]);
    expect(await ids({ since: "2026-11-30T12:00:00Z" })).toEqual(["led_3", "led_2"]);
    const page = await store.read((db) => listEvents(db, { limit: 2 }));
    expect([page.head.seq, page.next_cursor]).toEqual([3, "2"]);
    expect(await ids({ cursor: page.next_cursor })).toEqual(["led_1"]);
    await expect(ids({ cursor: "x" })).rejects.toMatchObject({ code: "E_INVALID_VALUE" });
    await expect(ids({ since: "soon" })).rejects.toMatchObject({ code: "E_INVALID_VALUE" });
  });

  test("AG-158: an event is shown by number or id, with its payload and the state of its rows", async () => {
    await using database = await make();
    const store = await database.open();
    await addOwner(store, "led_1");
    await append(store, { id: "led_2", payload: { files: 3 } });
    const shown = await store.read((db) => showEvent(db, "1"));
    expect(shown.rows).toMatchObject([{ table: "principals", id: "user:ana", now: "same" }]);
    expect(await store.read((db) => showEvent(db, "led_2"))).toMatchObject({
      payload: { files: 3 },
      rows: [],
    });
    await database.tamper("update principals set role = 'admin'");
    expect((await store.read((db) => showEvent(db, "1"))).rows[0]?.now).toBe("different");
    await expect(store.read((db) => showEvent(db, "led_3"))).rejects.toMatchObject({
      code: "E_NOT_FOUND",
      failure: { remediation: "Did you mean: writ ledger show led_2", details: { nearest: "led_2" } },
    });
  });
}
