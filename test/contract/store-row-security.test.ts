import pg from "pg";
import { describe, expect, test } from "vitest";
import { appendEvent } from "../../packages/writ/src/ledger/index.ts";
import { available } from "../available.ts";
import { onServer, postgresDatabase } from "./databases.ts";
import { eventOf } from "./events.ts";

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
});
