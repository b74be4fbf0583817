/** A remark beside a result; it changes no exit code. */
export interface Warning {
  code: WarningCode;
  message: string;
  remediation?: string;
}

/** The one list of warnings, each with its condition. */
export const warningCatalogue = {
  W_WORKSPACE_WALKUP: "The workspace was found by walking up from the current folder.",
  W_REPLAYED: "The answer is the one stored for this idempotency key; secret fields are left out.",
  W_KEY_FILE: "No keychain was found, so the key is kept in a file only you can read.",
  W_SCHEMA_MISSING: "workspace.yml declares no schema; awac/1 is assumed.",
  W_NAME_STYLE: "The workspace's name is not in the style writ/1 asks for.",
  W_STACK_UNKNOWN_KEY: "A stack's awac.yml has keys that Writ does not know.",
  W_LOCK_UPGRADED: "An AWaC lock was rewritten in Writ's format.",
  W_REGISTRY_FROM_LOCK: "WRIT_REGISTRY differs from the lock's registry and was ignored.",
  W_CACHED_REFS: "The remote was not asked; the refs are those the cache saw last.",
  W_TAG_MOVED: "A tag points elsewhere than the lock says.",
  W_LOCAL_DIRTY: "A local stack has uncommitted changes, which are not used.",
  W_BUILTIN_TEMPLATE: "No stack registry was in reach; a built-in template was used.",
  W_STACK_LINK: "Links or submodules of a stack were skipped.",
  W_LFS_POINTER: "A large-file pointer was composed as it is.",
  W_SKILL_MIXED: "The files of one skill come from several layers.",
  W_SKILL_RULES: "Skills break the Agent Skills standard.",
  W_SKILL_SHADOWED: "A skill of yours stands where a stack's would be linked.",
  W_FRONTMATTER: "Front matter could not be read.",
  W_HIDDEN_TEXT: "Text holds characters a reader cannot see.",
  W_ALWAYS_ON_CHANGED: "Rules that steer every agent are new or changed.",
  W_INDEX_SHORTENED: "The index in the context file was shortened to its budget.",
  W_CONTEXT_LARGE: "A context file is large.",
  W_CONTEXT_CUT: "A client will cut a context file.",
  W_NOTES_CONFLICT: "Context files hold different notes.",
  W_EDITS_KEPT: "Files you edited were kept.",
  W_CONFLICT: "Files changed both here and in their stack; yours were kept.",
  W_STATE_REBUILT: "The record of what was composed was unreadable and has been set aside.",
  W_PENDING_SWAP: "An interrupted run is waiting to be completed.",
  W_REPO_KEPT: "A repository could not be fast-forwarded and was kept.",
  W_ORPHANS: "Repositories cloned earlier are no longer declared.",
  W_OVERLAY_UNAVAILABLE: "The private overlay cannot be reached.",
  W_NOT_COMMITTED: "The changed files were not committed.",
  W_TRACKED_GENERATED: "git tracks a generated file.",
  W_METADATA_EDITED: "A copy under .stack/ was edited and is not used.",
  W_LEDGER_OWED: "The change is done; its ledger event will be appended by the next writer.",
} as const;

export type WarningCode = keyof typeof warningCatalogue;
