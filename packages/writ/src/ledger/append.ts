import type { SqlWriter } from "../contract/index.ts";
import { canonicalJson, formatInstant, sha256Hex } from "../platform/index.ts";
import { hashedTables } from "../store/index.ts";
import type { LedgerEvent, NewEvent, Position } from "./event.ts";
import { rowOf } from "./event-row.ts";
import { hashEvent } from "./hash-event.ts";
import { lockHead, moveHead } from "./head.ts";
import { wellFormed } from "./well-formed.ts";

/**
 * Adds one event at the end of the workspace's chain, in the caller's transaction, and returns its position.
 *
 * Events are never changed or removed. Appending an id again keeps the first and returns its position, so
 * a caller may repeat itself after a crash. Holds the chain's head until the transaction ends: it stands
 * last in a transaction, so that others wait no longer than they must.
 */
export async function appendEvent(db: SqlWriter, event: NewEvent): Promise<Position> {
  const head = await lockHead(db);
  const there = await positionOf(db, event.id);
  if (there) return there;
  for (const { table } of event.rows ?? []) {
    if (!(table in hashedTables)) throw new Error(`An event names a row of ${table}, which has no row hash.`);
  }
  const { payload, ...said } = wellFormed(event);
  const unhashed: Omit<LedgerEvent, "hash"> = {
    ...said,
    seq: head.seq + 1,
    workspace: db.workspaceId,
    at: said.at ?? formatInstant(await db.now()),
    acts_for: said.acts_for ?? null,
    subjects: said.subjects ?? [],
    rows: said.rows ?? [],
    ...(payload && { payload_hash: await keepPayload(db, payload) }),
    prev_hash: head.hash,
  };
  const appended = { ...unhashed, hash: hashEvent(unhashed) };
  await db.insertInto("ledger_events").values(rowOf(appended)).execute();
  await moveHead(db, appended);
  return { seq: appended.seq, id: appended.id, hash: appended.hash };
}

async function positionOf(db: SqlWriter, id: string): Promise<Position | undefined> {
  return db
    .selectFrom("ledger_events")
    .select(["seq", "id", "hash"])
    .where("workspace_id", "=", db.workspaceId)
    .where("id", "=", id)
    .executeTakeFirst();
}

async function keepPayload(db: SqlWriter, payload: Record<string, unknown>): Promise<string> {
  const body = canonicalJson(payload);
  const hash = sha256Hex(body);
  const created_at = formatInstant(await db.now());
  await db
    .insertInto("payloads")
    .values({
      workspace_id: db.workspaceId,
      hash,
      media: "application/json",
      body,
      created_at,
      erased_at: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return hash;
}
