import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import {
  appendEvent,
  erasePayload,
  type Finding,
  type LedgerEvent,
  ledgerBroken,
  showEvent,
  verifyLedger,
} from "../../packages/writ/src/ledger/index.ts";
import { canonicalJson } from "../../packages/writ/src/platform/index.ts";
import { rowHash, withRowHash } from "../../packages/writ/src/store/index.ts";
import type { MakeDatabase } from "./databases.ts";
import { eventOf } from "./events.ts";
import { addOwner, append, appendMany, eventsOf, found } from "./ledger-steps.ts";

/** Every kind of damage done in SQL is found, and named for what it is. */
export function verifyContract(make: MakeDatabase) {
  const swap = (a: number, b: number) =>
    `update ledger_events set seq = 1000 where seq = ${a}; update ledger_events set seq = ${a} where seq = ${b};
     update ledger_events set seq = ${b} where seq = 1000`;
  const damage: [string, string, Partial<Finding>][] = [
    [
      "a changed verdict",
      "update ledger_events set outcome = 'done' where seq = 4",
      { kind: "MODIFIED", seq: 4 },
    ],
    [
      "a changed list",
      `update ledger_events set subjects = '["stack:evil"]' where seq = 4`,
      { kind: "MODIFIED", seq: 4 },
    ],
    [
      "a changed hash",
      "update ledger_events set hash = prev_hash where seq = 4",
      { kind: "MODIFIED", seq: 4 },
    ],
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
    [
      "a head that was moved back",
      "update ledger_heads set seq = 7",
      { kind: "MODIFIED", seq: 7, table: "ledger_heads" },
    ],
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
    const hash = createHash("sha256")
      .update(forged.prev_hash + canonicalJson(forged))
      .digest("hex");
    await database.tamper(`update ledger_events set outcome = 'done', hash = '${hash}' where seq = 4`);
    expect(await found(store)).toMatchObject([{ kind: "MODIFIED", seq: 4 }]);
  });

  test("AG-163: a row that was changed or deleted behind the ledger's back is named", async () => {
    await using database = await make();
    const store = await database.open();
    await addOwner(store, "led_1");
    await database.tamper("update principals set role = 'agent'");
    expect(await found(store)).toMatchObject([
      { kind: "MODIFIED", seq: 1, table: "principals", row: "user:ana" },
    ]);
    await database.tamper("delete from principals");
    expect(await found(store)).toMatchObject([
      { kind: "MISSING", seq: 1, table: "principals", row: "user:ana" },
    ]);
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
    expect(error.toObject()).toMatchObject({
      code: "E_LEDGER_BROKEN",
      exit_code: 5,
      details: { seq: 2, kind: "MISSING" },
    });
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
    await store.write((db) =>
      erasePayload(db, first?.payload_hash ?? "", { id: "led_3", actor: "user:ana" }),
    );
    expect(await store.read((db) => verifyLedger(db))).toMatchObject({ ok: true, redacted: 1 });
    expect((await store.read((db) => showEvent(db, "1"))).payload).toBeNull();
    await database.tamper(`update payloads set body = '{}' where hash = '${second?.payload_hash}'`);
    expect(await found(store)).toMatchObject([{ kind: "MODIFIED", seq: 2, table: "payloads" }]);
    await database.tamper(`update payloads set body = null where hash = '${second?.payload_hash}'`);
    expect(await found(store)).toMatchObject([{ kind: "MISSING", seq: 2, table: "payloads" }]);
  });
}
