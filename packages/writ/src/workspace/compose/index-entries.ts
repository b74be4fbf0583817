import type { Warning } from "../../contract/index.ts";
import { compareBytes, type Asset, type Trigger } from "./assets.ts";
import { kindOf } from "./inspect.ts";
import { skillFolders } from "./skills.ts";

/** One rule, skill, workflow or agent, as an index lists it. Text is as the stack wrote it, not yet inert. */
export interface IndexEntry {
  /** In the workspace. */
  path: string;
  name: string;
  description?: string;
  trigger?: Trigger;
  globs?: readonly string[];
  asset: Asset;
}

/** What a composition offers to agents. */
export interface Index {
  /** Always-on first, then by path. */
  rules: IndexEntry[];
  skills: IndexEntry[];
  workflows: IndexEntry[];
  agents: IndexEntry[];
}

/** Lists what is among composed files: pass the shared ones, or the overlay's. */
export function indexOf(files: ReadonlyMap<string, Asset>): Index {
  const index: Index = { rules: [], skills: [], workflows: [], agents: [] };
  for (const [path, asset] of files) {
    const kind = kindOf(path);
    if (kind === "rule") index.rules.push(entryOf(path, asset));
    if (kind === "workflow") index.workflows.push(entryOf(path, asset));
    if (kind === "agent") index.agents.push(entryOf(path, asset));
  }
  for (const [folder, { main, first }] of skillFolders(files)) {
    const path = `.agents/skills/${folder}${main ? "/SKILL.md" : ""}`;
    index.skills.push({ ...entryOf(path, main ?? first), name: main?.facts?.name ?? folder });
  }
  for (const list of Object.values(index) as IndexEntry[][])
    list.sort((a, b) => compareBytes(a.path, b.path));
  const isAlwaysOn = (entry: IndexEntry) => entry.trigger === "always_on";
  index.rules = [...index.rules.filter(isAlwaysOn), ...index.rules.filter((entry) => !isAlwaysOn(entry))];
  return index;
}

function entryOf(path: string, asset: Asset): IndexEntry {
  const { name, description, trigger, globs } = asset.facts ?? {};
  return {
    path,
    name: name ?? (path.split("/").at(-1) ?? path).replace(/\.[^.]+$/, ""),
    ...(description !== undefined && { description }),
    ...(kindOf(path) === "rule" && { trigger: trigger ?? "always_on" }),
    ...(globs && { globs }),
    asset,
  };
}

/** Names the always-on rules among changed paths: they will steer every agent. */
export function alwaysOnChanged(rules: readonly IndexEntry[], changed: ReadonlySet<string>): Warning[] {
  const paths = rules
    .filter((rule) => rule.trigger === "always_on" && changed.has(rule.path))
    .map((rule) => rule.path);
  if (paths.length === 0) return [];
  return [
    {
      code: "W_ALWAYS_ON_CHANGED",
      message: `Rules that steer every agent are new or changed: ${paths.join(", ")}.`,
      remediation: "Read them: writ diff --update --patch",
    },
  ];
}
