import type { CloneMode, DeclaredAt, StackEntry } from "./model/manifest.ts";
import type { StackManifest } from "./model/stack-manifest.ts";
import type { Resolvable, Source, Want } from "./sources.ts";

/** One stack entry after its shortcut is known and its manifest read. */
export interface ResolvedStack {
  entry: StackEntry;
  /** The stack's id. */
  label: string;
  /** The entry's source with a shortcut replaced by what it names. */
  source: Resolvable;
  manifest: StackManifest;
}

/** One product repository the workspace declares, whoever declares it. */
export interface DeclaredRepo {
  /** Relative path of the clone, without a trailing slash. */
  path: string;
  source: Extract<Source, { kind: "repo" | "url" }>;
  want: Want;
  mode: CloneMode;
  sparsePaths?: string[];
  /** What the lock records: a stack id, `modules` or `extra_repos`. */
  from: string;
  /** The stack whose update moves it; absent for extra_repos. */
  stack?: string;
  declaredAt: DeclaredAt;
}
