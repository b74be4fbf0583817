import { link, rm, stat } from "node:fs/promises";
import { basename } from "node:path";
import { backup, DatabaseSync, type StatementSync } from "node:sqlite";
import { Kysely, type Transaction } from "kysely";
import { fail } from "../contract/index.ts";
import { errnoOf, storing } from "../platform/index.ts";
import type { Engine } from "./engine.ts";
import { storeFailure } from "./failures.ts";
import { busyTimeoutMs, type Patience, retryBusy } from "./retry-busy.ts";
import { openReader, type Reader } from "./open-reader.ts";
import type { Schema } from "./schema.ts";
import { commitsHere, sqliteDialect } from "./sqlite-dialect.ts";

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
  const told = <T>(work: () => Promise<T>): Promise<T> =>
    work().catch((error: unknown) => {
      throw storeFailure(error, options.location);
    });
  const writer = options.access === "write" ? await told(() => openWriter(options)) : undefined;
  const readers = readerPool(options);
  const watch = watcher(options);
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
  try {
    // FULL, not NORMAL: a ledger event that a caller was told of must outlive a loss of power. It costs a
    // flush a commit (some 4,000 a second), and commits are one an act.
    await retryBusy(options.patience, () => {
      database.exec("pragma journal_mode = wal; pragma synchronous = full; pragma trusted_schema = off");
    });
  } catch (error) {
    database.close();
    throw error;
  }
  return new Kysely<Schema>({
    dialect: sqliteDialect(database, { access: "write", patience: options.patience }),
  });
}

function readerPool(options: SqliteOptions) {
  const idle: { db: Db; frozen: boolean }[] = [];
  function take(): { db: Db; frozen: boolean } {
    const { database, frozen } = openReader(options.file);
    const dialect = sqliteDialect(database, { access: "read", patience: options.patience });
    return { db: new Kysely<Schema>({ dialect }), frozen };
  }
  return {
    async use<T>(work: (db: Transaction<Schema>) => Promise<T>): Promise<T> {
      const reader = idle.pop() ?? take();
      try {
        return await inTransaction(reader.db, work);
      } finally {
        if (!reader.frozen && idle.length < idleReaders) idle.push(reader);
        else await reader.db.destroy();
      }
    },
    async close() {
      for (const { db } of idle.splice(0)) await db.destroy();
    },
  };
}

/**
 * A connection that reads nothing but SQLite's own count of what the other connections have committed.
 *
 * It is asked once for all that Node found waiting at one time: whatever a request could know of was committed before
 * it was sent, and it was sent before Node looked. What this process itself commits meanwhile counts at once.
 */
function watcher({ file }: SqliteOptions) {
  let reader: Reader | undefined;
  let count: StatementSync | undefined;
  let known: { version: number; commits: number } | undefined;
  return {
    version(): number | undefined {
      reader ??= openReader(file);
      if (reader.frozen) return undefined;
      const commits = commitsHere();
      if (known?.commits === commits) return known.version;
      count ??= reader.database.prepare("pragma data_version");
      if (!known) setImmediate(() => (known = undefined));
      known = { version: Number(count.get()?.data_version), commits };
      return known.version;
    },
    close: () => reader?.database.close(),
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
  const { database } = openReader(file);
  try {
    await backup(database, out);
  } finally {
    database.close();
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
