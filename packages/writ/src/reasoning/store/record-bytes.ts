import { sha256Hex } from "../../platform/index.ts";
import type { ReasoningRecord } from "../model/record.ts";

/** The bytes of a record: sorted keys, two spaces, a line end at the end. */
export function recordText(record: ReasoningRecord): string {
  return `${JSON.stringify(sorted(record), null, 2)}\n`;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const object = value as Record<string, unknown>;
  return Object.fromEntries(
    Object.keys(object)
      .sort()
      .map((key) => [key, sorted(object[key])]),
  );
}

/** Why a file of a record's name is not part of the state. */
export type UnreadableCause = "unparsable" | "version" | "digest" | "not_in_index" | "missing" | "denied";

/** What the bytes of a file hold: a record of this version, or why not. */
export function readRecord(text: string): { record: ReasoningRecord } | { cause: "unparsable" | "version" } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { cause: "unparsable" };
  }
  const found = value as Partial<ReasoningRecord> | null;
  if (typeof found !== "object" || found === null || found.schema !== "writ/reasoning-record")
    return { cause: "unparsable" };
  if (found.version !== 1) return { cause: "version" };
  const sound =
    typeof found.id === "string" &&
    typeof found.seq === "number" &&
    typeof found.task === "string" &&
    typeof found.body === "object" &&
    found.body !== null &&
    typeof found.body.kind === "string";
  return sound ? { record: found as ReasoningRecord } : { cause: "unparsable" };
}

export const digestOf = (bytes: Uint8Array | string): string => sha256Hex(bytes);
