import type { ErrorCode } from "../../contract/index.ts";

/** What reading the declaration and reaching its sources can fail with. */
export const sourceErrors: readonly ErrorCode[] = [
  "E_INVALID_MANIFEST",
  "E_INVALID_SCHEMA",
  "E_SCHEMA_TOO_OLD",
  "E_INVALID_LOCK",
  "E_INVALID_STACK",
  "E_INVALID_REGISTRY",
  "E_INTEGRITY",
  "E_UNKNOWN_SHORTCUT",
  "E_UNKNOWN_STACK",
  "E_LAZY_STACK",
  "E_REPO_NOT_FOUND",
  "E_REF_NOT_FOUND",
  "E_REF_AMBIGUOUS",
  "E_COMMIT_GONE",
  "E_UNSAFE_PATH",
  "E_UNSAFE_URL",
  "E_LIMIT",
  "E_AUTH_REQUIRED",
  "E_TOOL_MISSING",
  "E_OFFLINE_MISS",
  "NETWORK_ERROR",
];
