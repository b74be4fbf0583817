import type { Kysely } from "kysely";
import type { Dialect } from "../sql.ts";

/** One step of the schema, applied in one transaction; a released one is never edited. */
export interface Migration {
  version: number;
  name: string;
  // A migration sees the tables of its own time, which today's types do not describe.
  up(db: Kysely<unknown>, dialect: Dialect): Promise<void>;
}
