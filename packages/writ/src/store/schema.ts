import type { ColumnType, Insertable, Selectable } from "kysely";

/** JSON kept as text on SQLite and jsonb on PostgreSQL; both are read and written as text, by the codec only. */
export type JsonText = ColumnType<string, string, string>;

interface Owned {
  workspace_id: string;
}

/** One migration that ran; the newest is the schema's version. The one table without a workspace. */
export interface MigrationsTable {
  version: number;
  name: string;
  applied_at: string;
}

export interface WorkspacesTable extends Owned {
  name: string;
  created_at: string;
}

/** A person or an agent client, with its one role in the workspace; unique (workspace_id, id). */
export interface PrincipalsTable extends Owned {
  /** `user:ana`, `client:claude-code`. */
  id: string;
  kind: string;
  role: string;
  /** 1 or 0. */
  active: number;
  name: string | null;
  created_at: string;
  row_hash: string;
}

export interface TokensTable extends Owned {
  id: string;
  principal_id: string;
  hash: string;
  role: string;
  agent: string | null;
  expires_at: string | null;
  last_used_at: string | null;
  revoked_at: string | null;
  created_at: string;
  row_hash: string;
}

/** Answers kept for their idempotency key; unique (workspace_id, actor, key). */
export interface ReplaysTable extends Owned {
  key: string;
  actor: string;
  capability: string;
  input_hash: string;
  answer: JsonText;
  created_at: string;
  expires_at: string;
}

/** Refusals already told in this minute; unique (workspace_id, actor, capability, code, minute). */
export interface DenialsTable extends Owned {
  actor: string;
  capability: string;
  code: string;
  /** `2026-11-30T16:10`. */
  minute: string;
}

export interface LedgerEventsTable extends Owned {
  seq: number;
  id: string;
  at: string;
  actor: string;
  acts_for: string | null;
  run_id: string | null;
  manifest: string | null;
  kind: string;
  capability: string | null;
  subjects: JsonText;
  outcome: string;
  code: string | null;
  rows: JsonText;
  payload_hash: string | null;
  prev_hash: string;
  hash: string;
}

export interface LedgerHeadsTable extends Owned {
  seq: number;
  hash: string;
}

export interface LedgerCheckpointsTable extends Owned {
  seq: number;
  hash: string;
  at: string;
  key_id: string;
  signature: string;
}

/** Content of events, by hash, outside the chain; unique (workspace_id, hash). An erased body is null. */
export interface PayloadsTable extends Owned {
  hash: string;
  media: string;
  body: string | null;
  created_at: string;
  erased_at: string | null;
}

/** Every table of the store. */
export interface Schema {
  migrations: MigrationsTable;
  workspaces: WorkspacesTable;
  principals: PrincipalsTable;
  tokens: TokensTable;
  replays: ReplaysTable;
  denials: DenialsTable;
  ledger_events: LedgerEventsTable;
  ledger_heads: LedgerHeadsTable;
  ledger_checkpoints: LedgerCheckpointsTable;
  payloads: PayloadsTable;
}

/** The tables whose rows belong to a workspace: all but the log of migrations. */
export const ownedTables = [
  "workspaces",
  "principals",
  "tokens",
  "replays",
  "denials",
  "ledger_events",
  "ledger_heads",
  "ledger_checkpoints",
  "payloads",
] as const satisfies readonly (keyof Schema)[];

export type PrincipalRow = Selectable<PrincipalsTable>;
export type TokenRow = Selectable<TokensTable>;
export type ReplayRow = Selectable<ReplaysTable>;
export type LedgerEventRow = Selectable<LedgerEventsTable>;
export type NewLedgerEventRow = Insertable<LedgerEventsTable>;
