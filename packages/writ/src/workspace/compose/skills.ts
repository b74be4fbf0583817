import type { Warning } from "../../contract/index.ts";
import type { Asset } from "./assets.ts";
import type { FrontMatter } from "./front-matter.ts";

/** One finding against the Agent Skills standard. */
export interface SkillProblem {
  id: "SK1" | "SK2" | "SK3" | "SK4" | "SK5" | "SK6";
  level: "warn" | "info";
  message: string;
}

/** One skill folder, as `data.skills[]` shows it. */
export interface SkillReport {
  path: string;
  name: string;
  problems: SkillProblem[];
}

/** What each finding is about, in words. */
export const skillRules: Record<SkillProblem["id"], string> = {
  SK1: "front matter",
  SK2: "name pattern",
  SK3: "name differs from the folder",
  SK4: "description",
  SK5: "optional key",
  SK6: "length",
};

const maxLines = 500;
// About 5,000 tokens, at four characters a token.
const maxChars = 20_000;

/** Checks one SKILL.md against the standard; a skill is told what is wrong and never refused. */
export function skillProblems(folder: string, matter: FrontMatter, body: string): SkillProblem[] {
  const problems: SkillProblem[] = [];
  const warn = (id: SkillProblem["id"], message: string) => problems.push({ id, level: "warn", message });
  if (matter.state !== "ok")
    warn("SK1", `SKILL.md has no readable front matter: ${matter.message ?? matter.state}`);
  const { name, description } = matter.value;
  if (typeof name !== "string" || name.length > 64 || !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)) {
    warn("SK2", "name is not 1 to 64 lower-case letters and digits joined by single hyphens");
  }
  if (typeof name === "string" && name !== folder) warn("SK3", "name is not the name of the folder");
  if (typeof description !== "string" || description.trim() === "" || Array.from(description).length > 1024) {
    warn("SK4", "description is not text of 1 to 1,024 characters");
  }
  for (const message of optionalKeys(matter.value)) warn("SK5", message);
  const lines = body.split("\n").length;
  if (lines > maxLines || body.length > maxChars) {
    const message = `the body has ${lines} lines and ${body.length} characters; 500 lines and about 5,000 tokens are advised`;
    problems.push({ id: "SK6", level: "info", message });
  }
  return problems;
}

function optionalKeys(value: Record<string, unknown>): string[] {
  const messages: string[] = [];
  const { compatibility, metadata, license } = value;
  if (compatibility !== undefined && (typeof compatibility !== "string" || compatibility.length > 500)) {
    messages.push("compatibility is not text of at most 500 characters");
  }
  if (metadata !== undefined && !isTextToText(metadata)) messages.push("metadata does not map text to text");
  const tools = value["allowed-tools"];
  if (tools !== undefined && typeof tools !== "string") messages.push("allowed-tools is not text");
  if (license !== undefined && typeof license !== "string") messages.push("license is not text");
  return messages;
}

function isTextToText(value: unknown): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((text) => typeof text === "string");
}

/** All skills of a composition, with one warning for each stack that breaks the standard. */
export function skillFindings(files: ReadonlyMap<string, Asset>): {
  skills: SkillReport[];
  warnings: Warning[];
} {
  const found = [...skillFolders(files)].map(([name, { main, first }]) => ({
    stack: (main ?? first).origin.stack,
    report: reportOf(name, main),
  }));
  const skills = found.map(({ report }) => report);
  const byStack = Map.groupBy(found, ({ stack }) => stack);
  const warnings = [...byStack].flatMap(([stack, list]) =>
    warningOf(
      stack,
      list.map(({ report }) => report),
    ),
  );
  return { skills, warnings };
}

/** Skill folder -> its SKILL.md, and the first of its files in order. */
export function skillFolders(files: ReadonlyMap<string, Asset>): Map<string, { main?: Asset; first: Asset }> {
  const folders = new Map<string, { main?: Asset; first: Asset }>();
  for (const [path, asset] of files) {
    const [, name, rest] = /^\.agents\/skills\/([^/]+)\/(.+)$/.exec(path) ?? [];
    if (name === undefined) continue;
    const known = folders.get(name) ?? { first: asset };
    folders.set(name, rest === "SKILL.md" ? { ...known, main: asset } : known);
  }
  return folders;
}

function reportOf(name: string, main: Asset | undefined): SkillReport {
  const none: SkillProblem = { id: "SK1", level: "warn", message: "the folder has no SKILL.md" };
  const unread: SkillProblem = { id: "SK1", level: "warn", message: "SKILL.md is not text" };
  return {
    path: `.agents/skills/${name}`,
    name,
    problems: main ? (main.facts?.problems ?? [unread]) : [none],
  };
}

function warningOf(stack: string, reports: readonly SkillReport[]): Warning[] {
  const broken = reports.filter(({ problems }) => problems.some((one) => one.level === "warn"));
  if (broken.length === 0) return [];
  const warned = broken.flatMap(({ problems }) => problems.filter((one) => one.level === "warn"));
  const ids = [...new Set(warned.map((one) => one.id))].toSorted();
  const rules = ids.map((id) => `${id} ${skillRules[id]}`).join(", ");
  const names = broken.slice(0, 5).map((one) => one.name);
  const count = broken.length === 1 ? "1 skill breaks" : `${broken.length} skills break`;
  return [
    {
      code: "W_SKILL_RULES",
      message: `In stack ${stack}, ${count} the Agent Skills standard (${rules}): ${names.join(", ")}${broken.length > 5 ? ", …" : ""}.`,
      remediation: "They work all the same; mend them in the stack.",
    },
  ];
}
