import type { Kysely, Transaction } from "kysely";
import type { Schema } from "./schema.ts";
import type { Dialect } from "./sql.ts";

/** One database behind the store: the port that SQLite and PostgreSQL implement. */
export interface Engine {
  readonly dialect: Dialect;
  /** For messages and status: relative path, or host and database without the credential. */
  readonly location: string;
  /** Which database it is, among all that this machine can reach. */
  readonly place: string;
  /** Runs `work` on one snapshot that cannot be written to. */
  snapshot<T>(work: (db: Transaction<Schema>) => Promise<T>): Promise<T>;
  /** Runs `work` in one writing transaction. */
  transaction<T>(work: (db: Transaction<Schema>) => Promise<T>): Promise<T>;
  /** A number that every commit changes, by whichever process; undefined where only a query could tell. */
  version?(): number | undefined;
  now(db: Kysely<Schema>): Promise<number>;
  sizeBytes(db: Kysely<Schema>): Promise<number>;
  /** An online copy into a file that must not exist yet. */
  backup(out: string): Promise<number>;
  close(): Promise<void>;
}
