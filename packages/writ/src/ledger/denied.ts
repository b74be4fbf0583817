import type { SqlWriter } from "../contract/index.ts";
import { formatInstant } from "../platform/index.ts";
import { appendEvent } from "./append.ts";
import type { NewEvent, Position } from "./event.ts";

/** A refused call, as an event; the kind and the outcome are the ledger's to say. */
export type Denial = Omit<NewEvent, "kind" | "outcome" | "capability" | "code"> & {
  capability: string;
  code: string;
};

const lengthOfMinute = "2026-11-30T16:10".length;

/**
 * Records that a call was refused, once per caller, capability, code and minute: a caller who tries a
 * thousand times a second fills no ledger. Null when this minute has it already.
 */
export async function appendDenied(db: SqlWriter, denial: Denial): Promise<Position | null> {
  const minute = formatInstant(await db.now()).slice(0, lengthOfMinute);
  const told = await db
    .insertInto("denials")
    .values({
      workspace_id: db.workspaceId,
      actor: denial.actor,
      capability: denial.capability,
      code: denial.code,
      minute,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (told.numInsertedOrUpdatedRows !== 1n) return null;
  // Yesterday's minutes can no longer be repeated.
  await db
    .deleteFrom("denials")
    .where("workspace_id", "=", db.workspaceId)
    .where("minute", "<", minute)
    .execute();
  return appendEvent(db, { ...denial, kind: "call.denied", outcome: "denied" });
}
