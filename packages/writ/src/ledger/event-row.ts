import { canonicalJson } from "../platform/index.ts";
import { decodeJson, type Dialect, type LedgerEventRow, type NewLedgerEventRow } from "../store/index.ts";
import type { EventKind, LedgerEvent, NamedRow } from "./event.ts";

/** An event as a row of the store. */
export function rowOf(event: LedgerEvent): NewLedgerEventRow {
  return {
    workspace_id: event.workspace,
    seq: event.seq,
    id: event.id,
    at: event.at,
    actor: event.actor,
    acts_for: event.acts_for,
    run_id: event.run ?? null,
    manifest: event.manifest ?? null,
    kind: event.kind,
    capability: event.capability ?? null,
    subjects: canonicalJson(event.subjects),
    outcome: event.outcome,
    code: event.code ?? null,
    rows: canonicalJson(event.rows),
    payload_hash: event.payload_hash ?? null,
    prev_hash: event.prev_hash,
    hash: event.hash,
  };
}

/** The event that a row holds. */
export function eventOf(row: LedgerEventRow): LedgerEvent {
  return {
    seq: row.seq,
    id: row.id,
    workspace: row.workspace_id,
    at: row.at,
    actor: row.actor,
    acts_for: row.acts_for,
    // Undefined is left out wherever an event is printed or hashed.
    run: row.run_id ?? undefined,
    manifest: row.manifest ?? undefined,
    kind: row.kind as EventKind,
    capability: row.capability ?? undefined,
    subjects: decodeJson<string[]>(row.subjects),
    outcome: row.outcome,
    code: row.code ?? undefined,
    rows: decodeJson<NamedRow[]>(row.rows),
    payload_hash: row.payload_hash ?? undefined,
    prev_hash: row.prev_hash,
    hash: row.hash,
  };
}

/** The same, but null where the stored bytes are not the ones that were written. */
export function untouchedEventOf(row: LedgerEventRow, dialect: Dialect): LedgerEvent | null {
  try {
    const event = eventOf(row);
    // PostgreSQL keeps the value of a JSON column and prints it in its own way; SQLite keeps the text.
    if (dialect === "postgres") return event;
    const canonical =
      canonicalJson(event.subjects) === row.subjects && canonicalJson(event.rows) === row.rows;
    return canonical ? event : null;
  } catch {
    return null;
  }
}
