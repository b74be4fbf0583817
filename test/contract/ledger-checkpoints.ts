import { createHash, createPublicKey, verify as verifySignature } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  appendEvent,
  checkpointIfDue,
  exportLedger,
  verifyFile,
} from "../../packages/writ/src/ledger/index.ts";
import { canonicalJson } from "../../packages/writ/src/platform/index.ts";
import { type MakeDatabase, manualClock } from "./databases.ts";
import { eventOf } from "./events.ts";
import { append, appendMany, eventsOf, found, witnessIn } from "./ledger-steps.ts";

/** What is signed, and what is exported. */
export function checkpointContract(make: MakeDatabase) {
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

  test("AG-162: a checkpoint is due after 1,000 events, and not at the next one", async () => {
    await using database = await make();
    const store = await database.open();
    const witness = witnessIn(database);
    const appendUpTo = (from: number, to: number) =>
      store.write(async (db) => {
        for (let n = from; n <= to; n++) await appendEvent(db, eventOf({ id: `led_${n}` }));
      });
    await appendUpTo(1, 999);
    expect(await checkpointIfDue(store, witness)).toBeNull();
    await appendUpTo(1000, 1000);
    expect(await checkpointIfDue(store, witness)).toMatchObject({ seq: 1000 });
    await appendUpTo(1001, 1001);
    expect(await checkpointIfDue(store, witness)).toBeNull();
  }, 120_000);

  test("AG-162: a line of the installation's file that names no place is compared with every store", async () => {
    await using database = await make();
    const store = await database.open();
    const witness = witnessIn(database);
    await appendMany(store, 3);
    await exportLedger(store, { out: join(database.root, "ledger.jsonl"), witness });
    const second = (await eventsOf(store))[1];
    await database.tamper(
      `delete from ledger_events where seq > 2; delete from ledger_checkpoints;
       update ledger_heads set seq = 2, hash = '${second?.hash}'`,
    );
    const file = join(witness.folder, "ledger_checkpoints.jsonl");
    const { place, ...old } = JSON.parse(readFileSync(file, "utf8"));
    expect(place).toMatch(/^[0-9a-f]{64}$/);
    writeFileSync(file, `${JSON.stringify({ ...old, place: "0".repeat(64) })}\n`);
    expect(await found(store, witness)).toEqual([]);
    writeFileSync(file, `${JSON.stringify(old)}\n`);
    expect(await found(store, witness)).toMatchObject([{ kind: "TRUNCATED", seq: 3 }]);
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
    expect(
      verifySignature(null, Buffer.from(canonicalJson(said)), key, Buffer.from(signature, "base64")),
    ).toBe(true);
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
    expect(await verifyFile(out)).toMatchObject({
      ok: true,
      events: 7,
      checkpoints: { signed: 1 },
      head: { seq: 7 },
    });
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
    expect(await exportLedger(store, { out, from: 3, to: 5, witness: witnessIn(database) })).toMatchObject({
      events: 3,
    });
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
    return Object.fromEntries(
      Object.entries(value)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([k, v]) => [k, sorted(v)]),
    );
  };
  const [header, ...rest] = readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
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
    return verifySignature(
      null,
      Buffer.from(JSON.stringify(sorted(said))),
      key,
      Buffer.from(signature, "base64"),
    );
  });
}
