import { type Kysely, sql } from "kysely";
import type { Dialect } from "../sql.ts";

/** Makes the database itself refuse to change or remove an event, whatever program asks. */
export async function guardLedger(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  if (dialect === "sqlite") {
    for (const act of ["update", "delete"]) {
      await sql`
        create trigger ${sql.ref(`ledger_events_no_${act}`)} before ${sql.raw(act)} on ledger_events
        begin select raise(abort, 'the ledger is append-only'); end`.execute(db);
    }
    return;
  }
  await sql`
    create function ledger_events_refuse() returns trigger language plpgsql as
    $$ begin raise exception 'the ledger is append-only'; end $$`.execute(db);
  await sql`
    create trigger ledger_events_append_only before update or delete or truncate on ledger_events
    for each statement execute function ledger_events_refuse()`.execute(db);
}
