import { canonicalJson, sha256Hex } from "../platform/index.ts";
import type { LedgerEvent } from "./event.ts";

/**
 * The hash of an event: SHA-256 over the 64 digits of `prev_hash` followed by the event's canonical JSON
 * (RFC 8785) without `hash`, as UTF-8.
 */
export function hashEvent(event: Omit<LedgerEvent, "hash"> & { hash?: string }): string {
  return sha256Hex(event.prev_hash + canonicalJson({ ...event, hash: undefined }));
}
