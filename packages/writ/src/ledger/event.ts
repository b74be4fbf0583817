/** The closed words of what an event can be; families are closed by the part that owns them. */
export type EventKind =
  | "call.denied"
  | "call.started"
  | "capability.done"
  | "payload.redacted"
  | "reasoning.recorded"
  | "reasoning.index_rebuilt"
  | `${"manifest" | "dispatch" | "run" | "step" | "approval" | "undo" | "autonomy"}.${string}`;

/** A row that an event wrote, with the hash of its content; `goneHash` where the event deleted it. */
export interface NamedRow {
  table: string;
  id: string;
  hash: string;
}

/** The hash under which an event names a row that it deleted. */
export const goneHash = "gone";

/** One event, as it stands in the chain, in an export and in `ledger show`. Absent fields are left out. */
export interface LedgerEvent {
  /** Contiguous from 1 within the workspace. */
  seq: number;
  id: string;
  workspace: string;
  at: string;
  actor: string;
  acts_for: string | null;
  run?: string;
  manifest?: string;
  kind: EventKind;
  capability?: string;
  subjects: string[];
  outcome: string;
  code?: string;
  rows: NamedRow[];
  payload_hash?: string;
  /** The hash of the event before; 64 zeros for the first. */
  prev_hash: string;
  hash: string;
}

/** What a writer says of an act; sequence, time and hashes are the ledger's. */
export interface NewEvent {
  /** `led_…`. Appending an id again changes nothing. */
  id: string;
  /** When it happened, for an act that a file store committed earlier; default the store's clock. */
  at?: string;
  actor: string;
  acts_for?: string;
  run?: string;
  manifest?: string;
  kind: EventKind;
  capability?: string;
  subjects?: string[];
  outcome: string;
  code?: string;
  rows?: NamedRow[];
  /** Facts of the act; kept beside the chain, which holds their hash, so that they can be erased. */
  payload?: Record<string, unknown>;
  /** Instead of `payload`: the hash of content that was erased. */
  payload_hash?: string;
}

/** Where an event stands. */
export interface Position {
  seq: number;
  id: string;
  hash: string;
}

/** What the first event's `prev_hash` says. */
export const genesisHash = "0".repeat(64);
