import type { ReasoningRecord, RecordOf, StoredBody } from "./record.ts";

/** Whether a record is of a kind. */
export function isOf<K extends StoredBody["kind"]>(
  record: ReasoningRecord | undefined,
  kind: K,
): record is RecordOf<K> {
  return record?.body.kind === kind;
}
