import type { SqlReader, SqlWriter } from "../contract/index.ts";
import { canonicalJson, formatInstant } from "../platform/index.ts";
import type { Store } from "../store/index.ts";
import { appendWitness } from "./checkpoint-file.ts";
import { type Head, lockHead, readHead } from "./head.ts";
import type { LedgerKey } from "./ledger-key.ts";

/** A signed statement that the chain of a workspace stood at this hash. */
export interface Checkpoint {
  workspace: string;
  seq: number;
  hash: string;
  at: string;
  key_id: string;
  signature: string;
}

/** Where checkpoints are kept besides the store, and with what they are signed; the key is read when needed. */
export interface Witness {
  /** The installation's state folder. */
  folder: string;
  key: () => Promise<LedgerKey>;
}

const everyEvents = 1000;
const everyMs = 60 * 60_000;

/** The bytes that a checkpoint's signature covers. */
export function signedText(checkpoint: Omit<Checkpoint, "signature">): string {
  const { workspace, seq, hash, at, key_id } = checkpoint;
  return canonicalJson({ workspace, seq, hash, at, key_id });
}

/** Signs where the chain stands when 1,000 events or an hour with events have passed; cheap when not due. */
export async function checkpointIfDue(store: Store, witness: Witness): Promise<Checkpoint | null> {
  return (await store.read(isDue)) ? makeCheckpoint(store, witness) : null;
}

/** Signs where the chain stands; null while it is empty, the same one again while nothing was added. */
export function makeCheckpoint(store: Store, witness: Witness): Promise<Checkpoint | null> {
  return store.write(async (db) => {
    const head = await lockHead(db);
    if (head.seq === 0) return null;
    const last = await lastCheckpoint(db);
    const key = await witness.key();
    if (last?.seq === head.seq && last.hash === head.hash && last.key_id === key.keyId) return last;
    const checkpoint = await sign(db, head, key);
    // The file first: a statement about a committed head is true, whether or not this transaction ends well.
    await appendWitness(witness.folder, { ...checkpoint, public_key: key.publicKey, place: db.place });
    const { workspace, ...columns } = checkpoint;
    await db
      .insertInto("ledger_checkpoints")
      .values({ workspace_id: workspace, ...columns })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return checkpoint;
  });
}

async function sign(db: SqlWriter, head: Head, key: LedgerKey): Promise<Checkpoint> {
  const at = formatInstant(await db.now());
  const said = { workspace: db.workspaceId, seq: head.seq, hash: head.hash, at, key_id: key.keyId };
  return { ...said, signature: key.sign(signedText(said)) };
}

async function isDue(db: SqlReader): Promise<boolean> {
  const head = await readHead(db);
  const last = await lastCheckpoint(db);
  if (head.seq === 0 || last?.seq === head.seq) return false;
  if (head.seq - (last?.seq ?? 0) >= everyEvents) return true;
  const since = last?.at ?? (await firstEventAt(db));
  return since !== undefined && (await db.now()) - Date.parse(since) >= everyMs;
}

/** The newest checkpoint of the workspace, as the store has it. */
async function lastCheckpoint(db: SqlReader): Promise<Checkpoint | undefined> {
  const row = await db
    .selectFrom("ledger_checkpoints")
    .selectAll()
    .where("workspace_id", "=", db.workspaceId)
    .orderBy("seq", "desc")
    .orderBy("at", "desc")
    .limit(1)
    .executeTakeFirst();
  if (!row) return undefined;
  const { workspace_id, ...columns } = row;
  return { workspace: workspace_id, ...columns };
}

/** All checkpoints of the workspace that the store has, oldest first. */
export async function storedCheckpoints(db: SqlReader): Promise<Checkpoint[]> {
  const rows = await db
    .selectFrom("ledger_checkpoints")
    .selectAll()
    .where("workspace_id", "=", db.workspaceId)
    .orderBy("seq")
    .orderBy("at")
    .execute();
  return rows.map(({ workspace_id, ...columns }) => ({ workspace: workspace_id, ...columns }));
}

async function firstEventAt(db: SqlReader): Promise<string | undefined> {
  const row = await db
    .selectFrom("ledger_events")
    .select("at")
    .where("workspace_id", "=", db.workspaceId)
    .where("seq", "=", 1)
    .executeTakeFirst();
  return row?.at;
}
