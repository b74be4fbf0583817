import type { ReasoningRecord, RecordSchema } from "../model/record.ts";
import { isOf } from "../model/is-of.ts";
import { Records } from "../records/records.ts";
import { factsOf, type IndexLine } from "./facts.ts";
import { readFolders, taskFolders } from "./read-records.ts";
import { digestOf, readRecord } from "./record-bytes.ts";
import { RecordIndex } from "./record-index.ts";

/**
 * Makes the index anew from the files alone: their names say the order. A file that is no sound record under the
 * name it has is left out, and the checks say so.
 */
export async function rebuildIndex(root: string): Promise<RecordIndex> {
  let schema: typeof RecordSchema | undefined;
  const found: { record: ReasoningRecord; digest: string }[] = [];
  for (const { task, bytes, named } of readFolders(root, await taskFolders(root))) {
    const read = named && readRecord(bytes.toString("utf8"));
    if (!read || "cause" in read) continue;
    const { record } = read;
    if (record.id !== named.id || record.seq !== named.seq || record.task !== task) continue;
    // Loaded with the first record: most workspaces have none.
    schema ??= (await import("../model/record.ts")).RecordSchema;
    if (schema.safeParse(record).success) found.push({ record, digest: digestOf(bytes) });
  }
  found.sort((a, b) => a.record.seq - b.record.seq);
  const records = new Records();
  const index = new RecordIndex();
  for (const { record, digest } of found) {
    if (record.seq === index.head.seq) continue;
    records.add(record);
    index.add(lineOf(record, { digest, records }));
  }
  return index;
}

/** The line of a record; `records` hold what it refers to. */
export function lineOf(
  record: ReasoningRecord,
  { digest, records }: { digest: string; records: Records },
): IndexLine {
  const { seq, id, task, body, recorded_at, act, capability } = record;
  const root = records.rootOf(body);
  const asked = body.kind === "consultation" ? records.find(body.dispatch) : undefined;
  return {
    seq,
    id,
    task,
    kind: body.kind,
    at: recorded_at,
    ...(root !== undefined && { root }),
    digest,
    act,
    capability,
    facts: factsOf(body, isOf(asked, "dispatch") ? asked.body.request_bytes : 0),
  };
}
