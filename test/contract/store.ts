import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Kysely, sql } from "kysely";
import { expect, test } from "vitest";
import type { WritError } from "../../packages/writ/src/contract/index.ts";
import { appendEvent, verifyLedger } from "../../packages/writ/src/ledger/index.ts";
import { migrations as known } from "../../packages/writ/src/store/migrations/index.ts";
import {
  decodeJson,
  encodeJson,
  openStore,
  restoreStore,
  type Store,
  withRowHash,
} from "../../packages/writ/src/store/index.ts";
import { type Abilities, type MakeDatabase, manualClock, testIds } from "./databases.ts";
import { eventOf } from "./events.ts";

const at = "2026-11-30T09:00:00.000Z";
const ana = { id: "user:ana", kind: "user", role: "owner", active: 1, name: "Ana", created_at: at };

/** The next version of the schema, for tests of a store that is older than the program. */
const second = {
  version: 2,
  name: "second",
  up: async (db: Kysely<unknown>) => {
    await db.schema.alterTable("principals").addColumn("colour", "text").execute();
  },
};
const broken = {
  version: 3,
  name: "broken",
  up: async (db: Kysely<unknown>) => {
    await db.schema.alterTable("principals").addColumn("shape", "text").execute();
    throw new Error("the power went");
  },
};

const later = (version: number) => ({ version, name: `v${version}`, up: async () => {} });

/** What every database must do to be the store of a workspace. */
export function storeContract(make: MakeDatabase, can: Abilities) {
  // What this kind of database cannot do is no case of it: a test that is not run would look like a gap.
  const ifFile = can.isFile ? ["file"] : [];
  const ifServer = can.isFile ? [] : ["server"];
  test("RN-4: the status tells the version, the size, the rows of the workspace and where the ledger stands", async () => {
    await using database = await make();
    const store = await database.open();
    const { hash } = await store.write((db) => appendEvent(db, eventOf({ id: "led_1" })));
    const status = await store.status();
    expect(status).toMatchObject({ database: store.dialect, schema_version: 1, known_version: 1 });
    expect(status.last_migration).toMatchObject({ version: 1, name: "first" });
    expect(status.size_bytes).toBeGreaterThan(1000);
    expect(status.rows).toMatchObject({ workspaces: 1, ledger_events: 1, tokens: 0 });
    expect(status.ledger).toEqual({ seq: 1, hash, checkpoint: null });
  });

  test("RN-5: a store that is already migrated is opened again without a change", async () => {
    await using database = await make();
    const first = await database.open();
    await first.write((db) => appendEvent(db, eventOf({ id: "led_1" })));
    const again = await database.open();
    const [was, is] = [await first.status(), await again.status()];
    expect({ ...is, size_bytes: 0 }).toEqual({ ...was, size_bytes: 0 });
  });

  test("RN-5: a reader of an older store is told to migrate it, and changes nothing", async () => {
    await using database = await make();
    await database.open();
    await expect(database.open({ mode: "read", migrations: [...known, second] })).rejects.toMatchObject({
      code: "E_STORE_OUTDATED",
      failure: { remediation: "Run: writ store migrate" },
    });
    expect((await (await database.open({ mode: "read" })).status()).schema_version).toBe(1);
  });

  test("RN-5: the first writer of an older store migrates it and keeps what is in it", async () => {
    await using database = await make();
    const old = await database.open();
    await old.write((db) => appendEvent(db, eventOf({ id: "led_1" })));
    const store = await database.open({ migrations: [...known, second] });
    expect(await store.status()).toMatchObject({ schema_version: 2, rows: { ledger_events: 1 } });
  });

  test("RN-5: a newer store is refused to readers and writers alike", async () => {
    await using database = await make();
    await database.open({ migrations: [...known, second] });
    for (const mode of ["read", "write"] as const) {
      await expect(database.open({ mode })).rejects.toMatchObject({
        code: "E_STORE_NEWER",
        failure: { details: { found: 2, known: 1 } },
      });
    }
  });

  test("RN-5: a migration that fails leaves those before it whole and nothing of itself", async () => {
    await using database = await make();
    await database.open();
    await expect(database.open({ migrations: [...known, second, broken] })).rejects.toThrow("the power went");
    const store = await database.open({ migrations: [...known, second] });
    expect((await store.status()).schema_version).toBe(2);
    await expect(store.read((db) => sql`select shape from principals`.execute(db))).rejects.toThrow(/shape/);
  });

  test("RN-5: two writers that migrate at once both find the migrated store", async () => {
    await using database = await make();
    const migrations = [...known, second];
    const stores = await Promise.all([database.open({ migrations }), database.open({ migrations })]);
    for (const store of stores) expect((await store.status()).schema_version).toBe(2);
  });

  test.each(ifServer)(
    "RN-5: on a server a migration leaves a copy of every workspace's rows, of which the last three are kept",
    async () => {
      await using database = await make();
      for (const workspace of ["ws_one", "ws_two"]) {
        const store = await database.open({ workspace });
        await store.write((db) => appendEvent(db, eventOf({ id: "led_1" })));
      }
      const upTo = (version: number) => [...known, second, ...[3, 4, 5].map(later)].slice(0, version);
      let store = await database.open({ migrations: upTo(2) });
      const [first = ""] = await copiesOf(store);
      expect(first).toMatch(/^writ_backup_v1_\d{8}t\d{9}z$/);
      const events = sql<{ of: string }>`
        select workspace_id as of from ${sql.table(`${first}.ledger_events`)} order by 1`;
      const { rows } = await store.read((db) => events.execute(db));
      expect(rows.map((row) => row.of)).toEqual(["ws_one", "ws_two"]);
      for (const version of [3, 4, 5]) store = await database.open({ migrations: upTo(version) });
      const versions = (await copiesOf(store)).map((name) => name.split("_")[2]);
      expect(versions).toEqual(["v2", "v3", "v4"]);
    },
  );

  test.each(ifServer)("RN-5: on a server a migration that fails leaves no copy behind", async () => {
    await using database = await make();
    const store = await database.open();
    const failing = { ...broken, version: 2 };
    await expect(database.open({ migrations: [...known, failing] })).rejects.toThrow("the power went");
    expect(await copiesOf(store)).toEqual([]);
  });

  test("a write is all or nothing", async () => {
    await using database = await make();
    const store = await database.open();
    const failed = store.write(async (db) => {
      await appendEvent(db, eventOf({ id: "led_1" }));
      throw new Error("no");
    });
    await expect(failed).rejects.toThrow("no");
    expect((await store.status()).rows.ledger_events).toBe(0);
  });

  test("a write begun inside a write is refused at once", async () => {
    await using database = await make();
    const store = await database.open();
    const nested = store.write(() => store.write(async () => 1));
    await expect(nested).rejects.toThrow("A write was begun inside a write");
  });

  test("a reader cannot write, whatever it sends", async () => {
    await using database = await make();
    const store = await database.open();
    const sent = store.read((db) => sql`delete from workspaces`.execute(db));
    await expect(sent).rejects.toSatisfy((error: WritError) =>
      /read-?only/i.test(error.failure?.cause ?? error.message),
    );
    expect((await store.status()).rows.workspaces).toBe(1);
  });

  test("a store opened for reading refuses to write", async () => {
    await using database = await make();
    await database.open();
    const reader = await database.open({ mode: "read" });
    await expect(reader.write(async () => 1)).rejects.toThrow("opened for reading");
  });

  test("a JSON column gives back what was put in, and its text when it is a string", async () => {
    await using database = await make();
    const store = await database.open();
    const values = [{ b: [1, "é\u2028", null], a: { c: true } }, "[1]", 7, null, []];
    for (const [i, value] of values.entries()) {
      const replay = { workspace_id: store.workspaceId, key: `k${i}`, actor: "user:ana", capability: "a.b" };
      const answer = encodeJson(value);
      await store.write((db) =>
        db
          .insertInto("replays")
          .values({ ...replay, input_hash: "h", answer, created_at: at, expires_at: at })
          .execute(),
      );
    }
    const rows = await store.read((db) => db.selectFrom("replays").select("answer").orderBy("key").execute());
    expect(rows.map(({ answer }) => decodeJson(answer))).toEqual(values);
  });

  test("sums and counts are numbers, and a list comes back in its order", async () => {
    await using database = await make();
    const store = await database.open();
    for (const n of [1, 2, 3]) await store.write((db) => appendEvent(db, eventOf({ id: `led_${n}` })));
    const rows = await store.read((db) =>
      db
        .selectFrom("ledger_events")
        .select((e) => [e.fn.countAll<number>().as("count"), e.fn.max("seq").as("last")])
        .execute(),
    );
    expect({ ...rows[0] }).toEqual({ count: 3, last: 3 });
  });

  test("AG-7: the store's clock stands still within one transaction", async () => {
    await using database = await make();
    const clock = manualClock();
    const store = await database.open({ clock });
    const [first, second_] = await store.write(async (db) => {
      const before = await db.now();
      clock.advance(5000);
      return [before, await db.now()];
    });
    expect(second_).toBe(first);
    const isPort = first === Date.UTC(2026, 10, 30, 9);
    expect(isPort).toBe(can.isFile);
  });

  test("AG-26: the database itself refuses an event of an agent without a run", async () => {
    await using database = await make();
    const store = await database.open();
    const alone = store.write((db) => appendEvent(db, eventOf({ id: "led_1", actor: "agent:librarian" })));
    await expect(alone).rejects.toThrow(/ledger_events_run/);
    const inRun = await store.write((db) =>
      appendEvent(db, eventOf({ id: "led_1", actor: "agent:librarian", run: "run_1" })),
    );
    expect(inRun.seq).toBe(1);
  });

  test("AG-27: a principal has one role in a workspace, and a token needs its principal", async () => {
    await using database = await make();
    const store = await database.open();
    const workspace_id = store.workspaceId;
    const insert = (row: typeof ana) =>
      store.write((db) =>
        db
          .insertInto("principals")
          .values(withRowHash("principals", { workspace_id, ...row }))
          .execute(),
      );
    await insert(ana);
    await expect(insert({ ...ana, role: "agent" })).rejects.toThrow(/unique/i);
    await expect(insert({ ...ana, id: "user:eve", role: "root" })).rejects.toThrow(/principals_role/);
    const token = { id: "tok_1", principal_id: "user:nobody", hash: "h", role: "member", created_at: at };
    const orphan = store.write((db) =>
      db
        .insertInto("tokens")
        .values(withRowHash("tokens", { workspace_id, ...token }))
        .execute(),
    );
    await expect(orphan).rejects.toThrow(/foreign key/i);
  });

  test.each(ifFile)("RN-4: a backup is whole while ten writers write, and overwrites no file", async () => {
    await using database = await make();
    const store = await database.open();
    const out = join(database.root, "copy.db");
    const writes = Array.from({ length: 10 }, (_, n) =>
      store.write((db) => appendEvent(db, eventOf({ id: `led_${n}` }))),
    );
    const copied = await store.backup(out);
    await Promise.all(writes);
    const verdict = await verifyCopy(out);
    expect(copied).toMatchObject({ file: out, bytes: expect.any(Number) });
    expect(verdict.ok).toBe(true);
    await expect(store.backup(out)).rejects.toMatchObject({ code: "E_EXISTS" });
  });

  test.each(ifServer)("RN-4: a backup of a server is pg_dump's, and the refusal says how", async () => {
    await using database = await make();
    const store = await database.open();
    const out = join(database.root, "copy.db");
    const remediation = expect.stringContaining("pg_dump") as string;
    await expect(store.backup(out)).rejects.toMatchObject({ failure: { remediation } });
    expect(existsSync(out)).toBe(false);
  });
}

/** The copies that migrations left of this store, by age. */
async function copiesOf(store: Store): Promise<string[]> {
  const { rows } = await store.read((db) =>
    sql<{ name: string }>`select nspname::text as name from pg_namespace
      where obj_description(oid, 'pg_namespace') = 'of ' || current_schema()
      order by split_part(nspname, '_', 4)`.execute(db),
  );
  return rows.map(({ name }) => name);
}

async function verifyCopy(file: string) {
  const root = mkdtempSync(join(tmpdir(), "writ-copy-"));
  const clock = manualClock();
  await restoreStore(file, root, clock);
  const workspace = { id: "ws_one", name: "ws_one" };
  const copy = await openStore({ root, workspace, clock, ids: testIds(), mode: "read" });
  const verdict = await copy.read((db) => verifyLedger(db));
  await copy.close();
  rmSync(root, { recursive: true });
  return verdict;
}
