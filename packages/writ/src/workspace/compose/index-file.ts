import type { Facts } from "./context-types.ts";
import { repoLine, stackLine } from "./generated-text.ts";
import { inert } from "./inert.ts";
import type { Index, IndexEntry } from "./index-entries.ts";

export const indexPath = ".agents/INDEX.md";
export const privateIndexPath = ".agents/PRIVATE.md";

// The longest description the skill standard allows, and the longest path that is composed.
const descriptionChars = 1024;
const pathChars = 260;

/** The complete index of what stacks provide; it has no size limit and nothing of the overlay. */
export function renderIndex({ workspaceName, stacks, repos, index }: Facts): string {
  return printed([
    `# Index of workspace ${inert(workspaceName)}`,
    ...section("Stacks", stacks.map(stackLine)),
    ...section("Product repositories", repos.map(repoLine)),
    ...indexLines(index),
  ]);
}

/** The index of the private overlay, the only generated file that names what is in it. */
export function renderPrivateIndex({ workspaceName, index }: Pick<Facts, "workspaceName" | "index">): string {
  return printed([
    `# Private overlay of workspace ${inert(workspaceName)}`,
    "",
    "These files are yours alone and stand above all stacks. Name none of them in shared files.",
    ...indexLines(index),
  ]);
}

function indexLines({ rules, skills, workflows, agents }: Index): string[] {
  return [
    ...section("Rules", rules.map(ruleLine)),
    ...section(
      "Skills",
      skills.map((skill) => `- ${inert(skill.name)}${told(skill)} (${code(skill.path)})`),
    ),
    ...section(
      "Workflows",
      workflows.map((one) => `- ${code(one.path)}${told(one)}`),
    ),
    ...section(
      "Agents",
      agents.map((one) => `- ${code(one.path)}`),
    ),
  ];
}

function ruleLine(rule: IndexEntry): string {
  const when =
    rule.trigger === "glob"
      ? `glob ${inert((rule.globs ?? []).join(", "))}`
      : rule.trigger?.replace("_", " ");
  return `- ${code(rule.path)} (${when})${told(rule)}`;
}

function told({ description }: IndexEntry): string {
  const text = inert(description ?? "", descriptionChars);
  return text === "" ? "" : `: ${text}`;
}

function code(path: string): string {
  return `\`${inert(path, pathChars)}\``;
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ["", `## ${title}`, "", ...lines];
}

function printed(lines: readonly string[]): string {
  return `${lines.join("\n")}\n`;
}
