import type { ErrorCode } from "../../contract/index.ts";

/** What reading the library can raise. */
export const readErrors: readonly ErrorCode[] = [
  "E_NO_WORKSPACE",
  "E_LIBRARY_MISSING",
  "E_LIBRARY_CORRUPT",
  "E_STORE_LOCKED",
  "E_UNSAFE_LINK",
  "E_DUCKDB_UNAVAILABLE",
];
