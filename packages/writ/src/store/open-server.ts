import type { Dialect as KyselyDialect } from "kysely";
import { copyBeforeMigration } from "./automatic-copy.ts";
import type { Engine } from "./engine.ts";
import { migrate, versionOf } from "./migrate.ts";
import type { Migration } from "./migrations/migration.ts";
import type { OpenOptions } from "./open-store.ts";
import { locationOf, poolDialect, postgresEngine } from "./postgres.ts";
import { storeNewer, storeOutdated, workspaceUnknown } from "./refusals.ts";
import { isRegistered, registerWorkspace } from "./register-workspace.ts";

const defaultWaitMs = 10_000;

/** The engine on a PostgreSQL server. */
export async function openServer(options: OpenOptions, migrations: readonly Migration[]): Promise<Engine> {
  const url = options.databaseUrl ?? "";
  const location = locationOf(url);
  const dialect = poolDialect(url, options.workspace.id, options.waitMs ?? defaultWaitMs);
  return prepareServer(postgresEngine(dialect, location), options, migrations);
}

/** The same over any of Kysely's dialects for PostgreSQL, such as the in-process one of the tests. */
export async function openDialect(
  dialect: KyselyDialect,
  options: OpenOptions,
  migrations: readonly Migration[],
): Promise<Engine> {
  return prepareServer(postgresEngine(dialect, "in process"), options, migrations);
}

async function prepareServer(
  engine: Engine,
  options: OpenOptions,
  migrations: readonly Migration[],
): Promise<Engine> {
  const known = migrations.at(-1)?.version ?? 0;
  try {
    const found = await engine.snapshot((db) => versionOf(engine, db));
    if (found > known) throw storeNewer(engine.location, found, known);
    if (found < known && options.mode === "read") throw storeOutdated(engine.location, found, known);
    if (found < known) await migrate(engine, migrations, (from, db) => copyBeforeMigration(engine, db, from));
    if (options.register && options.mode === "write") await registerWorkspace(engine, options.workspace);
    else if (!(await isRegistered(engine, options.workspace.id))) {
      throw workspaceUnknown(engine.location, options.workspace.id, options.byName);
    }
    return options.mode === "read" ? readingOnly(engine) : engine;
  } catch (error) {
    await engine.close();
    throw error;
  }
}

function readingOnly(engine: Engine): Engine {
  return { ...engine, transaction: () => Promise.reject(new Error("This store was opened for reading.")) };
}
