import { fail, nearest, type SqlReader, type WritError } from "../contract/index.ts";
import { decodeJson, type LedgerEventRow } from "../store/index.ts";
import type { LedgerEvent, NamedRow } from "./event.ts";
import { eventOf } from "./event-row.ts";
import { readHead } from "./head.ts";
import { currentRowHashes } from "./row-hashes.ts";

/** A row that the event wrote, and whether it is still as the event left it. */
export interface ShownRow extends NamedRow {
  now: "same" | "different" | "gone";
}

export interface ShownEvent {
  event: LedgerEvent;
  rows: ShownRow[];
  /** The facts of the act; null once they were erased. */
  payload?: Record<string, unknown> | null;
}

// A mistyped id is nearly always a recent one.
const recentIds = 500;

/** One event by its sequence number or id; E_NOT_FOUND names the nearest. */
export async function showEvent(db: SqlReader, seqOrId: string): Promise<ShownEvent> {
  const row = await find(db, seqOrId);
  if (!row) throw await unknownEvent(db, seqOrId);
  const event = eventOf(row);
  const hashes = await currentRowHashes(db, event.rows);
  const rows = event.rows.map((named, i): ShownRow => {
    const hash = hashes[i];
    return { ...named, now: hash === undefined ? "gone" : hash === named.hash ? "same" : "different" };
  });
  const payload = event.payload_hash ? await readPayload(db, event.payload_hash) : undefined;
  return { event, rows, ...(payload !== undefined && { payload }) };
}

function find(db: SqlReader, seqOrId: string): Promise<LedgerEventRow | undefined> {
  const query = db.selectFrom("ledger_events").selectAll().where("workspace_id", "=", db.workspaceId);
  const isSeq = /^\d{1,15}$/.test(seqOrId);
  return (
    isSeq ? query.where("seq", "=", Number(seqOrId)) : query.where("id", "=", seqOrId)
  ).executeTakeFirst();
}

async function readPayload(db: SqlReader, hash: string): Promise<Record<string, unknown> | null> {
  const found = await db
    .selectFrom("payloads")
    .select("body")
    .where("workspace_id", "=", db.workspaceId)
    .where("hash", "=", hash)
    .executeTakeFirst();
  return found?.body ? decodeJson(found.body) : null;
}

async function unknownEvent(db: SqlReader, seqOrId: string): Promise<WritError> {
  const recent = await db
    .selectFrom("ledger_events")
    .select("id")
    .where("workspace_id", "=", db.workspaceId)
    .orderBy("seq", "desc")
    .limit(recentIds)
    .execute();
  const head = await readHead(db);
  const isSeq = /^\d+$/.test(seqOrId);
  const near = isSeq
    ? String(head.seq || "")
    : nearest(
        seqOrId,
        recent.map(({ id }) => id),
      );
  return fail("E_NOT_FOUND", {
    message: `The ledger has no event ${seqOrId}.`,
    cause: head.seq === 0 ? "It is empty." : `Its events are 1 to ${head.seq}.`,
    remediation: near ? `Did you mean: writ ledger show ${near}` : "See what there is: writ ledger list",
    details: { asked: seqOrId, ...(near && { nearest: near }) },
  });
}
