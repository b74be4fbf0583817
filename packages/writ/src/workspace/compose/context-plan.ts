import { findClient, type Client, type NativeFormat } from "./clients.ts";

export type Mirror = string | { path: string; mode?: "copy" | "import" };
export type Extra = { path: string; header?: boolean } | { path: string; format: NativeFormat };

/** `agent_context` as a manifest or the registry writes it. */
export interface AgentContext {
  canonical?: string;
  mirrors?: readonly Mirror[];
  extras?: readonly Extra[];
  clients?: readonly string[];
  budget_bytes?: number;
}

/** The same, made whole: every file and folder that follows from it, each once. */
export interface ContextPlan {
  canonical: string;
  /** Mirrors and extras that hold the same text between the same markers. */
  copies: string[];
  /** Mirrors whose generated region is one line that imports the canonical file. */
  imports: string[];
  /** Extras without markers, owned as whole files. */
  plain: string[];
  /** Folders that get one native file a rule. */
  nativeRules: { format: NativeFormat; path: string }[];
  /** Folders that get a link for each skill. */
  skillFolders: string[];
  clients: string[];
  budgetBytes: number;
  /** Every context file, canonical first: canonical, copies, imports, plain. */
  paths: string[];
}

/** Chosen so that the region leaves room for notes under the strictest client's 32 KiB. */
const defaultBudgetBytes = 12_288;
const sharedSkills = ".agents/skills";

/** Makes `agent_context` whole; the block is taken as one, so a key it lacks has the built-in default. */
export function planContext(context: AgentContext = {}): ContextPlan {
  const rows = (context.clients ?? []).map(findClient);
  const canonical = context.canonical ?? "CLAUDE.md";
  const plan: ContextPlan = {
    canonical,
    copies: [],
    imports: [],
    plain: [],
    nativeRules: [],
    skillFolders: [],
    clients: rows.map((row) => row.id),
    budgetBytes: context.budget_bytes ?? defaultBudgetBytes,
    paths: [canonical],
  };
  for (const mirror of context.mirrors ?? ["AGENTS.md"]) {
    const { path, mode } = typeof mirror === "string" ? { path: mirror, mode: "copy" } : mirror;
    addFile(plan, path, mode === "import" ? plan.imports : plan.copies);
  }
  for (const extra of context.extras ?? []) {
    if ("format" in extra) addFolder(plan, extra.format, extra.path);
    else addFile(plan, extra.path, extra.header === false ? plan.plain : plan.copies);
  }
  for (const row of rows) addClient(plan, row);
  if (plan.paths.includes("CLAUDE.md")) addSkillFolder(plan, ".claude/skills");
  plan.paths = [canonical, ...plan.copies, ...plan.imports, ...plan.plain];
  return plan;
}

function addFile(plan: ContextPlan, path: string, list: string[]): void {
  if (plan.paths.includes(path)) return;
  plan.paths.push(path);
  list.push(path);
}

function addFolder(plan: ContextPlan, format: NativeFormat, folder: string): void {
  const path = folder.replace(/\/$/, "");
  if (!plan.nativeRules.some((known) => known.path === path && known.format === format)) {
    plan.nativeRules.push({ format, path });
  }
}

function addSkillFolder(plan: ContextPlan, folder: string): void {
  if (folder !== sharedSkills && !plan.skillFolders.includes(folder)) plan.skillFolders.push(folder);
}

function addClient(plan: ContextPlan, row: Client): void {
  const [first = "AGENTS.md"] = row.instructionFiles;
  // A second file that the client reads as well would be loaded twice.
  if (!row.instructionFiles.some((file) => plan.paths.includes(file))) addFile(plan, first, plan.copies);
  if (row.rulesFormat && row.rulesDir) addFolder(plan, row.rulesFormat, row.rulesDir);
  addSkillFolder(plan, row.skillsDir);
}
