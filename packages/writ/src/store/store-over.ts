import { AsyncLocalStorage } from "node:async_hooks";
import type { Transaction } from "kysely";
import { sha256Hex } from "../platform/index.ts";
import type { Engine } from "./engine.ts";
import type { Schema } from "./schema.ts";
import type { Bound } from "./sql.ts";
import { readStatus } from "./status.ts";
import type { Store } from "./store.ts";

/** The store of one workspace over an open database. */
export function storeOver(engine: Engine, known: { workspaceId: string; knownVersion: number }): Store {
  const place = sha256Hex(engine.place);
  const writing = new AsyncLocalStorage<true>();

  function bound(db: Transaction<Schema>): Transaction<Schema> & Bound {
    let instant: Promise<number> | undefined;
    return Object.assign(db, {
      workspaceId: known.workspaceId,
      dialect: engine.dialect,
      place,
      // Asked once: all that one transaction decides by time, it decides at one instant.
      now: () => (instant ??= engine.now(db)),
    });
  }

  return {
    dialect: engine.dialect,
    workspaceId: known.workspaceId,
    place,
    read: (query) => engine.snapshot((db) => query(bound(db))),
    write(work) {
      // There is one writing connection: a write inside a write would wait for itself for ever.
      if (writing.getStore()) throw new Error("A write was begun inside a write of the same store.");
      return writing.run(true, () => engine.transaction((db) => work(bound(db))));
    },
    version: () => engine.version?.(),
    status: () => engine.snapshot((db) => readStatus(engine, bound(db), known.knownVersion)),
    backup: async (out) => ({ file: out, bytes: await engine.backup(out) }),
    close: () => engine.close(),
  };
}
