import { type Kysely, sql } from "kysely";

/**
 * The second lock between workspaces that share a database: a connection sees the rows of the workspace it
 * was opened for and no others, even where a query forgets to name it. Superusers are not held by it.
 */
export async function separateWorkspaces(db: Kysely<unknown>, tables: readonly string[]): Promise<void> {
  for (const table of tables) {
    await sql`alter table ${sql.table(table)} enable row level security`.execute(db);
    // Without force the owner of the tables, which is who Writ connects as, would pass.
    await sql`alter table ${sql.table(table)} force row level security`.execute(db);
    await sql`
      create policy own_workspace on ${sql.table(table)}
      using (workspace_id = current_setting('writ.workspace_id', true))`.execute(db);
  }
}
