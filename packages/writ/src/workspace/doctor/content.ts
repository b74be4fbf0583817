import { counted } from "../../platform/index.ts";
import { clients, type Client } from "../compose/clients.ts";
import { hiddenTextWarnings } from "../compose/hidden-text.ts";
import type { Changeset } from "../changeset/changeset.ts";
import { skillFindings, skillRules } from "../compose/skills.ts";
import { type CheckRow, type Finding, info, listed, ok, warn } from "./check.ts";
import { type Room, withChangeset } from "./room.ts";

/** What the stacks bring: skills, and text that is not what it seems. */
export const contentChecks: readonly CheckRow[] = [
  { id: "skills.rules", worst: "warn", workspace: true, look: lookAtSkills },
  { id: "clients.duplicates", worst: "info", workspace: true, look: lookAtDuplicates },
  { id: "content.hidden_text", worst: "warn", workspace: true, look: lookAtHiddenText },
];

async function lookAtSkills(room: Room): Promise<Finding> {
  return withChangeset(room, (changeset) => {
    const { skills } = skillFindings(changeset.compose.composition.files);
    const told = (level: "warn" | "info") =>
      skills.flatMap(({ name, problems }) => {
        const ids = new Set(problems.filter((problem) => problem.level === level).map(({ id }) => id));
        const rules = [...ids].map((id) => `${id} ${skillRules[id]}`);
        return rules.length > 0 ? [`${name} (${rules.join(", ")})`] : [];
      });
    const [wrong, long] = [told("warn"), told("info")];
    const remediation = "They work all the same; mend them in their stack";
    if (wrong.length > 0) return warn(`against the Agent Skills standard: ${listed(wrong)}`, { remediation });
    if (long.length > 0) return info(`longer than the standard advises: ${listed(long)}`, { remediation });
    return ok(counted(skills.length, "skill"));
  });
}

// Reads the second file only where the first is missing.
const readsFirstOnly = new Set(["opencode", "claude-code"]);

async function lookAtDuplicates(room: Room): Promise<Finding> {
  return withChangeset(room, ({ context }) => {
    const rows = clients.filter(({ id }) => context.clients.includes(id));
    const found = rows.flatMap((row) => [...twiceInstructed(row, context), ...twiceSkilled(row, context)]);
    if (found.length > 0)
      return info(found.join("; "), {
        remediation: "Name the one file or folder it should read in agent_context of workspace.yml",
      });
    return ok(
      rows.length === 0
        ? "no client is declared"
        : `${counted(rows.length, "client")}, each reads everything once`,
    );
  });
}

function twiceInstructed({ id, name, instructionFiles }: Client, context: Changeset["context"]): string[] {
  const read = instructionFiles.filter((file) => context.paths.includes(file));
  return read.length > 1 && !readsFirstOnly.has(id)
    ? [`${name} reads the same instructions from ${read.join(" and ")}`]
    : [];
}

function twiceSkilled(
  { name, skillsDir, alsoSkillsDirs = [] }: Client,
  context: Changeset["context"],
): string[] {
  const made = new Set([".agents/skills", ...context.skillFolders]);
  const read = [skillsDir, ...alsoSkillsDirs].filter((folder) => made.has(folder));
  return read.length > 1 ? [`${name} reads the same skills from ${read.join(" and ")}`] : [];
}

async function lookAtHiddenText(room: Room): Promise<Finding> {
  return withChangeset(room, ({ compose }) => {
    const found = hiddenTextWarnings(compose.composition.files.values());
    if (found.length === 0) return ok(`none in ${counted(compose.composition.files.size, "file")}`);
    return warn(listed(found.map(({ message }) => message.replace(/\.$/, ""))), {
      remediation: "Read those lines, and correct them in their stack",
    });
  });
}
