import { type CreateTableBuilder, type Kysely, sql } from "kysely";
import type { Dialect } from "../sql.ts";
import { guardLedger } from "./guard-ledger.ts";
import type { Migration } from "./migration.ts";
import { separateWorkspaces } from "./separate-workspaces.ts";

const ownedTables = [
  "workspaces",
  "principals",
  "tokens",
  "replays",
  "denials",
  "ledger_events",
  "ledger_heads",
  "ledger_checkpoints",
  "payloads",
];

export const first: Migration = {
  version: 1,
  name: "first",
  async up(db, dialect) {
    await createMeta(db);
    await createIdentity(db);
    await createCalls(db, dialect);
    await createLedger(db, dialect);
    await createProofs(db);
    await guardLedger(db, dialect);
    if (dialect === "postgres") await separateWorkspaces(db, ownedTables);
  },
};

function json(dialect: Dialect) {
  return dialect === "postgres" ? "jsonb" : "text";
}

/** A table whose rows belong to a workspace and go with it. */
function owned(db: Kysely<unknown>, table: string): CreateTableBuilder<string, "workspace_id"> {
  return db.schema
    .createTable(table)
    .addColumn("workspace_id", "text", (column) => column.notNull().references("workspaces.workspace_id"));
}

async function createMeta(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("migrations")
    .addColumn("version", "integer", (column) => column.primaryKey())
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("applied_at", "text", (column) => column.notNull())
    .execute();
  await db.schema
    .createTable("workspaces")
    .addColumn("workspace_id", "text", (column) => column.primaryKey())
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("created_at", "text", (column) => column.notNull())
    .execute();
}

async function createIdentity(db: Kysely<unknown>): Promise<void> {
  await owned(db, "principals")
    .addColumn("id", "text", (column) => column.notNull())
    .addColumn("kind", "text", (column) => column.notNull())
    .addColumn("role", "text", (column) => column.notNull())
    .addColumn("active", "integer", (column) => column.notNull())
    .addColumn("name", "text")
    .addColumn("created_at", "text", (column) => column.notNull())
    .addColumn("row_hash", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("principals_pk", ["workspace_id", "id"])
    .addCheckConstraint("principals_role", sql`role in ('owner', 'admin', 'member', 'agent')`)
    .execute();
  await owned(db, "tokens")
    .addColumn("id", "text", (column) => column.notNull())
    .addColumn("principal_id", "text", (column) => column.notNull())
    .addColumn("hash", "text", (column) => column.notNull())
    .addColumn("role", "text", (column) => column.notNull())
    .addColumn("agent", "text")
    .addColumn("expires_at", "text")
    .addColumn("last_used_at", "text")
    .addColumn("revoked_at", "text")
    .addColumn("created_at", "text", (column) => column.notNull())
    .addColumn("row_hash", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("tokens_pk", ["workspace_id", "id"])
    .addUniqueConstraint("tokens_hash", ["workspace_id", "hash"])
    .addForeignKeyConstraint("tokens_principal", ["workspace_id", "principal_id"], "principals", [
      "workspace_id",
      "id",
    ])
    .execute();
}

async function createCalls(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await owned(db, "replays")
    .addColumn("key", "text", (column) => column.notNull())
    .addColumn("actor", "text", (column) => column.notNull())
    .addColumn("capability", "text", (column) => column.notNull())
    .addColumn("input_hash", "text", (column) => column.notNull())
    .addColumn("answer", json(dialect), (column) => column.notNull())
    .addColumn("created_at", "text", (column) => column.notNull())
    .addColumn("expires_at", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("replays_pk", ["workspace_id", "actor", "key"])
    .execute();
  await owned(db, "denials")
    .addColumn("actor", "text", (column) => column.notNull())
    .addColumn("capability", "text", (column) => column.notNull())
    .addColumn("code", "text", (column) => column.notNull())
    .addColumn("minute", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("denials_pk", ["workspace_id", "actor", "capability", "code", "minute"])
    .execute();
}

async function createLedger(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await owned(db, "ledger_events")
    .addColumn("seq", dialect === "postgres" ? "bigint" : "integer", (column) => column.notNull())
    .addColumn("id", "text", (column) => column.notNull())
    .addColumn("at", "text", (column) => column.notNull())
    .addColumn("actor", "text", (column) => column.notNull())
    .addColumn("acts_for", "text")
    .addColumn("run_id", "text")
    .addColumn("manifest", "text")
    .addColumn("kind", "text", (column) => column.notNull())
    .addColumn("capability", "text")
    .addColumn("subjects", json(dialect), (column) => column.notNull())
    .addColumn("outcome", "text", (column) => column.notNull())
    .addColumn("code", "text")
    .addColumn("rows", json(dialect), (column) => column.notNull())
    .addColumn("payload_hash", "text")
    .addColumn("prev_hash", "text", (column) => column.notNull())
    .addColumn("hash", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("ledger_events_pk", ["workspace_id", "seq"])
    .addUniqueConstraint("ledger_events_id", ["workspace_id", "id"])
    // What an agent does is always part of a run, whatever code path wrote it.
    .addCheckConstraint("ledger_events_run", sql`actor not like 'agent:%' or run_id is not null`)
    .execute();
  await owned(db, "payloads")
    .addColumn("hash", "text", (column) => column.notNull())
    .addColumn("media", "text", (column) => column.notNull())
    .addColumn("body", "text")
    .addColumn("created_at", "text", (column) => column.notNull())
    .addColumn("erased_at", "text")
    .addPrimaryKeyConstraint("payloads_pk", ["workspace_id", "hash"])
    .execute();
}

async function createProofs(db: Kysely<unknown>): Promise<void> {
  const seq = "bigint";
  await owned(db, "ledger_heads")
    .addColumn("seq", seq, (column) => column.notNull())
    .addColumn("hash", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("ledger_heads_pk", ["workspace_id"])
    .execute();
  await owned(db, "ledger_checkpoints")
    .addColumn("seq", seq, (column) => column.notNull())
    .addColumn("hash", "text", (column) => column.notNull())
    .addColumn("at", "text", (column) => column.notNull())
    .addColumn("key_id", "text", (column) => column.notNull())
    .addColumn("signature", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("ledger_checkpoints_pk", ["workspace_id", "seq", "at"])
    .execute();
}
