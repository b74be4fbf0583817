import type { SlotName } from "../../../contract/index.ts";
import type { AgentContext } from "../../compose/context-plan.ts";
import type { Source, Want } from "../sources.ts";

/** The schema words of workspace.yml, earliest first; workspace/1 is read as awac/1. */
export const schemaWords = ["awac/1", "awac/2", "writ/1"] as const;
export type SchemaWord = (typeof schemaWords)[number];

/** Where in a file something was declared. */
export interface DeclaredAt {
  pointer: string;
  line: number;
}

/** One entry of `stacks`, whatever form it was written in. */
export interface StackEntry {
  source: Source;
  want: Want;
  include?: string[];
  exclude?: string[];
  capabilitiesOnly: boolean;
  modules: string[];
  declaredAt: DeclaredAt;
}

export type CloneMode = "clone" | "sparse" | "submodule";

/** One entry of `extra_repos`. */
export interface ExtraRepo {
  org: string;
  repo: string;
  want: Want;
  path: string;
  mode: CloneMode;
  sparsePaths?: string[];
  declaredAt: DeclaredAt;
}

export interface PrivateOverlay {
  org: string;
  repo: string;
  want: Want;
  /** Folder inside the repository; absent for its root. */
  pathInRepo?: string;
  declaredAt: DeclaredAt;
}

/** workspace.yml, normalised: one shape for every form, every default filled in. */
export interface Manifest {
  schema: SchemaWord;
  name: string;
  stacks: StackEntry[];
  /** Top-level modules, cloned by the one convention the stacks declare. */
  modules: string[];
  extraRepos: ExtraRepo[];
  privateOverlay?: PrivateOverlay;
  /** Absent when the file has no block: then the registry's, else the built-in one. */
  agentContext?: AgentContext;
  worktrees: { baseDir: string; autoSyncOnCreate: boolean };
  workspaceRepo: {
    enabled: boolean;
    org?: string;
    name?: string;
    visibility: "private" | "internal" | "public";
  };
  product?: string;
  deployOverrides: Record<string, Record<string, unknown>>;
  devvaultOverrides: Record<string, string>;
  registry?: { source: Source; want: Want; declaredAt: DeclaredAt };
  /** The blocks of other parts as they stand in the file, without free keys; each owner reads its own. */
  blocks: Partial<Record<SlotName, unknown>>;
  notify?: string[];
  /** Where a pointer stands in the file. */
  locate(pointer: string): { line: number; column: number };
}
