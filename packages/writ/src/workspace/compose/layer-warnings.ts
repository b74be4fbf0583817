import type { Warning } from "../../contract/index.ts";
import type { Asset } from "./assets.ts";

/** What is odd about composed files and worth telling, at most one warning a stack and a subject. */
export function layerWarnings(files: ReadonlyMap<string, Asset>): Warning[] {
  const assets = [...files.values()];
  return [
    ...mixedSkills(assets),
    ...byStack(
      assets.filter(({ facts }) => facts?.pointer),
      (stack, list) => ({
        code: "W_LFS_POINTER",
        message: `Stack ${stack} keeps files in git's large file storage; what was composed are pointers: ${list}.`,
        remediation: "Commit the files themselves to the stack if agents need them.",
      }),
    ),
    ...byStack(
      assets.filter(({ facts }) => facts?.frontMatter && facts.frontMatter.state !== "ok"),
      (stack, list) => ({
        code: "W_FRONTMATTER",
        message: `In stack ${stack} the front matter is missing or cannot be read, so file name and first heading stand in: ${list}.`,
        remediation:
          "Add a block of name, description and, for rules, trigger at the top of each file in the stack.",
      }),
    ),
  ];
}

function mixedSkills(assets: readonly Asset[]): Warning[] {
  const stacks = new Map<string, Set<string>>();
  for (const { path, origin } of assets) {
    const folder = /^\.agents\/skills\/[^/]+(?=\/)/.exec(path)?.[0];
    if (folder !== undefined) stacks.set(folder, (stacks.get(folder) ?? new Set()).add(origin.stack));
  }
  return [...stacks]
    .filter(([, from]) => from.size > 1)
    .map(([folder, from]) => ({
      code: "W_SKILL_MIXED",
      message: `The files of ${folder} come from several layers: ${[...from].toSorted().join(", ")}.`,
      remediation: "Give one of the two skills another folder name if they are not meant to be one.",
    }));
}

function byStack(assets: readonly Asset[], warn: (stack: string, list: string) => Warning): Warning[] {
  return [...Map.groupBy(assets, ({ origin }) => origin.stack)].map(([stack, group]) => {
    const list = group.map(({ path }) => path);
    const rest = list.length > 5 ? ` and ${list.length - 5} more` : "";
    return warn(stack, `${list.slice(0, 5).join(", ")}${rest}`);
  });
}
