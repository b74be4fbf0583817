import type { ErrorCode } from "../../contract/index.ts";
import { sourceErrors } from "./source-errors.ts";

/** What composing can fail with besides. */
export const composeErrors: readonly ErrorCode[] = [
  ...sourceErrors,
  "E_INVALID_VALUE",
  "E_CONFLICTING_INPUT",
  "E_UNSAFE_LINK",
  "E_HIDDEN_TEXT",
  "E_MARKERS_DAMAGED",
  "E_PATH_CONFLICT",
  "E_LOCAL_EDITS",
  "E_INPUT_CHANGED",
  "E_STORE_LOCKED",
];

/** And what lock and repositories add. */
export const bootstrapErrors: readonly ErrorCode[] = [
  ...composeErrors,
  "E_NOT_FOUND",
  "E_LOCK_OUTDATED",
  "E_WRONG_REMOTE",
];
