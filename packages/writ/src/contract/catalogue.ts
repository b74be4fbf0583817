import type { Category } from "./exit-codes.ts";

/** One entry of the error catalogue: what the code means, wherever it is raised. */
export interface ErrorEntry {
  category: Category;
  /** The one condition, in a sentence. */
  when: string;
  /** True when the same call may succeed later without a change. */
  retryable?: true;
}

const entries = {
  USAGE_ERROR: { category: "usage", when: "The call is malformed." },
  E_MISSING_INPUT: { category: "usage", when: "A needed input is absent." },
  E_CONFLICTING_INPUT: { category: "usage", when: "Inputs that exclude each other were given." },
  E_INVALID_NAME: { category: "usage", when: "A name breaks its pattern." },
  E_NO_WORKSPACE: { category: "usage", when: "No workspace.yml was found." },
  E_UNKNOWN_TOPIC: { category: "usage", when: "No guide has that name." },
  E_UNKNOWN_SCHEMA: { category: "usage", when: "No document kind has that name." },
  E_UNKNOWN_STACK: { category: "usage", when: "The workspace has no stack of that id." },
  E_UNKNOWN_CLIENT: { category: "usage", when: "The client table has no such row." },
  E_PUBLIC_REFUSED: {
    category: "usage",
    when: "A host that is not loopback was asked for without --public.",
  },
  INTERNAL_ERROR: { category: "internal", when: "A defect in Writ." },
  DATA_ERROR: { category: "data", when: "What was given or found is invalid." },
  E_INVALID_VALUE: { category: "data", when: "A value parses but lies outside its bound." },
  E_LIMIT: { category: "data", when: "A size, depth or count bound was exceeded." },
  E_NOT_FOUND: { category: "data", when: "What was named is unknown, or not visible to the caller." },
  E_INVALID_MANIFEST: { category: "data", when: "workspace.yml has problems." },
  E_INVALID_SCHEMA: { category: "data", when: "workspace.yml names an unknown schema." },
  E_SCHEMA_TOO_OLD: { category: "data", when: "A field needs a later schema than the file declares." },
  E_INVALID_STACK: { category: "data", when: "A stack's awac.yml is broken." },
  E_INVALID_REGISTRY: { category: "data", when: "The stack registry's awac.yml is broken or missing." },
  E_INVALID_LOCK: { category: "data", when: "workspace.lock.yml cannot be read." },
  E_INTEGRITY: { category: "data", when: "Content differs from the lock at the same commit." },
  E_UNKNOWN_SHORTCUT: { category: "data", when: "The registry declares no such shortcut." },
  E_UNKNOWN_TEMPLATE: { category: "data", when: "No template has that name." },
  E_LAZY_STACK: { category: "data", when: "A shortcut's repository does not exist." },
  E_REPO_NOT_FOUND: { category: "data", when: "A repository does not exist." },
  E_REF_NOT_FOUND: { category: "data", when: "A branch or tag does not exist." },
  E_REF_AMBIGUOUS: { category: "data", when: "A ref names both a branch and a tag." },
  E_COMMIT_GONE: { category: "data", when: "A pinned commit is on no branch or tag." },
  E_MARKERS_DAMAGED: { category: "data", when: "The markers of a generated region are damaged." },
  E_DRIFT: { category: "data", when: "A check found that files differ from what was composed." },
  E_DOCTOR_FAILED: { category: "data", when: "At least one check of the doctor failed." },
  E_AUTH_REQUIRED: { category: "auth", when: "Authority must be shown first." },
  E_UNSAFE_PATH: { category: "policy", when: "A path leaves the place it must stay in." },
  E_UNSAFE_URL: { category: "policy", when: "A URL could run code or carries a secret." },
  E_UNSAFE_LINK: { category: "policy", when: "A symbolic link stands where Writ would write." },
  E_HIDDEN_TEXT: { category: "policy", when: "Text holds characters a reader cannot see." },
  E_CONFIRMATION_REQUIRED: { category: "policy", when: "A person must confirm first." },
  E_HUMAN_REQUIRED: { category: "policy", when: "Only a person may do this." },
  E_ROLE_REQUIRED: { category: "policy", when: "The caller's role does not allow this." },
  E_LAST_OWNER: { category: "policy", when: "The last active owner would be removed." },
  E_ORIGIN_REFUSED: { category: "policy", when: "The request's Host or Origin is not this server's." },
  E_EXISTS: { category: "conflict", when: "The target exists and differs." },
  E_PATH_CONFLICT: { category: "conflict", when: "Two owners claim one path." },
  E_WRONG_REMOTE: { category: "conflict", when: "Another repository stands at a declared path." },
  E_LOCAL_EDITS: { category: "conflict", when: "Local edits conflict and --strict was given." },
  E_LOCK_OUTDATED: { category: "conflict", when: "The lock does not answer workspace.yml." },
  E_INPUT_CHANGED: { category: "conflict", when: "Inputs changed during the run, twice.", retryable: true },
  E_CANCELLED: { category: "conflict", when: "The caller gave the call up.", retryable: true },
  E_DEADLINE: { category: "conflict", when: "The call ran out of its own time.", retryable: true },
  DEPENDENCY_ERROR: { category: "dependency", when: "A needed program or service failed." },
  E_TOOL_MISSING: { category: "dependency", when: "A needed program is absent or too old." },
  E_PORT_IN_USE: { category: "dependency", when: "Another program listens on the port." },
  E_KEYCHAIN: { category: "dependency", when: "The operating system's keychain refused." },
  NETWORK_ERROR: { category: "network", when: "Another machine failed or refused.", retryable: true },
  E_OFFLINE_MISS: { category: "network", when: "Offline, and what is needed is not in the cache." },
  STORE_ERROR: { category: "store", when: "Writ's own state cannot be read or written." },
  E_STORE_LOCKED: { category: "store", when: "Another process holds a lock.", retryable: true },
  E_STORE_PARENT_GONE: { category: "store", when: "The workspace this worktree belongs to is gone." },
  E_STORE_NEWER: { category: "store", when: "The store was written by a newer Writ." },
  E_STORE_OUTDATED: { category: "store", when: "The store must be migrated before it is read." },
  E_LEDGER_BROKEN: { category: "store", when: "The ledger does not verify." },
} satisfies Record<string, ErrorEntry>;

/** A code of the catalogue; no other code leaves Writ. */
export type ErrorCode = keyof typeof entries;

/** The one catalogue of errors: every code, its category and its condition. */
export const catalogue: Readonly<Record<ErrorCode, ErrorEntry>> = entries;
