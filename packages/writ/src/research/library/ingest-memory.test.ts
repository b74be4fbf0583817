import { expect, test } from "vitest";
import { tempFolder } from "../../../../../test/fixtures/temp-folder.ts";
import { Database } from "./database.ts";
import { endOfLittle, IngestMemory } from "./ingest-memory.ts";
import type { Recorded } from "./record.ts";

const record = (characters: number): Recorded => ({
  source: "bibtex",
  sourceKey: "k",
  hash: "0",
  ownId: "tt:0",
  json: "x".repeat(characters),
  cut: [],
});

/** What a database may take: DuckDB's own word for it. */
async function settings(db: Database) {
  return db.row("SELECT current_setting('memory_limit') AS memory, current_setting('threads') AS threads");
}

async function opened(file: string): Promise<Database> {
  return Database.open({ file, memory: "512MiB", littleMemory: "64MiB", threads: 2, isNew: true });
}

/** Adds so many records; after how many of them a batch was full, or -1. */
function add(memory: IngestMemory, count: number, characters: number): number {
  for (let at = 1; at <= count; at += 1) if (memory.add(record(characters))) return at;
  return -1;
}

test("RL-24: works are taken into a small library with little memory, to the end of the change", async () => {
  using temp = tempFolder("writ-memory");
  const db = await opened(temp.file("a.duckdb"));
  const memory = new IngestMemory(db, 0);
  expect(add(memory, 2000, 10)).toBe(1000);
  expect(await settings(db)).toEqual({ memory: "512.0 MiB", threads: 2 });
  await memory.beforeBatch();
  expect(add(memory, 2000, 3000)).toBe(500);
  await memory.beforeBatch();
  await memory.beforeFold();
  expect(await settings(db)).toEqual({ memory: "64.0 MiB", threads: 1 });
  endOfLittle();
  db.close();
});

test("RL-24: fewer works than a batch change nothing", async () => {
  using temp = tempFolder("writ-memory");
  const db = await opened(temp.file("a.duckdb"));
  const memory = new IngestMemory(db, 0);
  expect(add(memory, 999, 10)).toBe(-1);
  await memory.beforeFold();
  expect(await settings(db)).toEqual({ memory: "512.0 MiB", threads: 2 });
  endOfLittle();
  db.close();
});

test.each([
  ["a large library", { before: 98_000, count: 1001, characters: 10 }],
  ["one text that is very long", { before: 0, count: 1, characters: 256 * 1024 + 1 }],
  ["texts that are long on the average", { before: 0, count: 1999, characters: 5000 }],
])("RL-24: %s has all memory, also where it began with little", async (_, { before, count, characters }) => {
  using temp = tempFolder("writ-memory");
  const db = await opened(temp.file("a.duckdb"));
  const memory = new IngestMemory(db, before);
  expect(add(memory, 1000, 10)).toBe(1000);
  await memory.beforeBatch();
  expect(await settings(db)).toEqual({ memory: "64.0 MiB", threads: 1 });
  for (let at = 0; at < count; at += 1) memory.add(record(characters));
  await memory.beforeBatch();
  expect(await settings(db)).toEqual({ memory: "512.0 MiB", threads: 1 });
  expect(add(memory, 6000, 10)).toBe(5000);
  await memory.beforeFold();
  expect((await settings(db))?.memory).toBe("512.0 MiB");
  endOfLittle();
  db.close();
});

test("RL-24: the rest has all memory where it needs it, also when an earlier part of the change had little", async () => {
  using temp = tempFolder("writ-memory");
  const db = await opened(temp.file("a.duckdb"));
  await db.useLittle();
  const memory = new IngestMemory(db, 1000);
  expect(add(memory, 3, 300 * 1024)).toBe(-1);
  await memory.beforeRest();
  expect(await settings(db)).toEqual({ memory: "512.0 MiB", threads: 1 });
  await memory.beforeFold();
  expect((await settings(db))?.memory).toBe("512.0 MiB");
  endOfLittle();
  db.close();
});

test("RL-24: a file with large blocks keeps all memory, for it cannot do with little", async () => {
  using temp = tempFolder("writ-memory");
  const options = { file: temp.file("a.duckdb"), memory: "512MiB", littleMemory: "64MiB", threads: 2 };
  const db = await Database.open(options);
  await db.useLittle();
  expect(await settings(db)).toEqual({ memory: "512.0 MiB", threads: 1 });
  db.close();
});

test("RL-24: a database without a bound for little memory keeps the one it has", async () => {
  using temp = tempFolder("writ-memory");
  const db = await Database.open({ file: temp.file("a.duckdb"), memory: "512MiB", threads: 2 });
  await db.useLittle();
  expect(await settings(db)).toEqual({ memory: "512.0 MiB", threads: 1 });
  await db.useAll();
  expect(await settings(db)).toEqual({ memory: "512.0 MiB", threads: 1 });
  db.close();
});
