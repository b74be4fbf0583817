import { sql } from "kysely";
import pg from "pg";
import { describe, expect, test } from "vitest";
import { appendEvent } from "../../packages/writ/src/ledger/index.ts";
import { available } from "../available.ts";
import { onServer, postgresDatabase } from "./databases.ts";
import { eventOf } from "./events.ts";
import { laterMigrations } from "./programs/later-migrations.ts";

describe.runIf(available("postgres", "row-level security"))("row-level security", () => {
  test("AG-27: on PostgreSQL a connection sees and writes its own workspace's rows, whatever its query says", async () => {
    await using database = await postgresDatabase();
    for (const workspace of ["ws_one", "ws_two"]) {
      const store = await database.open({ workspace });
      await store.write((db) => appendEvent(db, eventOf({ id: "led_1" })));
    }
    // Superusers pass every policy, and the server of a test is reached as one.
    const role = `writ_plain_${process.pid}`;
    await onServer(
      database.url,
      `create role ${role} login; grant select, insert, update on all tables in schema public to ${role}`,
    );
    const client = new pg.Client(database.url);
    await client.connect();
    try {
      await client.query(`set role ${role}`);
      const ids = async (query: string) => (await client.query(query)).rows.map((row) => row.workspace_id);
      expect(await ids("select workspace_id from ledger_events")).toEqual([]);
      await client.query("select set_config('writ.workspace_id', 'ws_two', false)");
      expect(await ids("select workspace_id from ledger_events")).toEqual(["ws_two"]);
      expect(await ids("select workspace_id from workspaces")).toEqual(["ws_two"]);
      const foreign = client.query(
        "insert into ledger_heads (workspace_id, seq, hash) values ('ws_one', 9, 'x')",
      );
      await expect(foreign).rejects.toThrow("row-level security");
    } finally {
      await client.end();
      await onServer(database.url, `drop owned by ${role}; drop role ${role}`);
    }
  });

  test("RN-5: a role that row-level security holds still copies every workspace's rows before a migration", async () => {
    await using database = await postgresDatabase();
    const role = `writ_owner_${process.pid}`;
    await onServer(database.url, `create role ${role} login; grant all on schema public to ${role}`);
    const name = new URL(database.url).pathname.slice(1);
    const grant = `grant create on database ${name} to ${role}`;
    const url = new URL(database.url);
    url.username = role;
    try {
      const migrations = laterMigrations(() => {});
      const choices = (workspace: string) => ({ workspace, databaseUrl: url.href });
      for (const workspace of ["ws_one", "ws_two"]) {
        const store = await database.open(choices(workspace));
        await store.write((db) => appendEvent(db, eventOf({ id: "led_1" })));
      }
      const refused = database.open({ ...choices("ws_one"), migrations });
      await expect(refused).rejects.toMatchObject({
        code: "STORE_ERROR",
        failure: { remediation: expect.stringContaining("grant create on database") },
      });
      await onServer(database.url, grant);
      const store = await database.open({ ...choices("ws_one"), migrations });
      const copied = await store.read(async (db) => {
        const copies = await sql<{ name: string }>`
          select nspname as name from pg_namespace where nspname like 'writ_backup_v1_%'`.execute(db);
        const table = sql.table(`${copies.rows[0]?.name}.ledger_events`);
        const found = await sql<{ of: string }>`select workspace_id as of from ${table} order by 1`.execute(
          db,
        );
        return found.rows.map((row) => row.of);
      });
      expect(copied).toEqual(["ws_one", "ws_two"]);
      const own = await store.read((db) => db.selectFrom("ledger_events").select("workspace_id").execute());
      expect(own.map((row) => row.workspace_id)).toEqual(["ws_one"]);
      await store.close();
    } finally {
      await onServer(
        database.url,
        `reassign owned by ${role} to current_user; drop owned by ${role}; drop role ${role}`,
      );
    }
  });
});
