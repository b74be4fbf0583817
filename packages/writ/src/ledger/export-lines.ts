import { canonicalJson } from "../platform/index.ts";
import type { Checkpoint } from "./checkpoint.ts";
import type { LedgerEvent } from "./event.ts";
import { keyIdOf } from "./ledger-key.ts";

/** The first line of an export: whose chain it is, which part, and how much follows. */
export interface ExportHeader {
  schema: "1";
  workspace: string;
  from: number;
  /** 0 when there are no events. */
  to: number;
  /** The hash of the event before the first; 64 zeros from the beginning. */
  prev_hash: string;
  checkpoints: number;
  /** Public keys by id: Ed25519, SPKI, base64. */
  public_keys: Record<string, string>;
}

/** One line of an export; the header first, then events, then checkpoints. */
export type ExportLine = { ledger: ExportHeader } | { event: LedgerEvent } | { checkpoint: Checkpoint };

/** A line as it is written: canonical JSON, so that every byte of a file can be checked. */
export function printLine(line: ExportLine): string {
  return `${canonicalJson(line)}\n`;
}

/** A line as it was read; undefined when it is not, byte for byte, what `printLine` gives. */
export function parseLine(
  text: string | null,
): Partial<Record<"ledger" | "event" | "checkpoint", unknown>> | undefined {
  if (text === null) return undefined;
  try {
    const line = JSON.parse(text) as Record<string, unknown> | null;
    const one = line !== null && typeof line === "object" && Object.keys(line).length === 1;
    return one && canonicalJson(line) === text ? line : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a header is one that Writ writes: its shape, and each key under its own name. */
export function isHeader(value: unknown): value is ExportHeader {
  const header = value as ExportHeader | null;
  if (typeof header !== "object" || header === null || header.schema !== "1") return false;
  const numbers = [header.from, header.to, header.checkpoints];
  if (!numbers.every((n) => Number.isSafeInteger(n) && n >= 0)) return false;
  if (typeof header.workspace !== "string" || !/^[0-9a-f]{64}$/.test(header.prev_hash)) return false;
  if (typeof header.public_keys !== "object" || header.public_keys === null) return false;
  return Object.entries(header.public_keys).every(([id, key]) => keyIdOf(key) === id);
}
