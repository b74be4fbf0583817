import { createHash, createPublicKey, verify as verifySignature } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  appendDenied,
  appendEvent,
  checkpointIfDue,
  erasePayload,
  exportLedger,
  type Finding,
  type LedgerEvent,
  ledgerBroken,
  listEvents,
  openLedgerKey,
  showEvent,
  verifyFile,
  verifyLedger,
  type Witness,
  witnessOf,
} from "../../packages/writ/src/ledger/index.ts";
import { canonicalJson } from "../../packages/writ/src/platform/index.ts";
import { rowHash, type Store, withRowHash } from "../../packages/writ/src/store/index.ts";
import { type Abilities, type MakeDatabase, manualClock, type TestDatabase } from "./databases.ts";
import { eventOf } from "./events.ts";

const at = "2026-11-30T09:00:00.000Z";

function append(store: Store, part: Parameters<typeof eventOf>[0]) {
  return store.write((db) => appendEvent(db, eventOf(part)));
}

async function appendMany(store: Store, count: number) {
  for (let n = 1; n <= count; n++) await append(store, { id: `led_${n}`, outcome: n % 2 ? "done" : "denied" });
}

function witnessIn(database: TestDatabase): Witness {
  const folder = join(database.root, "state");
  return { folder, key: () => openLedgerKey({ folder }) };
}

function eventsOf(store: Store): Promise<LedgerEvent[]> {
  return store.read(async (db) => (await listEvents(db, { limit: 1000 })).events.reverse());
}

async function found(store: Store, witness?: Witness): Promise<Finding[]> {
  const known = witness ? await witnessOf(witness, store.workspaceId) : {};
  return (await store.read((db) => verifyLedger(db, known))).findings;
}

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
    expect((await eventsOf(store)).map(({ id, outcome }) => [id, outcome])).toEqual([["led_1", "done"], ["led_2", "done"]]);
  });

  test("AG-159: the database refuses to change or delete an event", async () => {
    await using database = await make();
    const store = await database.open();
    await append(store, { id: "led_1" });
    await expect(database.direct("update ledger_events set outcome = 'denied'")).rejects.toThrow("append-only");
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
    const stores = await Promise.all(can.severalProcesses ? [database.open(), database.open(), database.open()] : [database.open()]);
    const writes = Array.from({ length: 30 }, (_, n) =>
      append(stores[n % stores.length] as Store, { id: `led_${n}`, actor: `user:${n}` }),
    );
    const seqs = (await Promise.all(writes)).map(({ seq }) => seq);
    expect(seqs.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, n) => n + 1));
    expect(await found(stores[0] as Store)).toEqual([]);
  });

  test("AG-160: each workspace has a chain of its own, and sees no event of another", async () => {
    await using database = await make();
    if (can.isFile) return expect((await database.open()).workspaceId).toBe("ws_one");
    const one = await database.open({ workspace: "ws_one" });
    const two = await database.open({ workspace: "ws_two" });
    await append(one, { id: "led_1" });
    const other = await append(two, { id: "led_1", outcome: "denied" });
    expect(other.seq).toBe(1);
    expect((await eventsOf(one)).map(({ outcome }) => outcome)).toEqual(["done"]);
    await expect(one.read((db) => showEvent(db, "2"))).rejects.toMatchObject({ code: "E_NOT_FOUND" });
  });

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
  return { workspace_id: store.workspaceId, key: "k", actor: "user:ana", capability: "a.b", input_hash: "h", answer: "{}", ...times };
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
    expect(await store.read((db) => showEvent(db, "led_2"))).toMatchObject({ payload: { files: 3 }, rows: [] });
    await database.tamper("update principals set role = 'admin'");
    expect((await store.read((db) => showEvent(db, "1"))).rows[0]?.now).toBe("different");
    await expect(store.read((db) => showEvent(db, "led_3"))).rejects.toMatchObject({
      code: "E_NOT_FOUND",
      failure: { remediation: "Did you mean: writ ledger show led_2", details: { nearest: "led_2" } },
    });
  });
}

/** Adds an owner and names the row in an event, as every writer of a hashed row does. */
async function addOwner(store: Store, id: string) {
  const row = withRowHash("principals", {
    workspace_id: store.workspaceId,
    id: "user:ana",
    kind: "user",
    role: "owner",
    active: 1,
    name: null,
    created_at: at,
  });
  await store.write(async (db) => {
    await db.insertInto("principals").values(row).execute();
    await appendEvent(db, eventOf({ id, rows: [{ table: "principals", id: row.id, hash: row.row_hash }] }));
  });
  return row;
}

function verifyContract(make: MakeDatabase) {
  const swap = (a: number, b: number) =>
    `update ledger_events set seq = 1000 where seq = ${a}; update ledger_events set seq = ${a} where seq = ${b};
     update ledger_events set seq = ${b} where seq = 1000`;
  const damage: [string, string, Partial<Finding>][] = [
    ["a changed verdict", "update ledger_events set outcome = 'done' where seq = 4", { kind: "MODIFIED", seq: 4 }],
    ["a changed list", `update ledger_events set subjects = '["stack:evil"]' where seq = 4`, { kind: "MODIFIED", seq: 4 }],
    ["a changed hash", "update ledger_events set hash = prev_hash where seq = 4", { kind: "MODIFIED", seq: 4 }],
    ["a deleted middle event", "delete from ledger_events where seq = 5", { kind: "MISSING", seq: 5 }],
    ["a deleted first event", "delete from ledger_events where seq = 1", { kind: "MISSING", seq: 1 }],
    ["two neighbours swapped", swap(5, 6), { kind: "REORDERED", seq: 5 }],
    ["two distant events swapped", swap(3, 11), { kind: "REORDERED", seq: 3 }],
    [
      "a deleted event whose followers were renumbered",
      "delete from ledger_events where seq = 5; update ledger_events set seq = -seq where seq > 5; update ledger_events set seq = -seq - 1 where seq < 0",
      { kind: "MISSING", seq: 5 },
    ],
    ["the last ten deleted", "delete from ledger_events where seq > 2", { kind: "TRUNCATED", seq: 3 }],
    ["a head that was moved back", "update ledger_heads set seq = 7", { kind: "MODIFIED", seq: 7, table: "ledger_heads" }],
  ];

  for (const [what, statements, finding] of damage) {
    test(`AG-163: ${what} is ${finding.kind} at event ${finding.seq}`, async () => {
      await using database = await make();
      const store = await database.open();
      await appendMany(store, 12);
      expect(await found(store)).toEqual([]);
      await database.tamper(statements);
      expect((await found(store))[0]).toMatchObject(finding);
    });
  }

  test("AG-163: an event rewritten with a fitting hash is MODIFIED, since the next does not follow on it", async () => {
    await using database = await make();
    const store = await database.open();
    await appendMany(store, 6);
    const fourth = (await eventsOf(store))[3] as LedgerEvent;
    const { hash: _, ...forged } = { ...fourth, outcome: "done" };
    const hash = createHash("sha256").update(forged.prev_hash + canonicalJson(forged)).digest("hex");
    await database.tamper(`update ledger_events set outcome = 'done', hash = '${hash}' where seq = 4`);
    expect(await found(store)).toMatchObject([{ kind: "MODIFIED", seq: 4 }]);
  });

  test("AG-163: a row that was changed or deleted behind the ledger's back is named", async () => {
    await using database = await make();
    const store = await database.open();
    await addOwner(store, "led_1");
    await database.tamper("update principals set role = 'agent'");
    expect(await found(store)).toMatchObject([{ kind: "MODIFIED", seq: 1, table: "principals", row: "user:ana" }]);
    await database.tamper("delete from principals");
    expect(await found(store)).toMatchObject([{ kind: "MISSING", seq: 1, table: "principals", row: "user:ana" }]);
  });

  test("AG-163: a row is compared with the newest event that names it", async () => {
    await using database = await make();
    const store = await database.open();
    const row = await addOwner(store, "led_1");
    const changed = withRowHash("principals", { ...row, active: 0 });
    await store.write(async (db) => {
      await db.updateTable("principals").set({ active: 0, row_hash: changed.row_hash }).execute();
      const rows = [{ table: "principals", id: row.id, hash: rowHash("principals", changed) }];
      await appendEvent(db, eventOf({ id: "led_2", rows }));
    });
    expect(await found(store)).toEqual([]);
  });

  test("AG-163: a finding is E_LEDGER_BROKEN, with the whole verdict beside it", async () => {
    await using database = await make();
    const store = await database.open();
    await appendMany(store, 3);
    await database.tamper("delete from ledger_events where seq = 2");
    const verdict = await store.read((db) => verifyLedger(db));
    const error = ledgerBroken(verdict);
    expect(error.toObject()).toMatchObject({ code: "E_LEDGER_BROKEN", exit_code: 5, details: { seq: 2, kind: "MISSING" } });
    expect(error.failure.data).toMatchObject({ ok: false, events: 2, findings: [{ seq: 2 }] });
  });

  test("AG-163: verify can begin at an event, trusting the one before", async () => {
    await using database = await make();
    const store = await database.open();
    await appendMany(store, 6);
    await database.tamper("update ledger_events set outcome = 'x' where seq = 2");
    expect((await found(store))[0]).toMatchObject({ seq: 2 });
    expect(await store.read((db) => verifyLedger(db, { from: 3 }))).toMatchObject({ ok: true, events: 4 });
  });

  test("AG-165: an erased payload passes as redacted, one that merely vanished does not", async () => {
    await using database = await make();
    const store = await database.open();
    await append(store, { id: "led_1", payload: { who: "ana" } });
    await append(store, { id: "led_2", payload: { who: "eve" } });
    const [first, second] = await eventsOf(store);
    await store.write((db) => erasePayload(db, first?.payload_hash ?? "", { id: "led_3", actor: "user:ana" }));
    expect(await store.read((db) => verifyLedger(db))).toMatchObject({ ok: true, redacted: 1 });
    expect((await store.read((db) => showEvent(db, "1"))).payload).toBeNull();
    await database.tamper(`update payloads set body = '{}' where hash = '${second?.payload_hash}'`);
    expect(await found(store)).toMatchObject([{ kind: "MODIFIED", seq: 2, table: "payloads" }]);
    await database.tamper(`update payloads set body = null where hash = '${second?.payload_hash}'`);
    expect(await found(store)).toMatchObject([{ kind: "MISSING", seq: 2, table: "payloads" }]);
  });
}

function checkpointContract(make: MakeDatabase) {
  test("AG-162: a checkpoint is due after an hour with events, and not before, nor without", async () => {
    await using database = await make();
    const clock = manualClock();
    const store = await database.open({ clock });
    const witness = witnessIn(database);
    expect(await checkpointIfDue(store, witness)).toBeNull();
    const hourAgo = new Date((await store.read((db) => db.now())) - 3_600_000).toISOString();
    await append(store, { id: "led_1", at: hourAgo });
    expect(await checkpointIfDue(store, witness)).toMatchObject({ seq: 1, workspace: "ws_one" });
    await append(store, { id: "led_2" });
    expect(await checkpointIfDue(store, witness)).toBeNull();
    if (store.dialect === "postgres") return;
    clock.advance(3_600_000);
    expect(await checkpointIfDue(store, witness)).toMatchObject({ seq: 2 });
    clock.advance(3_600_000);
    expect(await checkpointIfDue(store, witness)).toBeNull();
  });

  test("AG-162: a checkpoint's signature can be checked by anyone with the public key", async () => {
    await using database = await make();
    const store = await database.open();
    await appendMany(store, 2);
    const witness = witnessIn(database);
    const out = join(database.root, "ledger.jsonl");
    const { checkpoint } = await exportLedger(store, { out, witness });
    const { signature, ...said } = checkpoint ?? { signature: "" };
    const spki = Buffer.from((await witness.key()).publicKey, "base64");
    const key = createPublicKey({ key: spki, format: "der", type: "spki" });
    expect(verifySignature(null, Buffer.from(canonicalJson(said)), key, Buffer.from(signature, "base64"))).toBe(true);
  });

  test("AG-162, AG-163: the last ten and the newest checkpoint deleted is TRUNCATED by what the installation kept", async () => {
    await using database = await make();
    const store = await database.open();
    const witness = witnessIn(database);
    await appendMany(store, 12);
    await exportLedger(store, { out: join(database.root, "ledger.jsonl"), witness });
    const second = (await eventsOf(store))[1];
    await database.tamper(
      `delete from ledger_events where seq > 2; delete from ledger_checkpoints;
       update ledger_heads set seq = 2, hash = '${second?.hash}'`,
    );
    expect(await found(store)).toEqual([]);
    expect(await found(store, witness)).toMatchObject([{ kind: "TRUNCATED", seq: 3 }]);
  });

  test("AG-163: a chain that was wholly rewritten is a CHECKPOINT_MISMATCH", async () => {
    await using database = await make();
    const store = await database.open();
    const witness = witnessIn(database);
    await appendMany(store, 3);
    await exportLedger(store, { out: join(database.root, "ledger.jsonl"), witness });
    await database.tamper("delete from ledger_events; delete from ledger_heads");
    for (const n of [1, 2, 3]) await append(store, { id: `led_${n}`, outcome: "forged" });
    expect(await found(store, witness)).toMatchObject([{ kind: "CHECKPOINT_MISMATCH", seq: 3 }]);
    await database.tamper("update ledger_checkpoints set signature = 'AAAA'");
    expect((await found(store, witness)).map(({ kind }) => kind)).toContain("CHECKPOINT_MISMATCH");
  });

  test("AG-164: an export verifies without a store, and by a verifier of twenty lines", async () => {
    await using database = await make();
    const store = await database.open();
    await appendMany(store, 7);
    const out = join(database.root, "ledger.jsonl");
    const exported = await exportLedger(store, { out, witness: witnessIn(database) });
    expect(exported).toMatchObject({ file: out, events: 7, checkpoint: { seq: 7 } });
    expect(await verifyFile(out)).toMatchObject({ ok: true, events: 7, checkpoints: { signed: 1 }, head: { seq: 7 } });
    expect(independentVerdict(out)).toBe(true);
    writeFileSync(out, readFileSync(out, "utf8").replace('"outcome":"denied"', '"outcome":"done"'));
    expect(await verifyFile(out)).toMatchObject({ ok: false, findings: [{ kind: "MODIFIED", seq: 2 }] });
    expect(independentVerdict(out)).toBe(false);
  });

  test("AG-164: a part of the chain is exported and verified by itself", async () => {
    await using database = await make();
    const store = await database.open();
    await appendMany(store, 7);
    const out = join(database.root, "ledger.jsonl");
    expect(await exportLedger(store, { out, from: 3, to: 5, witness: witnessIn(database) })).toMatchObject({ events: 3 });
    expect(await verifyFile(out)).toMatchObject({ ok: true, events: 3, head: { seq: 5 } });
    const again = exportLedger(store, { out, witness: witnessIn(database) });
    await expect(again).rejects.toMatchObject({ code: "E_EXISTS" });
  });
}

/** What the page on the format says, and nothing of Writ's. */
function independentVerdict(file: string): boolean {
  const sorted = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(sorted);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)).map(([k, v]) => [k, sorted(v)]));
  };
  const [header, ...rest] = readFileSync(file, "utf8").trim().split("\n").map((line) => JSON.parse(line));
  let previous = header.ledger.prev_hash;
  return rest.every(({ event, checkpoint }) => {
    if (event) {
      const { hash, ...unhashed } = event;
      const text = previous + JSON.stringify(sorted(unhashed));
      previous = hash;
      return createHash("sha256").update(text).digest("hex") === hash;
    }
    const { signature, ...said } = checkpoint;
    const spki = Buffer.from(header.ledger.public_keys[said.key_id], "base64");
    const key = createPublicKey({ key: spki, format: "der", type: "spki" });
    return verifySignature(null, Buffer.from(JSON.stringify(sorted(said))), key, Buffer.from(signature, "base64"));
  });
}
