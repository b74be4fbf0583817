import type { ErrorCode } from "../../contract/index.ts";

/** What any command can meet that asks a source and writes the library. */
export const fetchErrors = [
  "NETWORK_ERROR",
  "E_OFFLINE_MISS",
  "E_BUDGET_EXCEEDED",
  "E_SOURCE_CANNOT",
  "E_LIMIT",
  "E_KEYCHAIN",
  "E_UNSAFE_LINK",
  "E_LIBRARY_MISSING",
  "E_LIBRARY_CORRUPT",
  "E_DUCKDB_UNAVAILABLE",
] as const satisfies readonly ErrorCode[];
