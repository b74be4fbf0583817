import { join } from "node:path";
import {
  appendEvent,
  type Finding,
  type LedgerEvent,
  listEvents,
  openLedgerKey,
  verifyLedger,
  type Witness,
  witnessOf,
} from "../../packages/writ/src/ledger/index.ts";
import { type Store, withRowHash } from "../../packages/writ/src/store/index.ts";
import type { TestDatabase } from "./databases.ts";
import { eventOf } from "./events.ts";

export const at = "2026-11-30T09:00:00.000Z";

export function append(store: Store, part: Parameters<typeof eventOf>[0]) {
  return store.write((db) => appendEvent(db, eventOf(part)));
}

export async function appendMany(store: Store, count: number) {
  for (let n = 1; n <= count; n++)
    await append(store, { id: `led_${n}`, outcome: n % 2 ? "done" : "denied" });
}

export function witnessIn(database: TestDatabase): Witness {
  const folder = join(database.root, "state");
  return { folder, key: () => openLedgerKey({ folder }) };
}

export function eventsOf(store: Store): Promise<LedgerEvent[]> {
  return store.read(async (db) => (await listEvents(db, { limit: 1000 })).events.reverse());
}

export async function found(store: Store, witness?: Witness): Promise<Finding[]> {
  const known = witness ? await witnessOf(witness, store) : {};
  return (await store.read((db) => verifyLedger(db, known))).findings;
}

/** Adds an owner and names the row in an event, as every writer of a hashed row does. */
export async function addOwner(store: Store, id: string) {
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
