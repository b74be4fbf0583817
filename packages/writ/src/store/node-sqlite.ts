import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { SqliteDatabase, SqliteStatement } from "kysely";
import { bind } from "./bind.ts";

// Queries are built, so their texts repeat; the bound keeps lists of generated lengths from piling up.
const cachedStatements = 500;

/** node:sqlite in the shape that Kysely's SqliteDialect takes. */
export function nodeSqlite(database: DatabaseSync): SqliteDatabase {
  const cache = new Map<string, SqliteStatement>();
  return {
    close: () => database.close(),
    prepare(text) {
      const known = cache.get(text);
      if (known) return known;
      const statement = adapt(database.prepare(text));
      const oldest = cache.keys().next().value;
      if (cache.size >= cachedStatements && oldest !== undefined) cache.delete(oldest);
      cache.set(text, statement);
      return statement;
    },
  };
}

function adapt(statement: StatementSync): SqliteStatement {
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...parameters.map(bind)),
    run: (parameters) => statement.run(...parameters.map(bind)),
    iterate: (parameters) => statement.iterate(...parameters.map(bind)),
  };
}
