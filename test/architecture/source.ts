import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "rolldown/utils";

const root = join(import.meta.dirname, "../../packages/writ/src");

/** A node of a syntax tree, as far as these tests look at it. */
export interface Node {
  type: string;
  start: number;
  [field: string]: unknown;
}

/** One file of the program, as text and as a tree. */
export interface Source {
  /** Below packages/writ/src. */
  file: string;
  text: string;
  tree: Node;
}

/** The tree of one file. */
export function parsed(file: string, text: string): Source {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`);
  return { file, text, tree: program as unknown as Node };
}

/** Every file of the program that a person wrote, tests aside. */
export function sources(pattern = "**/*.ts"): Source[] {
  const files = globSync(pattern, { cwd: root }).filter(
    (file) => !/\.(test|fixture)\.ts$|^generated\//.test(file),
  );
  return files.toSorted().map((file) => parsed(file, readFileSync(join(root, file), "utf8")));
}

/** Visits a node and everything below it, with the nodes it stands in, nearest first. */
export function walk(node: Node, visit: (node: Node, above: readonly Node[]) => void): void {
  const go = (at: Node, above: readonly Node[]): void => {
    visit(at, above);
    for (const value of Object.values(at)) {
      for (const child of Array.isArray(value) ? value : [value]) {
        if (isNode(child)) go(child, [at, ...above]);
      }
    }
  };
  go(node, []);
}

/** The line a node begins on. */
export function lineOf({ text }: Source, node: Node): number {
  return text.slice(0, node.start).split("\n").length;
}

/** The name of an identifier or of a plain key; undefined for anything else. */
export function nameOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  const name = node.type === "Identifier" ? node.name : node.type === "Literal" ? node.value : undefined;
  return typeof name === "string" ? name : undefined;
}

export function isNode(value: unknown): value is Node {
  return value !== null && typeof value === "object" && typeof (value as Node).type === "string";
}
