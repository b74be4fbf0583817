import { fail, nearest } from "../../contract/index.ts";

export type NativeFormat =
  | "cursor-rules-dir"
  | "claude-rules-dir"
  | "copilot-instructions-dir"
  | "windsurf-rules-dir";

/** An agent program that works in a workspace, and what it reads there. */
export interface Client {
  id: string;
  name: string;
  /** Read at the root; the first is the one Writ would add. */
  instructionFiles: readonly string[];
  /** Read only where none of the above exists, and not by every version. */
  fallbackFiles?: readonly string[];
  /** Wins over all others where a person made it. */
  overrideFile?: string;
  rulesDir?: string;
  /** How rules are written there; absent where the client reads them as they are, or needs none. */
  rulesFormat?: NativeFormat;
  skillsDir: string;
  alsoSkillsDirs?: readonly string[];
  userSkillsDir?: string;
  /** In words, for `skill providers`. */
  limits: string;
  /** Above it the client drops the rest of an instruction file. */
  cutsAtBytes?: number;
  checkedOn: string;
}

const agentsSkills = ".agents/skills";
const checkedOn = "2026-11";

/** A client that reads AGENTS.md and, where it knows skills, those of `.agents/skills`. */
function plainClient(id: string, name: string): Client {
  return {
    id,
    name,
    instructionFiles: ["AGENTS.md"],
    skillsDir: agentsSkills,
    limits: "none stated",
    checkedOn,
  };
}

/** The client table: a client is added by adding a row. */
export const clients: readonly Client[] = [
  {
    id: "claude-code",
    name: "Claude Code",
    instructionFiles: ["CLAUDE.md", ".claude/CLAUDE.md"],
    fallbackFiles: ["AGENTS.md"],
    rulesDir: ".claude/rules",
    rulesFormat: "claude-rules-dir",
    skillsDir: ".claude/skills",
    userSkillsDir: "~/.claude/skills",
    limits: "warns at 40,000 characters, cuts nothing",
    checkedOn,
  },
  {
    id: "codex",
    name: "Codex",
    instructionFiles: ["AGENTS.md"],
    overrideFile: "AGENTS.override.md",
    skillsDir: agentsSkills,
    userSkillsDir: "~/.agents/skills",
    limits: "32,768 bytes for all instruction files together; the deepest is cut without notice",
    cutsAtBytes: 32_768,
    checkedOn,
  },
  {
    id: "cursor",
    name: "Cursor",
    instructionFiles: ["AGENTS.md", ".cursorrules"],
    rulesDir: ".cursor/rules",
    rulesFormat: "cursor-rules-dir",
    skillsDir: agentsSkills,
    alsoSkillsDirs: [".cursor/skills", ".claude/skills"],
    limits: "advice: 500 lines a rule",
    checkedOn,
  },
  {
    id: "gemini-cli",
    name: "Gemini CLI",
    instructionFiles: ["GEMINI.md"],
    skillsDir: agentsSkills,
    alsoSkillsDirs: [".gemini/skills"],
    userSkillsDir: "~/.gemini/skills",
    limits: "none stated",
    checkedOn,
  },
  {
    id: "copilot",
    name: "GitHub Copilot",
    instructionFiles: ["AGENTS.md", ".github/copilot-instructions.md", "CLAUDE.md", "GEMINI.md"],
    rulesDir: ".github/instructions",
    rulesFormat: "copilot-instructions-dir",
    skillsDir: agentsSkills,
    alsoSkillsDirs: [".github/skills", ".claude/skills"],
    limits: "advice: code review has read 4,000 characters only",
    checkedOn,
  },
  {
    id: "opencode",
    name: "OpenCode",
    instructionFiles: ["AGENTS.md", "CLAUDE.md"],
    skillsDir: agentsSkills,
    alsoSkillsDirs: [".opencode/skills", ".claude/skills"],
    userSkillsDir: "~/.config/opencode/skills",
    limits: "none stated",
    checkedOn,
  },
  {
    id: "windsurf",
    name: "Windsurf",
    instructionFiles: ["AGENTS.md"],
    rulesDir: ".windsurf/rules",
    rulesFormat: "windsurf-rules-dir",
    skillsDir: ".windsurf/skills",
    limits: "12,000 characters a rule file",
    checkedOn,
  },
  {
    id: "antigravity",
    name: "Antigravity",
    instructionFiles: ["AGENTS.md"],
    rulesDir: ".agents/rules",
    skillsDir: agentsSkills,
    limits: "none stated",
    checkedOn,
  },
  plainClient("amp", "Amp"),
  plainClient("zed", "Zed"),
  plainClient("aider", "Aider"),
  plainClient("jules", "Jules"),
];

/** The row of a client; throws E_UNKNOWN_CLIENT with the list. */
export function findClient(id: string): Client {
  const found = clients.find((client) => client.id === id);
  if (found) return found;
  const known = clients.map((client) => client.id);
  const near = nearest(id, known);
  throw fail("E_UNKNOWN_CLIENT", {
    message: `No client is named "${id}".`,
    cause: `Known clients: ${known.join(", ")}.`,
    remediation: near
      ? `Did you mean "${near}"? All rows: writ skill providers`
      : "See the rows: writ skill providers",
    details: { client: id, known },
  });
}

/** The clients that read a file at this path as instructions. */
export function readersOf(path: string): Client[] {
  return clients.filter((client) => client.instructionFiles.includes(path));
}
