import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { lstatOrNull, makeFolder, requireNoLinks, storeError, storing } from "../platform/index.ts";
import { backUpBeforeMigration } from "./automatic-backup.ts";
import type { Engine } from "./engine.ts";
import { migrate, versionOf } from "./migrate.ts";
import type { Migration } from "./migrations/migration.ts";
import type { OpenOptions } from "./open-store.ts";
import { notAStore, storeNewer, storeOutdated } from "./refusals.ts";
import { registerWorkspace } from "./register-workspace.ts";
import { openSqlite, type SqliteOptions } from "./sqlite.ts";

/** The store's file, relative to the workspace. */
export const storeFile = ".writ/writ.db";
const defaultWaitMs = 10_000;

/** The engine on the workspace's own file, migrated when opened for writing. */
export async function openFolder(options: OpenOptions, migrations: readonly Migration[]): Promise<Engine> {
  const { root: named } = options;
  if (!named) throw new Error("A store needs a folder or a database address.");
  // A workspace that is reached through a link is the same one, and its store the same place.
  const root = await realpath(named).catch(() => named);
  await requireNoLinks(root, storeFile);
  const open = options.mode === "read" ? openForReading : openForWriting;
  return open({ ...options, root }, migrations);
}

async function openForWriting(options: OpenOptions, migrations: readonly Migration[]): Promise<Engine> {
  const settings = settingsOf(options, "write");
  await storing(storeFile, () => makeFolder(join(options.root ?? "", ".writ")));
  await refuseNewer(options, migrations);
  const engine = await openSqlite(settings);
  try {
    const known = knownVersion(migrations);
    const found = await engine.snapshot((db) => versionOf(engine, db));
    if (found > known) throw storeNewer(storeFile, found, known);
    if (found < known) {
      await migrate(engine, migrations, (from) => backUpBeforeMigration(settings.file, from, options.clock));
    }
    await registerWorkspace(engine, options.workspace);
    return engine;
  } catch (error) {
    await engine.close();
    throw error;
  }
}

// Opening for writing already touches a file (its journal mode), so the version is read first.
async function refuseNewer(options: OpenOptions, migrations: readonly Migration[]): Promise<void> {
  const settings = settingsOf(options, "read");
  if (!(await hasContent(settings.file))) return;
  const reader = await openSqlite(settings);
  try {
    await checkVersion(reader, knownVersion(migrations));
  } finally {
    await reader.close();
  }
}

async function checkVersion(reader: Engine, known: number): Promise<number> {
  const found = await reader.snapshot(async (db) => {
    const version = await versionOf(reader, db);
    if (version > 0) return version;
    const tables = await db.introspection.getTables();
    if (tables.length > 0) throw notAStore(storeFile);
    return 0;
  });
  if (found > known) throw storeNewer(storeFile, found, known);
  return found;
}

/**
 * A reader makes no file: until somebody has written, it sees an empty store in memory. It looks again at
 * every read, because a server reads for days.
 */
async function openForReading(options: OpenOptions, migrations: readonly Migration[]): Promise<Engine> {
  const settings = settingsOf(options, "read");
  const known = knownVersion(migrations);
  let real: Engine | undefined;
  let empty: Engine | undefined;
  async function current(): Promise<Engine> {
    if (real) return real;
    const reader = (await hasContent(settings.file)) ? await openSqlite(settings) : undefined;
    const found = reader ? await checkVersion(reader, known).catch(closing(reader)) : 0;
    if (!reader || found === 0) {
      await reader?.close();
      empty ??= await emptyStore(options, migrations);
      return empty;
    }
    if (found < known) return closing(reader)(storeOutdated(storeFile, found, known));
    real = reader;
    return real;
  }
  await current();
  return {
    dialect: "sqlite",
    location: storeFile,
    place: settings.file,
    snapshot: async (work) => (await current()).snapshot(work),
    transaction: () => Promise.reject(new Error("This store was opened for reading.")),
    version: () => real?.version?.(),
    now: async () => options.clock.now(),
    sizeBytes: async (db) => (await current()).sizeBytes(db),
    backup: async (out) => (await current()).backup(out),
    async close() {
      await real?.close();
      await empty?.close();
    },
  };
}

async function emptyStore(options: OpenOptions, migrations: readonly Migration[]): Promise<Engine> {
  const engine = await openSqlite({ ...settingsOf(options, "write"), file: ":memory:" });
  await migrate(engine, migrations, async () => {});
  return engine;
}

function closing(engine: Engine): (error: unknown) => Promise<never> {
  return async (error) => {
    await engine.close();
    throw error;
  };
}

function settingsOf(options: OpenOptions, access: "read" | "write"): SqliteOptions {
  return {
    file: join(options.root ?? "", storeFile),
    location: storeFile,
    access,
    patience: {
      waitMs: options.waitMs ?? defaultWaitMs,
      chance: () => Number.parseInt(options.ids.secret(1), 16) / 256,
    },
    now: () => options.clock.now(),
  };
}

function knownVersion(migrations: readonly Migration[]): number {
  return migrations.at(-1)?.version ?? 0;
}

async function hasContent(file: string): Promise<boolean> {
  const stats = await storing(storeFile, () => lstatOrNull(file));
  if (stats && !stats.isFile()) throw storeError(Object.assign(new Error(), { code: "EISDIR" }), storeFile);
  return stats !== null && stats.size > 0;
}
