import {
  CompiledQuery,
  type Dialect as KyselyDialect,
  Kysely,
  PostgresDialect,
  sql,
  type Transaction,
} from "kysely";
import pg from "pg";
import { fail } from "../contract/index.ts";
import type { Engine } from "./engine.ts";
import { isRerunnable, storeFailure } from "./failures.ts";
import type { Schema } from "./schema.ts";

const oid = { int8: 20, json: 114, jsonb: 3802 };

/** How values come back, the same as from SQLite: counts and sequences as numbers, JSON as its text. */
export const postgresParsers: Record<number, (text: string) => unknown> = {
  [oid.int8]: Number,
  [oid.json]: (text) => text,
  [oid.jsonb]: (text) => text,
};

// A deadlock chooses one victim; the third in a row is no accident.
const runs = 3;

/** The engine on PostgreSQL, over any of Kysely's dialects for it. */
export function postgresEngine(dialect: KyselyDialect, location: string): Engine {
  const db = new Kysely<Schema>({ dialect });
  const told = <T>(work: () => Promise<T>): Promise<T> =>
    work().catch((error: unknown) => {
      throw storeFailure(error, location);
    });
  return {
    dialect: "postgres",
    location,
    place: location,
    snapshot: (work) =>
      told(() =>
        db.transaction().execute(async (transaction) => {
          await sql`set transaction isolation level repeatable read, read only`.execute(transaction);
          return work(transaction);
        }),
      ),
    transaction: (work) => told(() => rerun(db, work)),
    async now(connection) {
      const { rows } = await sql<{ ms: number }>`
        select floor(extract(epoch from clock_timestamp()) * 1000)::float8 as ms`.execute(connection);
      return rows[0]?.ms ?? 0;
    },
    async sizeBytes(connection) {
      const { rows } = await sql<{
        bytes: number;
      }>`select pg_database_size(current_database()) as bytes`.execute(connection);
      return rows[0]?.bytes ?? 0;
    },
    backup: () => Promise.reject(backupElsewhere(location)),
    close: () => db.destroy(),
  };
}

async function rerun<T>(db: Kysely<Schema>, work: (db: Transaction<Schema>) => Promise<T>): Promise<T> {
  for (let run = 1; ; run++) {
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      if (run === runs || !isRerunnable(error)) throw error;
    }
  }
}

/** Connections to a real server, each told which workspace's rows it may see. */
export function poolDialect(databaseUrl: string, workspaceId: string, waitMs: number): KyselyDialect {
  return new PostgresDialect({
    pool: async () => {
      const pool = new pg.Pool({
        connectionString: databaseUrl,
        application_name: "writ",
        connectionTimeoutMillis: waitMs,
        types: { getTypeParser: parserOf },
      });
      // An idle connection that the server drops must not end the process; the next query opens another.
      pool.on("error", () => {});
      return pool;
    },
    onCreateConnection: async (connection) => {
      for (const query of sessionQueries(workspaceId, waitMs)) await connection.executeQuery(query);
    },
  });
}

/** What every new connection is told first: the workspace (for row-level security) and its patience. */
export function sessionQueries(workspaceId: string, waitMs: number): CompiledQuery[] {
  const set = "select set_config($1, $2, false)";
  return [
    CompiledQuery.raw(set, ["writ.workspace_id", workspaceId]),
    CompiledQuery.raw(set, ["lock_timeout", `${waitMs}ms`]),
  ];
}

function parserOf(type: number, format?: "text" | "binary"): (value: string) => unknown {
  return (
    postgresParsers[type] ?? (pg.types.getTypeParser(type, format as "text") as (value: string) => unknown)
  );
}

/** Host and database of a URL, without user, password and options. */
export function locationOf(databaseUrl: string): string {
  const url = URL.parse(databaseUrl);
  if (!url || !/^postgres(ql)?:$/.test(url.protocol)) {
    throw fail("E_INVALID_VALUE", {
      message: "WRIT_DATABASE_URL is no PostgreSQL address.",
      cause: "It does not begin with postgres:// or postgresql://.",
      remediation: "Set it as in: export WRIT_DATABASE_URL=postgres://user@host:5432/writ",
    });
  }
  return `${url.host}${url.pathname}`;
}

function backupElsewhere(location: string): Error {
  return fail("E_INVALID_VALUE", {
    message: `A store on PostgreSQL (${location}) is backed up with PostgreSQL's own tools.`,
    cause:
      "writ store backup copies a SQLite file. pg_dump needs a role that sees every workspace: a superuser, or BYPASSRLS.",
    remediation: `pg_dump --format=custom --file=writ.dump "$WRIT_DATABASE_URL"`,
  });
}
