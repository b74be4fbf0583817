import type { Kysely, Transaction } from "kysely";
import type { Schema } from "./schema.ts";

export type Dialect = "sqlite" | "postgres";

/** What a connection knows besides SQL: whose rows it may touch, and the store's clock. */
export interface Bound {
  /** Every query names it: `.where("workspace_id", "=", db.workspaceId)`. */
  readonly workspaceId: string;
  readonly dialect: Dialect;
  /** Which database it is, as a hash: a copy of a store at another place goes on by itself. */
  readonly place: string;
  /**
   * The store's clock, in milliseconds: the clock port of this process on SQLite, the server's on
   * PostgreSQL. One instant for a whole transaction.
   */
  now(): Promise<number>;
}

/** The part of Kysely that reads; the connection behind it is read-only as well. */
export type Reading = Pick<Kysely<Schema>, "selectFrom" | "selectNoFrom" | "fn" | "getExecutor">;

declare module "../contract/stores.ts" {
  interface SqlReader extends Reading, Bound {}
  interface SqlWriter extends Transaction<Schema>, Bound {}
}
