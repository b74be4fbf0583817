import type { ActRecord, Caller, Replay, SqlReader, SqlWriter } from "../contract/index.ts";
import { fail } from "../contract/index.ts";
import { formatInstant } from "../platform/index.ts";

// The contract promises a day; a caller that retries later than that has forgotten what it asked.
const replayMs = 24 * 60 * 60 * 1000;

/** Refuses a key that another call has used; keys that are older than promised are forgotten first. */
export async function refuseReuse(db: SqlWriter, record: ActRecord): Promise<void> {
  const key = record.replay?.key ?? "";
  await db
    .deleteFrom("replays")
    .where("workspace_id", "=", db.workspaceId)
    .where("expires_at", "<", formatInstant(await db.now()))
    .execute();
  if (await replayRow(db, record.caller.actor, key)) throw keyInUse();
}

/** The error of a call whose key another call used meanwhile. */
export function keyInUse() {
  return fail("E_STORE_LOCKED", {
    message: "Another call with the same idempotency key has just finished.",
    cause: "Two calls carried one key at the same time; the other one is done.",
    remediation: "Make the call again: it is answered with what the other one did.",
  });
}

/** Keeps the answer for the call's key; false when another call has just used it. */
export async function keepReplay(
  db: SqlWriter,
  record: ActRecord,
  result: Record<string, unknown>,
): Promise<boolean> {
  const { replay, caller } = record;
  if (!replay) return true;
  const now = await db.now();
  const kept = await db
    .insertInto("replays")
    .values({
      workspace_id: db.workspaceId,
      key: replay.key,
      actor: caller.actor,
      capability: record.capability,
      input_hash: replay.inputHash,
      answer: storedAnswer({ changed: true, dry_run: false, ...result }, replay.secrets),
      created_at: formatInstant(now),
      expires_at: formatInstant(now + replayMs),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning("key")
    .executeTakeFirst();
  return kept !== undefined;
}

/** Puts the finished answer in the place of what the commit kept. */
export async function keepAnswered(
  db: SqlWriter,
  { replay, caller, capability }: ActRecord,
  data: Record<string, unknown>,
): Promise<void> {
  if (!replay) return;
  await db
    .updateTable("replays")
    .set({ answer: storedAnswer(data, replay.secrets) })
    .where("workspace_id", "=", db.workspaceId)
    .where("actor", "=", caller.actor)
    .where("key", "=", replay.key)
    .where("capability", "=", capability)
    .where("input_hash", "=", replay.inputHash)
    .execute();
}

/** The answer without its secrets, as one JSON string: PostgreSQL would put an object's fields in another order. */
function storedAnswer(data: Record<string, unknown>, secrets: readonly string[]): string {
  const shown = Object.entries(data).filter(([field]) => !secrets.includes(field));
  return JSON.stringify(JSON.stringify(Object.fromEntries(shown)));
}

/** Reads also what earlier versions kept: the object itself. */
function readAnswer(stored: string): Record<string, unknown> {
  const told: unknown = JSON.parse(stored);
  return (typeof told === "string" ? JSON.parse(told) : told) as Record<string, unknown>;
}

/** What is kept for a key of this caller. */
export async function findReplay(db: SqlReader, caller: Caller, key: string): Promise<Replay | undefined> {
  const row = await replayRow(db, caller.actor, key);
  if (!row || row.expires_at < formatInstant(await db.now())) return undefined;
  return {
    capability: row.capability,
    inputHash: row.input_hash,
    data: readAnswer(row.answer),
  };
}

function replayRow(db: SqlReader, actor: string, key: string) {
  return db
    .selectFrom("replays")
    .selectAll()
    .where("workspace_id", "=", db.workspaceId)
    .where("actor", "=", actor)
    .where("key", "=", key)
    .executeTakeFirst();
}
