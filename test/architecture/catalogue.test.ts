import { expect, test } from "vitest";
import {
  catalogue,
  environmentVariables,
  exitCodeOf,
  exitCodes,
  warningCatalogue,
} from "../../packages/writ/src/contract/index.ts";
import { commands } from "../../packages/writ/src/generated/commands.ts";
import { manual } from "../../packages/writ/src/generated/manual.ts";
import { commonFlags } from "../../packages/writ/src/surfaces/cli/common-flags.ts";
import { isNode, nameOf, type Node, parsed, type Source, sources, walk } from "./source.ts";

/** Codes whose command is still to come. Each leaves this list with the command that raises it. */
const notYetRaised = ["W_METADATA_EDITED"];

/** Variables whose reader is still to come. */
const notYetRead: string[] = [];

const code = /^(?:[EW]_[A-Z][A-Z_]*|[A-Z]+_ERROR)$/;
/** Where codes are declared, and where every one of them is named only to be described. */
const declares = new Set(["contract/catalogue.ts", "contract/warnings.ts"]);

/** The codes that a file raises: those it names other than to compare, to declare or to type. */
function raisedIn(source: Source): string[] {
  if (declares.has(source.file)) return [];
  const found: string[] = [];
  walk(source.tree, (node, above) => {
    const text = node.type === "Literal" ? node.value : undefined;
    if (typeof text === "string" && code.test(text) && !isMention(node, above)) found.push(text);
  });
  return found;
}

function isMention(node: Node, above: readonly Node[]): boolean {
  const [parent] = above;
  if (parent?.type === "BinaryExpression" || parent?.type === "TSLiteralType") return true;
  if (parent?.type === "SwitchCase" && parent.test === node) return true;
  // `errors: [...]` of a declaration, and the lists of that name that it is made from.
  return above.some((one) => {
    const name =
      one.type === "Property" ? nameOf(one.key) : one.type === "VariableDeclarator" ? nameOf(one.id) : "";
    return /^(errors|\w+Errors)$/.test(name ?? "");
  });
}

/** The variables a file reads through its settings, or offers a flag for. */
function readIn(source: Source): string[] {
  const found: string[] = [];
  walk(source.tree, (node) => {
    if (node.type === "CallExpression" && isNode(node.callee)) {
      const method = nameOf(node.callee.property) ?? nameOf(node.callee);
      const [first] = node.arguments as Node[];
      const name = first && nameOf(first);
      if ((method === "env" || method === "isOn") && name?.startsWith("WRIT_")) found.push(name);
    }
    // A table of settings names its variable in a column.
    if (node.type === "Property" && /^(?:\w+_)?env$/.test(nameOf(node.key) ?? "")) {
      const name = nameOf(node.value);
      if (name?.startsWith("WRIT_") && !isFlag(source)) found.push(name);
    }
  });
  return found;
}

/** A flag's metadata says which variable stands in for it; it reads none. */
function isFlag({ file }: Source): boolean {
  return file.includes("/capabilities/") || file.endsWith("common-flags.ts") || file.endsWith("run-input.ts");
}

const all = sources();
const raised = new Set(all.flatMap(raisedIn));
const sorted = (names: Iterable<string>): string[] => [...new Set(names)].toSorted();

test("CT-7, WS-131: every code of the catalogue is raised somewhere, but for those still to come", () => {
  const never = Object.keys(catalogue).filter((one) => !raised.has(one));
  expect(sorted(never)).toEqual(notYetRaised.filter((one) => !one.startsWith("W_")));
});

test("CT-3, WS-132: every warning of the list is given somewhere, but for those still to come", () => {
  const never = Object.keys(warningCatalogue).filter((one) => !raised.has(one));
  expect(sorted(never)).toEqual(notYetRaised.filter((one) => one.startsWith("W_")));
});

test("CT-7: nothing is raised that the catalogue lacks", () => {
  const known = { ...catalogue, ...warningCatalogue };
  expect([...raised].filter((one) => !Object.hasOwn(known, one))).toEqual([]);
});

test("CT-7: a code begins E_ or is the class code of its category, and says when in a sentence", () => {
  const odd = Object.entries(catalogue).filter(([name, { category, when }]) => {
    const named = name.startsWith("E_")
      ? !name.endsWith("_ERROR")
      : name === `${category.toUpperCase()}_ERROR`;
    return !named || !/^[A-Zw].*\.$/.test(when);
  });
  expect(odd).toEqual([]);
});

test("CT-28: every category has one exit code, and no code stands outside the table", () => {
  expect(exitCodes.map((one) => one.code)).toEqual([0, 1, 2, 3, 4, 5]);
  for (const { code: exit, categories } of exitCodes) {
    for (const category of categories) expect(exitCodeOf(category)).toBe(exit);
  }
  const listed = exitCodes.flatMap((one) => [...one.categories]);
  const used = Object.values(catalogue).map((one) => one.category);
  expect(sorted(used)).toEqual(sorted(listed));
});

test("CT-28: an exit code that a file names itself is a signal's", () => {
  const given = all.flatMap(({ file, tree }) => {
    const found: string[] = [];
    walk(tree, (node) => {
      const key = node.type === "Property" ? nameOf(node.key) : undefined;
      const number = isNode(node.value) && node.value.type === "Literal" ? node.value.value : undefined;
      if (/^(exitCode|exit_code)$/.test(key ?? "") && typeof number === "number")
        found.push(`${file}: ${number}`);
    });
    return found;
  });
  expect(given.filter((one) => !/: (130|143)$/.test(one))).toEqual([]);
  expect(given.length).toBeGreaterThan(0);
});

test("CT-35: the table of variables is what the program reads, but for those still to come", () => {
  const read = all.flatMap(readIn);
  const table = environmentVariables.map((one) => one.name);
  expect(sorted([...read, ...notYetRead])).toEqual(sorted(table));
  expect(notYetRead.filter((one) => read.includes(one))).toEqual([]);
});

test("CT-35: a flag's variable is one of the table or another program's, and the manual lists the table", () => {
  const table = new Set<string>(environmentVariables.map((one) => one.name));
  const flags = [...commands.flatMap((command) => command.flags), ...commonFlags];
  const named = flags.flatMap((flag) => ("env" in flag && flag.env ? [flag.env] : []));
  expect(named.filter((name) => name.startsWith("WRIT_") && !table.has(name))).toEqual([]);
  expect(manual.environment).toEqual(environmentVariables);
});

test("CT-24: the manual lists every error and every warning", () => {
  const listed = (key: string) => (manual[key] as { code: string }[]).map((one) => one.code);
  expect(listed("errors")).toEqual(Object.keys(catalogue));
  expect(listed("warnings")).toEqual(Object.keys(warningCatalogue));
});

test.each([
  ['throw fail("E_X", {});', ["E_X"]],
  ['const table = [{ pattern: /a/, code: "E_X" }, { code: "NETWORK_ERROR" }];', ["E_X", "NETWORK_ERROR"]],
  ['throw fail(late ? "E_X" : "E_Y", {});', ["E_X", "E_Y"]],
  ['ctx.warn({ code: "W_X", message });', ["W_X"]],
  ['if (error.code === "E_X") stop();', []],
  ['const one = { errors: ["E_X"] };', []],
  ['const bootErrors: readonly ErrorCode[] = ["E_X"];', []],
  ['type Only = "E_X" | "E_Y";', []],
  ['switch (code) { case "E_X": break; }', []],
  ["// E_X stands in a comment\n", []],
])("the scan tells a code that is raised from one that is named: %s", (text, codes) => {
  expect(raisedIn(parsed("planted.ts", text))).toEqual(codes);
});
