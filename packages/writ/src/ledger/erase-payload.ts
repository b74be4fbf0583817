import type { SqlWriter } from "../contract/index.ts";
import { formatInstant } from "../platform/index.ts";
import { appendEvent } from "./append.ts";
import type { NewEvent, Position } from "./event.ts";

/**
 * Erases the content that events hold only the hash of, and appends `payload.redacted`, by which verify
 * knows that it was meant. The chain itself is not touched.
 */
export async function erasePayload(
  db: SqlWriter,
  hash: string,
  event: Pick<NewEvent, "id" | "actor" | "acts_for" | "subjects">,
): Promise<Position> {
  const erased_at = formatInstant(await db.now());
  await db
    .updateTable("payloads")
    .set({ body: null, erased_at })
    .where("workspace_id", "=", db.workspaceId)
    .where("hash", "=", hash)
    .execute();
  return appendEvent(db, { ...event, kind: "payload.redacted", outcome: "done", payload_hash: hash });
}
