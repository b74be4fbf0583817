import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { PGlite } from "@electric-sql/pglite";
import { CompiledQuery, PGliteDialect } from "kysely";
import pg from "pg";
import { afterAll, beforeAll } from "vitest";
import type { Clock } from "../../packages/writ/src/contract/index.ts";
import { createIds } from "../../packages/writ/src/platform/index.ts";
import type { Store } from "../../packages/writ/src/store/index.ts";
import { open } from "../../packages/writ/src/store/open.ts";
import { openDialect } from "../../packages/writ/src/store/open-server.ts";
import { migrations as known } from "../../packages/writ/src/store/migrations/index.ts";
import { postgresParsers, sessionQueries } from "../../packages/writ/src/store/postgres.ts";
import { storeOver } from "../../packages/writ/src/store/store-over.ts";

/** A clock that stands until it is moved. */
export interface ManualClock extends Clock {
  advance(ms: number): void;
}

export function manualClock(start = Date.UTC(2026, 10, 30, 9)): ManualClock {
  let now = start;
  return { now: () => now, advance: (ms) => (now += ms) };
}

let seeds = 0;

/** Ids that differ from those of every other call, and from nothing but them. */
export function testIds() {
  let counter = 0;
  const seed = ++seeds;
  return createIds({
    now: () => Date.UTC(2026, 10, 30, 9),
    randomBytes: (size) => {
      const bytes = new Uint8Array(size);
      let rest = seed * 2 ** 20 + counter++;
      for (let i = size - 1; i >= 0; i--, rest = Math.floor(rest / 256)) bytes[i] = rest % 256;
      return bytes;
    },
  });
}

export interface OpenChoices {
  mode?: "read" | "write";
  workspace?: string;
  clock?: Clock;
  migrations?: typeof known;
  register?: boolean;
  waitMs?: number;
  /** Another way to the same server, such as a role with fewer rights. */
  databaseUrl?: string;
}

/** One empty database of its own, for one test. */
export interface TestDatabase extends AsyncDisposable {
  /** A folder for the files of the test; on SQLite the workspace's root. */
  root: string;
  open(choices?: OpenChoices): Promise<Store>;
  /** Changes the data behind Writ's back, with every guard switched off. */
  tamper(statements: string): Promise<void>;
  /** Runs one statement behind Writ's back with the guards in place. */
  direct(statement: string): Promise<void>;
}

export type MakeDatabase = () => Promise<TestDatabase>;

/** What a database can do; one that cannot is a line here, and no skipped test. */
export interface Abilities {
  severalProcesses: boolean;
  isFile: boolean;
  severalWorkspaces: boolean;
}

function optionsOf(root: string, choices: OpenChoices) {
  const id = choices.workspace ?? "ws_one";
  return {
    root,
    workspace: { id, name: id },
    clock: choices.clock ?? manualClock(),
    ids: testIds(),
    mode: choices.mode ?? ("write" as const),
    register: choices.register ?? true,
    ...(choices.waitMs !== undefined && { waitMs: choices.waitMs }),
  };
}

function temporaryRoot() {
  const root = mkdtempSync(join(tmpdir(), "writ-store-"));
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) };
}

export const sqliteAbilities: Abilities = { severalProcesses: true, isFile: true, severalWorkspaces: false };

export async function sqliteDatabase(): Promise<TestDatabase> {
  const { root, remove } = temporaryRoot();
  const opened: Store[] = [];
  const direct = async (statement: string): Promise<void> => {
    using database = new DatabaseSync(join(root, ".writ/writ.db"), { timeout: 5000 });
    database.exec(statement);
  };
  return {
    root,
    async open(choices = {}) {
      const store = await open(optionsOf(root, choices), choices.migrations ?? known);
      opened.push(store);
      return store;
    },
    direct,
    tamper: (statements) =>
      direct(`pragma foreign_keys = off; drop trigger if exists ledger_events_no_update;
        drop trigger if exists ledger_events_no_delete; ${statements}`),
    async [Symbol.asyncDispose]() {
      for (const store of opened) await store.close();
      remove();
    },
  };
}

export const pgliteAbilities: Abilities = { severalProcesses: false, isFile: false, severalWorkspaces: true };

/** In process: one server for a file of tests, a schema for each of them. */
export function pgliteDatabases(): MakeDatabase {
  let server: PGlite | undefined;
  let made = 0;
  // Seconds on a free machine, and far more on a busy one.
  beforeAll(async () => {
    server = await PGlite.create({ parsers: postgresParsers });
  }, 180_000);
  afterAll(() => server?.close());
  return async () => {
    if (!server) throw new Error("PGlite did not start.");
    const shared = server;
    const schema = `test_${++made}`;
    await shared.exec(`create schema ${schema}`);
    const { root, remove } = temporaryRoot();
    const direct = async (statement: string): Promise<void> => {
      await shared.exec(`set search_path to ${schema}; ${statement}`);
    };
    return {
      root,
      async open(choices = {}) {
        const options = optionsOf(root, choices);
        const pglite = new Proxy(shared, {
          get: (target, key) => (key === "close" ? async () => {} : bound(target, key)),
        });
        const dialect = new PGliteDialect({
          pglite,
          onCreateConnection: async (connection) => {
            await connection.executeQuery(CompiledQuery.raw(`set search_path to ${schema}`));
            for (const query of sessionQueries(options.workspace.id, 1000))
              await connection.executeQuery(query);
          },
        });
        const migrations = choices.migrations ?? known;
        const engine = await openDialect(dialect, options, migrations);
        return storeOver(engine, {
          workspaceId: options.workspace.id,
          knownVersion: migrations.at(-1)?.version ?? 0,
        });
      },
      direct,
      tamper: (statements) =>
        direct(
          `set session_replication_role = replica; ${statements}; set session_replication_role = origin`,
        ),
      async [Symbol.asyncDispose]() {
        await shared.exec(`drop schema ${schema} cascade`);
        remove();
      },
    };
  };
}

function bound(target: PGlite, key: string | symbol): unknown {
  const value: unknown = Reflect.get(target, key, target);
  return typeof value === "function" ? value.bind(target) : value;
}

export const postgresAbilities: Abilities = {
  severalProcesses: true,
  isFile: false,
  severalWorkspaces: true,
};

let databases = 0;

/** A database of its own on the server of WRIT_TEST_POSTGRES_URL. */
export async function postgresDatabase(): Promise<TestDatabase & { url: string }> {
  const server = process.env.WRIT_TEST_POSTGRES_URL ?? "";
  const name = `writ_test_${process.pid}_${++databases}`;
  await onServer(server, `create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const { root, remove } = temporaryRoot();
  const opened: Store[] = [];
  const direct = (statement: string) => onServer(url.href, statement);
  return {
    root,
    url: url.href,
    async open(choices = {}) {
      const options = { ...optionsOf(root, choices), databaseUrl: choices.databaseUrl ?? url.href };
      const store = await open(options, choices.migrations ?? known);
      opened.push(store);
      return store;
    },
    direct,
    tamper: (statements) => direct(`set session_replication_role = replica; ${statements}`),
    async [Symbol.asyncDispose]() {
      for (const store of opened) await store.close();
      await onServer(server, `drop database ${name} with (force)`);
      remove();
    },
  };
}

export async function onServer(url: string, statements: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(statements);
  } finally {
    await client.end();
  }
}
