import { sql, type Transaction } from "kysely";
import { fail } from "../contract/index.ts";
import { formatInstant } from "../platform/index.ts";
import type { Engine } from "./engine.ts";
import type { Schema } from "./schema.ts";

const keptCopies = 3;

/**
 * Copies every table of Writ's on a server into a schema of its own, `writ_backup_v<version>_<stamp>`, and
 * keeps the last three such schemas. It is part of the migration's transaction: the copy is there exactly when
 * the migration is.
 */
export async function copyBeforeMigration(
  engine: Engine,
  db: Transaction<Schema>,
  version: number,
): Promise<void> {
  await requireRight(db, engine.location);
  const stamp = formatInstant(await engine.now(db))
    .replaceAll(/[-:.]/g, "")
    .toLowerCase();
  const copy = `writ_backup_v${version}_${stamp}`;
  await sql`create schema ${sql.ref(copy)}`.execute(db);
  // Several stores may share a database, in a schema each; the comment says whose copy it is.
  await sql`do ${sql.lit(commentOn(copy))}`.execute(db);
  for (const table of await ownTables(db)) await copyTable(db, table, copy);
  for (const old of (await copies(db)).slice(keptCopies))
    await sql`drop schema ${sql.ref(old)} cascade`.execute(db);
}

/** Writ's tables as they are in the database, whatever version it is: those that keep workspaces apart. */
async function ownTables(db: Transaction<Schema>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select tablename::text as name from pg_policies
    where schemaname = current_schema() and policyname = 'own_workspace' order by 1`.execute(db);
  return ["migrations", ...rows.map(({ name }) => name)];
}

async function copyTable(db: Transaction<Schema>, table: string, copy: string): Promise<void> {
  const guarded = table !== "migrations";
  // The tables' owner is held by the policies too, and would copy one workspace's rows and call it a backup.
  if (guarded) await sql`alter table ${sql.table(table)} no force row level security`.execute(db);
  await sql`create table ${sql.table(`${copy}.${table}`)} as table ${sql.table(table)}`.execute(db);
  if (guarded) await sql`alter table ${sql.table(table)} force row level security`.execute(db);
}

/** The names of this store's copies, newest first. */
async function copies(db: Transaction<Schema>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select nspname::text as name from pg_namespace
    where nspname ~ '^writ_backup_v[0-9]+_[0-9]{8}t[0-9]{9}z$'
      and obj_description(oid, 'pg_namespace') = 'of ' || current_schema()
    order by split_part(nspname, '_', 4) desc`.execute(db);
  return rows.map(({ name }) => name);
}

function commentOn(copy: string): string {
  // A comment takes no expression, so that the schema's name is put in by the server.
  return `begin execute format('comment on schema ${copy} is %L', 'of ' || current_schema()); end`;
}

async function requireRight(db: Transaction<Schema>, location: string): Promise<void> {
  const { rows } = await sql<{ may: boolean; role: string; name: string }>`
    select has_database_privilege(current_database(), 'CREATE') as may,
      current_user::text as role, current_database()::text as name`.execute(db);
  const found = rows[0];
  if (!found || found.may) return;
  throw fail("STORE_ERROR", {
    message: `The store ${location} cannot be copied, and is not migrated without a copy.`,
    cause: `The role ${found.role} may not create a schema in the database.`,
    remediation: `Let it, then run writ store migrate again: psql -c 'grant create on database "${found.name}" to "${found.role}"' "$WRIT_DATABASE_URL"`,
  });
}
