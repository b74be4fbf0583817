import type { DatabaseSync, StatementSync } from "node:sqlite";
import { type DatabaseConnection, SqliteDialect, type SqliteDialectConfig, SqliteDriver } from "kysely";
import { nodeSqlite } from "./node-sqlite.ts";
import { type Patience, retryBusy } from "./retry-busy.ts";

/** SQLite for Kysely, with transactions that take their lock, or their snapshot, when they begin. */
export function sqliteDialect(
  database: DatabaseSync,
  options: { access: "read" | "write"; patience: Patience },
): SqliteDialect {
  return new LockingDialect(
    { database: nodeSqlite(database) },
    (config) => new LockingDriver(config, database, options),
  );
}

let commits = 0;

/** How often this process has committed to any store. */
export function commitsHere(): number {
  return commits;
}

class LockingDialect extends SqliteDialect {
  readonly #driver: () => SqliteDriver;

  constructor(config: SqliteDialectConfig, driver: (config: SqliteDialectConfig) => SqliteDriver) {
    super(config);
    this.#driver = () => driver(config);
  }

  override createDriver(): SqliteDriver {
    return this.#driver();
  }
}

class LockingDriver extends SqliteDriver {
  readonly #database: DatabaseSync;
  readonly #access: "read" | "write";
  readonly #patience: Patience;
  readonly #statements = new Map<string, StatementSync>();

  constructor(
    config: SqliteDialectConfig,
    database: DatabaseSync,
    options: { access: "read" | "write"; patience: Patience },
  ) {
    super(config);
    this.#database = database;
    this.#access = options.access;
    this.#patience = options.patience;
  }

  // A plain `begin` takes no lock: two readers that both go on to write would fail each other halfway.
  // Waiting here, before the work has started, means that the work never runs twice.
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await retryBusy(this.#patience, async () => {
      if (this.#access === "write") return this.#run("begin immediate");
      this.#run("begin");
      try {
        this.#run("select 1 from sqlite_master limit 1");
      } catch (error) {
        await this.rollbackTransaction(connection);
        throw error;
      }
    });
  }

  override async commitTransaction(): Promise<void> {
    this.#run("commit");
    if (this.#access === "write") commits++;
  }

  /** Straight to the database: through the builder of queries these would cost more than what they enclose. */
  #run(text: string): void {
    const statement = this.#statements.get(text) ?? this.#database.prepare(text);
    this.#statements.set(text, statement);
    statement.get();
  }

  // A full disk rolls back by itself; a second rollback would hide the first error.
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#database.isTransaction) await super.rollbackTransaction(connection);
  }
}
