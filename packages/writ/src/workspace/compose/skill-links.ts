import type { Warning } from "../../contract/index.ts";

/** A link from a client's skills folder to the one physical copy. */
export interface SkillLink {
  path: string;
  /** Relative target, as it stands in the link. */
  target: string;
  skill: string;
}

export interface SkillLinkInput {
  /** `skillFolders` of the context plan. */
  folders: readonly string[];
  /** Folder names of the skills that stacks provide. */
  skills: readonly string[];
  /** What stands at a path, not following links. */
  found: (path: string) => "absent" | "folder" | "file" | { link: string };
  /** Links and copies that Writ made and recorded. */
  recorded: ReadonlySet<string>;
}

const shared = ".agents/skills";

/** Plans the links; a user's own entry is left standing, and a folder that is one link needs none inside. */
export function planSkillLinks({ folders, skills, found, recorded }: SkillLinkInput) {
  const links: SkillLink[] = [];
  const linked: string[] = [];
  const warnings: Warning[] = [];
  for (const folder of folders) {
    const up = "../".repeat(folder.split("/").length);
    const there = found(folder);
    if (typeof there === "object" && sameTarget(there.link, `${up.slice(3)}${shared}`)) {
      linked.push(folder);
      continue;
    }
    const shadowed: string[] = [];
    for (const skill of skills) {
      const link = { path: `${folder}/${skill}`, target: `${up}${shared}/${skill}`, skill };
      const entry = found(link.path);
      const ours = typeof entry === "object" && sameTarget(entry.link, link.target);
      if (entry === "absent" || ours || recorded.has(link.path)) links.push(link);
      else shadowed.push(skill);
    }
    if (shadowed.length > 0) warnings.push(shadowWarning(folder, shadowed));
  }
  return { links, linked, warnings };
}

function sameTarget(found: string, wanted: string): boolean {
  return found.replaceAll("\\", "/").replace(/^\.\//, "").replace(/\/$/, "") === wanted;
}

function shadowWarning(folder: string, skills: readonly string[]): Warning {
  return {
    code: "W_SKILL_SHADOWED",
    message: `In ${folder}, entries of yours stand where skills of stacks would be linked: ${skills.join(", ")}.`,
    remediation: "Rename or move them if the client should see the stack's skills instead.",
  };
}
