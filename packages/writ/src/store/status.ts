import type { Transaction } from "kysely";
import type { Engine } from "./engine.ts";
import { ownedTables, type Schema } from "./schema.ts";
import type { Bound } from "./sql.ts";
import type { StoreStatus } from "./store.ts";

/** Reads what `writ store status` says, on one snapshot. */
export async function readStatus(
  engine: Engine,
  db: Transaction<Schema> & Bound,
  knownVersion: number,
): Promise<StoreStatus> {
  const last = await db
    .selectFrom("migrations")
    .selectAll()
    .orderBy("version", "desc")
    .limit(1)
    .executeTakeFirst();
  return {
    database: engine.dialect,
    location: engine.location,
    schema_version: last?.version ?? 0,
    known_version: knownVersion,
    last_migration: last ? { ...last } : null,
    size_bytes: await engine.sizeBytes(db),
    rows: await countRows(db),
    ledger: await ledgerState(db),
  };
}

async function countRows(db: Transaction<Schema> & Bound): Promise<Record<string, number>> {
  const rows: Record<string, number> = {};
  for (const table of ownedTables) {
    const counted = await db
      .selectFrom(table)
      .select((e) => e.fn.countAll<number>().as("count"))
      .where("workspace_id", "=", db.workspaceId)
      .executeTakeFirst();
    rows[table] = counted?.count ?? 0;
  }
  return rows;
}

async function ledgerState(db: Transaction<Schema> & Bound): Promise<StoreStatus["ledger"]> {
  const head = await db
    .selectFrom("ledger_heads")
    .select(["seq", "hash"])
    .where("workspace_id", "=", db.workspaceId)
    .executeTakeFirst();
  const checkpoint = await db
    .selectFrom("ledger_checkpoints")
    .select(["seq", "at", "key_id"])
    .where("workspace_id", "=", db.workspaceId)
    .orderBy("seq", "desc")
    .orderBy("at", "desc")
    .limit(1)
    .executeTakeFirst();
  return { seq: head?.seq ?? 0, hash: head?.hash ?? "", checkpoint: checkpoint ? { ...checkpoint } : null };
}
