import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { storing } from "../../platform/index.ts";
import { shippedFolder } from "../shipped/shipped-folder.ts";

/** A template that ships with Writ: no registry and no network is asked for it. */
export interface BuiltInTemplate {
  name: string;
  description: string;
  /** Path in the folder of templates. */
  file: string;
  /** Folders that are copied beside workspace.yml: name there -> path in the folder of templates. */
  folders: Readonly<Record<string, string>>;
  /** Files that are copied beside workspace.yml: name there -> path in the folder of templates. */
  files?: Readonly<Record<string, string>>;
}

export const builtInTemplates: readonly BuiltInTemplate[] = [
  { name: "writ/blank", description: "An empty workspace.", file: "blank.yml", folders: {} },
  {
    name: "writ/example",
    description: "A small workspace to try Writ in, with a stack of its own; works offline.",
    file: "example.yml",
    folders: { stack: "example-stack" },
  },
  {
    name: "writ/research",
    description: "A workspace for reading the literature, with a library and a demonstration; works offline.",
    file: "research.yml",
    folders: { demo: "research-demo" },
    files: { "equation.yml": "research-equation.yml" },
  },
  {
    name: "writ/team",
    description: "A team's workspace: one text for every agent client, the lock in version control.",
    file: "team.yml",
    folders: {},
  },
];

/** The built-in template of that name; `research` alone always means Writ's own. */
export function findBuiltIn(name: string): BuiltInTemplate | undefined {
  const full = name === "research" ? "writ/research" : name;
  return builtInTemplates.find((template) => template.name === full);
}

/** The text of a built-in template. */
export function readBuiltIn({ file }: BuiltInTemplate): Promise<string> {
  return storing(`templates/${file}`, () => readFile(join(shippedFolder("templates"), file), "utf8"));
}
