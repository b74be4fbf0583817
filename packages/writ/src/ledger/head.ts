import type { SqlReader, SqlWriter } from "../contract/index.ts";
import { genesisHash } from "./event.ts";

/** The end of a workspace's chain. */
export interface Head {
  seq: number;
  hash: string;
}

/** Where the chain ends now; seq 0 when nothing has happened. */
export async function readHead(db: SqlReader): Promise<Head> {
  const head = await db
    .selectFrom("ledger_heads")
    .select(["seq", "hash"])
    .where("workspace_id", "=", db.workspaceId)
    .executeTakeFirst();
  return head ? { ...head } : { seq: 0, hash: genesisHash };
}

/** The head, held until the transaction ends, so that two writers never share a position. */
export async function lockHead(db: SqlWriter): Promise<Head> {
  const locked = await selectHead(db);
  if (locked) return locked;
  // The first event of a workspace: whoever inserts the row first is waited for by the other.
  await db
    .insertInto("ledger_heads")
    .values({ workspace_id: db.workspaceId, seq: 0, hash: genesisHash })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (await selectHead(db)) ?? { seq: 0, hash: genesisHash };
}

/** Sets the head to the event just appended. */
export async function moveHead(db: SqlWriter, to: Head): Promise<void> {
  await db
    .updateTable("ledger_heads")
    .set({ seq: to.seq, hash: to.hash })
    .where("workspace_id", "=", db.workspaceId)
    .execute();
}

function selectHead(db: SqlWriter): Promise<Head | undefined> {
  const query = db
    .selectFrom("ledger_heads")
    .select(["seq", "hash"])
    .where("workspace_id", "=", db.workspaceId);
  // On SQLite the transaction holds the whole store already, and there is no such clause.
  return (db.dialect === "postgres" ? query.forUpdate() : query).executeTakeFirst();
}
