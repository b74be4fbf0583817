import type { LedgerEvent, NamedRow } from "./event.ts";

/** The newest that the events say of each row and payload. */
export interface NamedThings {
  see(event: LedgerEvent): void;
  rows(): Iterable<NamedRow & { seq: number }>;
  payloads(): Iterable<{ hash: string; seq: number; redacted: boolean }>;
}

/** Gathers what events name; an event that comes later replaces what an earlier one said. */
export function namedThings(): NamedThings {
  const rows = new Map<string, NamedRow & { seq: number }>();
  const payloads = new Map<string, { hash: string; seq: number; redacted: boolean }>();
  return {
    see(event) {
      for (const row of event.rows) rows.set(`${row.table}/${row.id}`, { ...row, seq: event.seq });
      const hash = event.payload_hash;
      if (hash === undefined) return;
      const redacted = event.kind === "payload.redacted" || payloads.get(hash)?.redacted === true;
      payloads.set(hash, { hash, seq: event.seq, redacted });
    },
    rows: () => rows.values(),
    payloads: () => payloads.values(),
  };
}
