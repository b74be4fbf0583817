import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  appendEvent,
  exportLedger,
  type NewEvent,
  openLedgerKey,
  verifyFile,
  verifyLedger,
  type Verdict,
} from "../../packages/writ/src/ledger/index.ts";
import { canonicalJson } from "../../packages/writ/src/platform/index.ts";
import { sqliteDatabase } from "./databases.ts";
import { eventOf } from "./events.ts";

const text = fc.string({ unit: "binary", maxLength: 12 });
const said = fc.record(
  {
    actor: fc.constantFrom("user:ana", "client:coder", "system:writ"),
    subjects: fc.array(text, { maxLength: 3 }),
    outcome: fc.constantFrom("done", "denied"),
    code: text,
    acts_for: text,
    payload: fc.dictionary(text, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 }),
  },
  { requiredKeys: ["actor", "outcome"] },
);
const history = fc.array(said, { minLength: 1, maxLength: 8 });

/** A store with this history, exported. */
async function exported(events: Partial<NewEvent>[]) {
  const database = await sqliteDatabase();
  const store = await database.open();
  for (const [n, event] of events.entries()) {
    await store.write((db) => appendEvent(db, eventOf({ id: `led_${n}`, ...event })));
  }
  const out = join(database.root, "ledger.jsonl");
  const folder = join(database.root, "state");
  await exportLedger(store, { out, witness: { folder, key: () => openLedgerKey({ folder }) } });
  return { database, store, out };
}

async function verdictOn(out: string, bytes: Uint8Array): Promise<Verdict | "no export"> {
  writeFileSync(out, bytes);
  return verifyFile(out).catch((error: { code?: string }) => {
    if (error.code === "DATA_ERROR") return "no export";
    throw error;
  });
}

test("AG-164: the example on the page of the format has the hash that the page says", () => {
  const page = readFileSync(join(import.meta.dirname, "../../docs/ledger-format.md"), "utf8");
  const [, text = "", hash] = /```json\n(.*)\n```\n\nbelongs the hash `(\w+)`/.exec(page) ?? [];
  const event = JSON.parse(text) as { prev_hash: string };
  expect(canonicalJson(event)).toBe(text);
  expect(
    createHash("sha256")
      .update(event.prev_hash + text)
      .digest("hex"),
  ).toBe(hash);
});

describe("laws of the ledger", () => {
  test("AG-163, AG-164: any history verifies, in the store and in its export", async () => {
    await fc.assert(
      fc.asyncProperty(history, async (events) => {
        const { database, store, out } = await exported(events);
        await using _ = database;
        expect(await store.read((db) => verifyLedger(db))).toMatchObject({ ok: true, events: events.length });
        expect(await verifyFile(out)).toMatchObject({ ok: true, events: events.length });
      }),
      { numRuns: 30 },
    );
  });

  test("AG-163: every single altered byte of an export is found, at its event", async () => {
    const { database, out } = await exported(Array.from({ length: 5 }, (_, n) => ({ payload: { n } })));
    await using _ = database;
    const whole = readFileSync(out);
    const lineOf = (position: number) => whole.subarray(0, position).filter((byte) => byte === 10).length;
    await fc.assert(
      fc.asyncProperty(
        fc.nat(whole.length - 1),
        fc.integer({ min: 1, max: 255 }),
        async (position, change) => {
          const bytes = Buffer.from(whole);
          bytes[position] = (bytes[position] ?? 0) ^ change;
          const verdict = await verdictOn(out, bytes);
          const line = lineOf(position);
          // A line break that became something else, or the reverse, makes one line of two or two of one.
          const loose = line === 0 || whole[position] === 10 || bytes[position] === 10;
          const [first] = verdict === "no export" ? [{ kind: verdict, seq: 0 }] : verdict.findings;
          // An event whose number was altered looks like one that is missing, or out of its place.
          const kind = expect.stringMatching(/^(MODIFIED|MISSING|REORDERED)$/);
          const expected = line <= 5 ? { kind, seq: line } : { kind: "CHECKPOINT_MISMATCH" };
          expect(first).toMatchObject(loose ? {} : expected);
        },
      ),
      { numRuns: 400 },
    );
  });

  test("AG-163: every event that is taken out of an export is MISSING, the last ones TRUNCATED", async () => {
    const { database, out } = await exported(Array.from({ length: 6 }, () => ({})));
    await using _ = database;
    const lines = readFileSync(out, "utf8").split("\n");
    for (let seq = 1; seq <= 6; seq++) {
      const verdict = await verdictOn(out, Buffer.from(lines.toSpliced(seq, 1).join("\n")));
      expect(verdict).toMatchObject({ findings: [{ seq, kind: seq === 6 ? "TRUNCATED" : "MISSING" }] });
    }
  });

  test("AG-163: any two events that change places are REORDERED at the first of them", async () => {
    const { database, out } = await exported(Array.from({ length: 6 }, () => ({})));
    await using _ = database;
    const lines = readFileSync(out, "utf8").split("\n");
    for (let a = 1; a <= 6; a++) {
      for (let b = a + 1; b <= 6; b++) {
        const swapped = lines.with(a, lines[b] ?? "").with(b, lines[a] ?? "");
        expect(await verdictOn(out, Buffer.from(swapped.join("\n")))).toMatchObject({
          findings: [{ seq: a, kind: "REORDERED" }],
        });
      }
    }
  });
});
