import { type Kysely, sql, type Transaction } from "kysely";
import { formatInstant } from "../platform/index.ts";
import type { Engine } from "./engine.ts";
import type { Migration } from "./migrations/migration.ts";
import type { Schema } from "./schema.ts";

/** The schema's version; 0 for a database without one of Writ's tables. */
export async function versionOf(engine: Pick<Engine, "dialect">, db: Kysely<Schema>): Promise<number> {
  if (!(await hasMigrations(engine, db))) return 0;
  const found = await db
    .selectFrom("migrations")
    .select((e) => e.fn.max("version").as("version"))
    .executeTakeFirst();
  return found?.version ?? 0;
}

async function hasMigrations(engine: Pick<Engine, "dialect">, db: Kysely<Schema>): Promise<boolean> {
  const query =
    engine.dialect === "sqlite"
      ? sql<{
          found: unknown;
        }>`select name as found from sqlite_master where type = 'table' and name = 'migrations'`
      : // Not to_regclass: it answers from a cache that a wait for the lock leaves stale.
        sql<{ found: unknown }>`select relname::text as found from pg_class
          where relname = 'migrations' and relnamespace = (select oid from pg_namespace where nspname = current_schema())`;
  const { rows } = await query.execute(db);
  return rows[0]?.found != null;
}

/**
 * Applies what is missing, one transaction each, under the database's own write lock. Two programs that
 * migrate at once take turns: each looks again once it has the lock.
 */
export async function migrate(
  engine: Engine,
  migrations: readonly Migration[],
  beforeFirst: (from: number, db: Transaction<Schema>) => Promise<void>,
): Promise<void> {
  let kept = false;
  for (const migration of migrations) {
    const begun = await engine.transaction(async (db) => {
      if (engine.dialect === "postgres") {
        await sql`select pg_advisory_xact_lock(hashtext('writ store'))`.execute(db);
      }
      const version = await versionOf(engine, db);
      if (version >= migration.version) return false;
      if (version > 0 && !kept) await beforeFirst(version, db);
      await migration.up(db as unknown as Kysely<unknown>, engine.dialect);
      const at = formatInstant(await engine.now(db));
      await db
        .insertInto("migrations")
        .values({ version: migration.version, name: migration.name, applied_at: at })
        .execute();
      return true;
    });
    // Not in the transaction: one that is run again needs its copy again.
    kept ||= begun;
  }
}
