import { dirname, posix, resolve, sep } from "node:path";
import { isDoor, layers, moduleOf, sourceRoot, vendors } from "../layers.ts";

/** The parts of the linter's plugin interface that these rules use. */
export interface RuleContext {
  filename: string;
  cwd: string;
  report(problem: { node: unknown; message: string }): void;
}

/** A file's path below packages/writ/src, or undefined when it lies elsewhere. */
export function belowSource(file: string, cwd: string): string | undefined {
  const root = resolve(cwd, sourceRoot) + sep;
  return file.startsWith(root) ? file.slice(root.length).split(sep).join("/") : undefined;
}

interface Import {
  from: string;
  specifier: string;
  typeOnly: boolean;
}

/** Why an import between two files of the source breaks the table, or undefined when it does not. */
function crossing(from: string, to: string): string | undefined {
  const [here, there] = [moduleOf(from), moduleOf(to)];
  if (here === there) return undefined;
  const allowed = layers[here];
  if (!allowed) return `src/${here}/ stands in no row of scripts/layers.ts; add it there first.`;
  if (!allowed.includes(there)) {
    const may = allowed.length > 0 ? allowed.join(", ") : "no other module";
    return `${here} may import ${may}; not ${there}. Call its capability through ctx.invoke, or move the code down.`;
  }
  if (!isDoor(to)) return `${there} is entered by its door src/${there}/index.ts, not by ${to}.`;
  return undefined;
}

/** What is wrong with one import, in a sentence that says where to go instead. */
function problemOf({ from, specifier, typeOnly }: Import): string | undefined {
  const isTest = from.endsWith(".test.ts");
  if (specifier.startsWith(".")) {
    const to = posix.join(dirname(from), specifier);
    if (!to.startsWith("../")) return crossing(from, to);
    const outside = "Source imports nothing outside packages/writ/src; only a test may, from test/.";
    return isTest && /^(\.\.\/)+test\//.test(to) ? undefined : outside;
  }
  for (const { name, home, instead } of vendors) {
    if (name.test(specifier) && !home.test(from)) return `${specifier} is not for ${from}: ${instead}.`;
  }
  // The first layer has no run-time dependency: it may name a package's types, never load it.
  if (moduleOf(from) === "contract" && !typeOnly && !isTest) {
    return `contract has no run-time dependency; import type from ${specifier}, or move the code to platform.`;
  }
  return undefined;
}

interface ImportNode {
  source?: { type?: string; value?: unknown; literal?: { value?: unknown } } | null;
  argument?: { literal?: { value?: unknown }; value?: unknown };
  importKind?: string;
  exportKind?: string;
}

/** The rule: layer direction, doors and vendors, for every form an import can take. */
export const layersRule = {
  create(context: RuleContext) {
    const from = belowSource(context.filename, context.cwd);
    if (from === undefined || from.startsWith("generated/")) return {};
    const check = (node: ImportNode, typeOnly = false): void => {
      const specifier = node.source?.value ?? node.source?.literal?.value ?? node.argument?.literal?.value;
      if (typeof specifier !== "string") return;
      const message = problemOf({ from, specifier, typeOnly });
      if (message) context.report({ node, message });
    };
    return {
      ImportDeclaration: (node: ImportNode) => check(node, node.importKind === "type"),
      ExportNamedDeclaration: (node: ImportNode) => check(node, node.exportKind === "type"),
      ExportAllDeclaration: (node: ImportNode) => check(node, node.exportKind === "type"),
      TSImportType: (node: ImportNode) => check(node, true),
      ImportExpression(node: ImportNode) {
        check(node);
        // A computed import would hide its target from this rule and from the bundler.
        if (typeof node.source?.value !== "string") {
          context.report({
            node,
            message: "import() takes a literal path, so that its layer can be checked.",
          });
        }
      },
    };
  },
};
