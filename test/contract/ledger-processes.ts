import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { appendEvent, listEvents, verifyLedger } from "../../packages/writ/src/ledger/index.ts";
import type { Store } from "../../packages/writ/src/store/index.ts";
import type { TestDatabase } from "./databases.ts";
import { eventOf } from "./events.ts";
import { laterMigrations, type Point } from "./programs/later-migrations.ts";

const program = join(import.meta.dirname, "programs/appender.ts");
const migrator = join(import.meta.dirname, "programs/migrator.ts");

interface Appender {
  child: ChildProcess;
  /** Ids that the program said are written. */
  told: string[];
  ended: Promise<unknown>;
}

function appender(
  database: TestDatabase & { url?: string },
  { name, count, onLine = () => {} }: { name: string; count: number; onLine?: () => void },
): Appender {
  const args = [program, database.root, name, String(count), ...(database.url ? [database.url] : [])];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const told: string[] = [];
  if (child.stdout) {
    createInterface(child.stdout).on("line", (line) => {
      told.push(line);
      onLine();
    });
  }
  return { child, told, ended: once(child, "close") };
}

async function idsIn(store: Store): Promise<string[]> {
  return store.read(async (db) => (await listEvents(db, { limit: 100_000 })).events.map(({ id }) => id));
}

/** What must hold while several programs write, and when one of them is killed. */
export function processesContract(make: () => Promise<TestDatabase & { url?: string }>) {
  test("AG-160: eight programs that append at once make one chain without a gap or a fork", async () => {
    await using database = await make();
    const all = Array.from({ length: 8 }, (_, n) => appender(database, { name: `p${n}`, count: 25 }));
    await Promise.all(all.map(({ ended }) => ended));
    const store = await database.open();
    expect(all.map(({ told }) => told.length)).toEqual(Array(8).fill(25));
    expect(await store.read((db) => verifyLedger(db))).toMatchObject({
      ok: true,
      events: 200,
      head: { seq: 200 },
    });
  }, 120_000);

  test("AG-158, AG-160: a program killed while it appends leaves a whole chain, all that it told, and no half act", async () => {
    await using database = await make();
    for (const [round, killAt] of [1, 7, 18].entries()) {
      let lines = 0;
      const run = appender(database, {
        name: `k${round}`,
        count: 100_000,
        onLine: () => {
          if (++lines === killAt) run.child.kill("SIGKILL");
        },
      });
      await run.ended;
      const store = await database.open();
      const ids = new Set(await idsIn(store));
      expect(run.told.filter((id) => !ids.has(id))).toEqual([]);
      const { rows } = await store.status();
      expect(rows.replays).toBe(rows.ledger_events);
      expect(await store.read((db) => verifyLedger(db))).toMatchObject({ ok: true });
    }
  }, 120_000);

  const killed: [Point, number][] = [
    ["begun", 1],
    ["half", 1],
    ["between", 2],
  ];
  for (const [point, whole] of killed) {
    test(`RN-5: a migration killed at "${point}" leaves version ${whole} whole, and the next open completes it`, async () => {
      await using database = await make();
      const old = await database.open();
      for (const n of [1, 2, 3]) await old.write((db) => appendEvent(db, eventOf({ id: `led_${n}` })));
      await old.close();
      expect(await migrateAndDie(database, point)).toBe("SIGKILL");

      const migrations = laterMigrations(() => {});
      const reader = await database.open({ mode: "read", migrations: migrations.slice(0, whole) });
      expect(await reader.status()).toMatchObject({ schema_version: whole, rows: { ledger_events: 3 } });
      expect(await namesAndColumns(reader)).toEqual(
        whole === 1 ? { name: "ws_one", columns: [] } : { name: "renamed", columns: ["colour"] },
      );

      const store = await database.open({ migrations });
      expect((await store.status()).schema_version).toBe(3);
      expect(await namesAndColumns(store)).toEqual({ name: "renamed", columns: ["colour", "shape"] });
      expect(await store.read((db) => verifyLedger(db))).toMatchObject({ ok: true, events: 3 });
    }, 120_000);
  }

  test("RN-5: four programs that make and migrate the same new store at once all find it ready", async () => {
    await using database = await make();
    const all = Array.from({ length: 4 }, (_, n) => appender(database, { name: `m${n}`, count: 1 }));
    await Promise.all(all.map(({ ended }) => ended));
    expect(all.map(({ told }) => told.length)).toEqual([1, 1, 1, 1]);
    expect((await (await database.open()).status()).schema_version).toBe(1);
  }, 120_000);
}

async function migrateAndDie(database: TestDatabase & { url?: string }, point: Point): Promise<unknown> {
  const args = [migrator, database.root, point, ...(database.url ? [database.url] : [])];
  const child = spawn(process.execPath, args, { stdio: "inherit" });
  const [, signal] = await once(child, "close");
  return signal;
}

/** What the later migrations change: a row, and the columns of a table. */
async function namesAndColumns(store: Store): Promise<{ name: string | undefined; columns: string[] }> {
  return store.read(async (db) => {
    const columns: string[] = [];
    for (const column of ["colour", "shape"]) {
      const { rows } = await (store.dialect === "sqlite"
        ? sql`select 1 from pragma_table_info('principals') where name = ${column}`
        : sql`select 1 from information_schema.columns
            where table_name = 'principals' and table_schema = current_schema() and column_name = ${column}`
      ).execute(db);
      if (rows.length > 0) columns.push(column);
    }
    const workspace = await db.selectFrom("workspaces").select("name").executeTakeFirst();
    return { name: workspace?.name, columns };
  });
}
