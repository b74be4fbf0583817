import type { AssetFacts, Trigger } from "./assets.ts";
import { firstHeading, readFrontMatter, type FrontMatter } from "./front-matter.ts";
import { isText } from "../swap/hashes.ts";
import { findHiddenText } from "./hidden-text.ts";
import { skillProblems } from "./skills.ts";

/** What a Markdown asset is, by its path inside a stack (or, behind `.agents/`, in the workspace). */
export function kindOf(path: string): "rule" | "skill" | "workflow" | "agent" | undefined {
  const [folder, second, third, ...deeper] = path.replace(/^\.agents\//, "").split("/");
  if (folder === "skills") return second && third === "SKILL.md" && deeper.length === 0 ? "skill" : undefined;
  if (folder === "agents") return second ? "agent" : undefined;
  if (!/\.(?:md|mdc|markdown)$/i.test(path)) return undefined;
  if (folder === "rules") return "rule";
  return folder === "workflows" ? "workflow" : undefined;
}

const pointer = "version https://git-lfs.github.com/spec/";

/** Reads once, while the bytes stream by, all that composing will need of them later. */
export function inspectAsset(path: string, bytes: Buffer): AssetFacts {
  if (bytes.length < 1024 && bytes.toString("latin1", 0, pointer.length) === pointer)
    return { pointer: true };
  if (!isText(bytes)) return {};
  const hidden = findHiddenText(bytes);
  const facts: AssetFacts = hidden.length > 0 ? { hidden } : {};
  const kind = kindOf(path);
  if (kind === undefined || kind === "agent") return facts;
  const matter = readFrontMatter(bytes);
  const body = bytes.toString("utf8", matter.bodyStart);
  const { name, description } = matter.value;
  facts.frontMatter = {
    state: matter.state,
    ...(matter.message !== undefined && { message: matter.message }),
  };
  facts.bodyStart = matter.bodyStart;
  if (typeof name === "string" && name.trim() !== "") facts.name = name;
  const told =
    typeof description === "string" && description.trim() !== "" ? description : firstHeading(body);
  if (told !== undefined) facts.description = told;
  if (kind === "rule") Object.assign(facts, ruleFacts(matter));
  if (kind === "skill") facts.problems = skillProblems(path.split("/").at(-2) ?? "", matter, body);
  return facts;
}

const triggers: readonly Trigger[] = ["always_on", "glob", "model_decision", "manual"];

function ruleFacts({ value }: FrontMatter): Pick<AssetFacts, "trigger" | "globs"> {
  // An unknown word must not silence a rule that may be about safety.
  const trigger = triggers.find((known) => known === value["trigger"]) ?? "always_on";
  const globs = globsOf(value["globs"]);
  return { trigger, ...(globs.length > 0 && { globs }) };
}

function globsOf(value: unknown): string[] {
  const list = Array.isArray(value) ? value : typeof value === "string" ? splitOutsideBraces(value) : [];
  return list
    .filter((glob): glob is string => typeof glob === "string")
    .map((glob) => glob.trim())
    .filter(Boolean);
}

/** Splits at commas, but not at those of `*.{ts,tsx}`. */
function splitOutsideBraces(text: string): string[] {
  const parts = [""];
  let depth = 0;
  for (const char of text) {
    if (char === "{") depth++;
    if (char === "}") depth = Math.max(0, depth - 1);
    if (char === "," && depth === 0) parts.push("");
    else parts[parts.length - 1] += char;
  }
  return parts;
}
