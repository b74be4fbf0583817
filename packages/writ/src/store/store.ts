import type { SqlReader, SqlWriter } from "../contract/index.ts";
import type { Dialect } from "./sql.ts";

/** What `writ store status` says. */
export interface StoreStatus {
  database: Dialect;
  /** The file, relative to the workspace; on PostgreSQL host and database, without the credential. */
  location: string;
  schema_version: number;
  /** The version this program writes. */
  known_version: number;
  last_migration: { version: number; name: string; applied_at: string } | null;
  size_bytes: number;
  /** Rows of this workspace, by table. */
  rows: Record<string, number>;
  ledger: { seq: number; hash: string; checkpoint: { seq: number; at: string; key_id: string } | null };
}

/** The SQL store of one workspace. */
export interface Store {
  readonly dialect: Dialect;
  readonly workspaceId: string;
  /** Which database it is, as a hash of its real path or of its server's address. */
  readonly place: string;
  /** Runs queries on one snapshot, on a connection that cannot write. A missing store reads as an empty one. */
  read<T>(query: (db: SqlReader) => Promise<T>): Promise<T>;
  /**
   * Runs `work` in one transaction: all of it or nothing. Waits for other writers without blocking the
   * process, then gives up with E_STORE_LOCKED. PostgreSQL may ask for the work a second time (deadlock),
   * so it does nothing but SQL. A write inside a write is refused as a defect.
   */
  write<T>(work: (db: SqlWriter) => Promise<T>): Promise<T>;
  /** A number that every commit changes, by whichever process; undefined where only a query could tell. */
  version(): number | undefined;
  status(): Promise<StoreStatus>;
  /** An online copy, consistent while others write; refuses an existing file with E_EXISTS. SQLite only. */
  backup(out: string): Promise<{ file: string; bytes: number }>;
  close(): Promise<void>;
}

declare module "../contract/stores.ts" {
  interface SqlStore extends Store {}
}
