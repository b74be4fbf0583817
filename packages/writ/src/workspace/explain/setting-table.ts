import { builtInRegistry } from "../sources/named-registry.ts";
import { defaultBase } from "../declare/sources.ts";

/** One setting a reader may ask for, and everybody who may give it. */
export interface SettingRow {
  key: string;
  /** Path of its field in workspace.yml. */
  manifest?: readonly string[];
  /** The block of workspace.yml that is taken whole: when it is there, the registry's counts for nothing. */
  block?: string;
  env?: string;
  /** A switch of the environment. */
  isSwitch?: true;
  /** A number of the environment. */
  isNumber?: true;
  /** Field of the lock's registry. */
  lock?: "registry";
  /** Field of the registry's own agent_context. */
  registry?: "canonical" | "mirrors" | "extras" | "clients" | "budget_bytes";
  builtIn?: unknown;
}

const context = (key: string, registry: SettingRow["registry"], builtIn: unknown): SettingRow => ({
  key: `agent_context.${key}`,
  manifest: ["agent_context", key],
  block: "agent_context",
  registry,
  builtIn,
});

const field = (key: string, builtIn?: unknown): SettingRow => ({
  key,
  manifest: key.split("."),
  ...(builtIn !== undefined && { builtIn }),
});

/** Every setting that `explain` knows; where it comes from is the same for all of them, highest first. */
export const settingTable: readonly SettingRow[] = [
  field("name"),
  field("schema", "awac/1"),
  field("product"),
  {
    key: "registry",
    manifest: ["registry"],
    lock: "registry",
    env: "WRIT_REGISTRY",
    builtIn: builtInRegistry,
  },
  context("canonical", "canonical", "CLAUDE.md"),
  context("mirrors", "mirrors", ["AGENTS.md"]),
  context("extras", "extras", []),
  context("clients", "clients", []),
  context("budget_bytes", "budget_bytes", 12_288),
  field("worktrees.base_dir", ".worktrees"),
  field("worktrees.auto_sync_on_create", true),
  field("workspace_repo.enabled", false),
  field("workspace_repo.org"),
  field("workspace_repo.name"),
  field("workspace_repo.visibility", "private"),
  field("notify"),
  { key: "git_base", env: "WRIT_GIT_BASE", builtIn: defaultBase },
  { key: "git_protocols", env: "WRIT_GIT_PROTOCOLS", builtIn: "https,ssh,file" },
  { key: "git_timeout", env: "WRIT_GIT_TIMEOUT", isNumber: true, builtIn: 300 },
  { key: "jobs", env: "WRIT_JOBS", isNumber: true, builtIn: 8 },
  { key: "offline", env: "WRIT_OFFLINE", isSwitch: true, builtIn: false },
  { key: "cache_dir", env: "WRIT_CACHE_DIR", builtIn: "the platform's cache folder + /writ" },
];
