import { link, rm, stat } from "node:fs/promises";
import { basename } from "node:path";
import { backup, DatabaseSync, type StatementSync } from "node:sqlite";
import { Kysely, type Transaction } from "kysely";
import { fail } from "../contract/index.ts";
import { errnoOf, storing } from "../platform/index.ts";
import type { Engine } from "./engine.ts";
import { storeFailure } from "./failures.ts";
import { busyTimeoutMs, type Patience, retryBusy } from "./retry-busy.ts";
import type { Schema } from "./schema.ts";
import { sqliteDialect } from "./sqlite-dialect.ts";

export interface SqliteOptions {
  /** Absolute path, or ":memory:". */
  file: string;
  location: string;
  access: "read" | "write";
  patience: Patience;
  now: () => number;
}

type Db = Kysely<Schema>;

// Readers are opened as they are needed, so that a read inside a read never waits for itself.
const idleReaders = 4;

/** The engine on a SQLite file: one writing connection, and reading ones beside it (WAL). */
export async function openSqlite(options: SqliteOptions): Promise<Engine> {
  const writer = options.access === "write" ? await openWriter(options) : undefined;
  const readers = readerPool(options);
  const watch = watcher(options);
  const told = <T>(work: () => Promise<T>): Promise<T> =>
    work().catch((error: unknown) => {
      throw storeFailure(error, options.location);
    });
  return {
    dialect: "sqlite",
    location: options.location,
    place: options.file,
    snapshot: (work) =>
      told(() => (memory(options) && writer ? inTransaction(writer, work) : readers.use(work))),
    transaction(work) {
      if (!writer) throw new Error("This store was opened for reading.");
      return told(() => inTransaction(writer, work));
    },
    version: () => (memory(options) ? undefined : watch.version()),
    now: async () => options.now(),
    sizeBytes: () => sizeOf(options.file),
    backup: (out) => told(() => storing(basename(out), () => copyToNew(options.file, out))),
    async close() {
      watch.close();
      await readers.close();
      await writer?.destroy();
    },
  };
}

function memory(options: SqliteOptions): boolean {
  return options.file === ":memory:";
}

function inTransaction<T>(db: Db, work: (db: Transaction<Schema>) => Promise<T>): Promise<T> {
  return db.transaction().execute(work);
}

async function openWriter(options: SqliteOptions): Promise<Db> {
  const database = new DatabaseSync(options.file, {
    timeout: busyTimeoutMs,
    enableForeignKeyConstraints: true,
  });
  // FULL, not NORMAL: a ledger event that a caller was told of must outlive a loss of power. It costs a
  // flush a commit (some 4,000 a second), and commits are one an act.
  await retryBusy(options.patience, () => {
    database.exec("pragma journal_mode = wal; pragma synchronous = full; pragma trusted_schema = off");
  });
  return new Kysely<Schema>({
    dialect: sqliteDialect(database, { access: "write", patience: options.patience }),
  });
}

function readerPool(options: SqliteOptions) {
  const idle: Db[] = [];
  function take(): Db {
    const database = new DatabaseSync(options.file, { timeout: busyTimeoutMs, readOnly: true });
    return new Kysely<Schema>({
      dialect: sqliteDialect(database, { access: "read", patience: options.patience }),
    });
  }
  return {
    async use<T>(work: (db: Transaction<Schema>) => Promise<T>): Promise<T> {
      const db = idle.pop() ?? take();
      try {
        return await inTransaction(db, work);
      } finally {
        if (idle.length < idleReaders) idle.push(db);
        else await db.destroy();
      }
    },
    async close() {
      for (const db of idle.splice(0)) await db.destroy();
    },
  };
}

/** A connection that reads nothing but SQLite's own count of what the other connections have committed. */
function watcher({ file }: SqliteOptions) {
  let database: DatabaseSync | undefined;
  let count: StatementSync | undefined;
  return {
    version(): number {
      database ??= new DatabaseSync(file, { timeout: busyTimeoutMs, readOnly: true });
      count ??= database.prepare("pragma data_version");
      return Number(count.get()?.data_version);
    },
    close: () => database?.close(),
  };
}

async function sizeOf(file: string): Promise<number> {
  let bytes = 0;
  for (const part of [file, `${file}-wal`]) {
    const found = await stat(part).catch(() => undefined);
    bytes += found?.size ?? 0;
  }
  return bytes;
}

/** Copies a store that others may be writing to; the copy is one consistent state. */
export async function copyOnline(file: string, out: string): Promise<number> {
  const source = new DatabaseSync(file, { timeout: busyTimeoutMs, readOnly: true });
  try {
    await backup(source, out);
  } finally {
    source.close();
  }
  return sizeOf(out);
}

async function copyToNew(file: string, out: string): Promise<number> {
  const unfinished = `${out}.part`;
  try {
    const bytes = await copyOnline(file, unfinished);
    await link(unfinished, out);
    return bytes;
  } catch (error) {
    throw errnoOf(error) === "EEXIST" ? backupExists(basename(out)) : error;
  } finally {
    await rm(unfinished, { force: true });
  }
}

function backupExists(name: string): Error {
  return fail("E_EXISTS", {
    message: `${name} exists, and a backup overwrites nothing.`,
    cause: "A file is there already.",
    remediation: `Name another file: writ store backup --out ${name}.2`,
  });
}
