import { expect, test } from "vitest";
import { isNode, lineOf, nameOf, type Node, parsed, type Source, sources, walk } from "./source.ts";

/** Who has a method of that name and is no capability: git, a prepared statement, a queue of writers. */
const otherRuns = new Set(["git", "statement", "writing", "checks", "db", "database", "connection"]);

/** Every place that takes `run` from something, by whatever spelling. */
function runsIn(source: Source): string[] {
  const found: string[] = [];
  const at = (node: Node): void => void found.push(`${source.file}:${lineOf(source, node)}`);
  walk(source.tree, (node, above) => {
    if (node.type === "MemberExpression" && nameOf(node.property) === "run" && isTaken(node, above[0])) {
      if (!otherRuns.has(ownerOf(node.object) ?? "")) at(node);
    }
    if (node.type === "Property" && nameOf(node.key) === "run" && above[0]?.type === "ObjectPattern")
      if (isCalled(source, node.value)) at(node);
  });
  return found;
}

/** What a method is taken from, by its own name: `db` in `change.db.run`. */
function ownerOf(node: unknown): string | undefined {
  if (!isNode(node) || node.type !== "MemberExpression") return nameOf(node);
  const { property } = node;
  const name = isNode(property) && property.type === "PrivateIdentifier" ? property.name : nameOf(property);
  return typeof name === "string" ? name : undefined;
}

/** Whether what was taken under a name is used as a function; a field of that name that is a value is nobody's door. */
function isCalled(source: Source, taken: unknown): boolean {
  const name = nameOf(taken);
  if (name === undefined) return false;
  // Under another name it could be anything.
  if (name !== "run") return true;
  let called = false;
  walk(source.tree, (node, above) => {
    if (node.type !== "Identifier" || node.name !== name) return;
    const [parent, grandparent] = above;
    if (parent?.type === "CallExpression" && parent.callee === node) called = true;
    const isMethodOf = parent?.type === "MemberExpression" && parent.object === node;
    if (isMethodOf && grandparent?.type === "CallExpression" && grandparent.callee === parent) called = true;
  });
  return called;
}

/** A call, or the function itself handed on; a comparison or a printed value of that name is neither. */
function isTaken(node: Node, parent: Node | undefined): boolean {
  if (parent?.type === "CallExpression" && parent.callee === node) return true;
  const borrowed = parent?.type === "MemberExpression" && parent.object === node;
  return borrowed && /^(bind|call|apply)$/.test(nameOf(parent.property) ?? "");
}

/** Every place that makes a grant, or takes the function that makes one. */
const grantsIn = (source: Source): string[] => makersIn(source, "grant");

function makersIn(source: Source, maker: "grant" | "admission"): string[] {
  const found: string[] = [];
  walk(source.tree, (node) => {
    const called = node.type === "CallExpression" && nameOf(node.callee) === maker;
    const member = node.type === "MemberExpression" && nameOf(node.property) === maker && isNamespace(node);
    const imported = node.type === "ImportSpecifier" && nameOf(node.imported) === maker;
    if (called || member || imported) found.push(`${source.file}:${lineOf(source, node)}`);
  });
  return found;
}

/** `contract.grant`, where a whole module was imported; `act.grant` is the proof itself. */
function isNamespace(node: Node): boolean {
  return nameOf(node.object) === "contract";
}

/** Every file that imports a declaration by its path instead of loading it by its id. */
function declarationsIn(source: Source): string[] {
  const found: string[] = [];
  walk(source.tree, (node) => {
    const target = isNode(node.source) ? node.source.value : undefined;
    if (typeof target === "string" && /(^|\/)capabilities\//.test(target)) {
      found.push(`${source.file}:${lineOf(source, node)}`);
    }
  });
  return found;
}

const filesOf = (places: string[]): string[] => [
  ...new Set(places.map((place) => place.replace(/:\d+$/, ""))),
];
const all = sources();

test("CT-29: a capability is run in one place, the executor", () => {
  const places = all.flatMap(runsIn);
  expect(filesOf(places)).toEqual(["contract/execute.ts"]);
  expect(places).toHaveLength(1);
});

test("CT-32: the proof that a call was allowed is made in one place, where roles are judged", () => {
  expect(filesOf(all.flatMap(grantsIn))).toEqual(["governance/roles.ts"]);
});

test("CT-32: the proof that a caller was admitted is made in one place, where credentials are checked", () => {
  const places = all.flatMap((source) => makersIn(source, "admission"));
  expect(filesOf(places)).toEqual(["app/create-app.ts"]);
});

test("no file imports another's declaration: it is loaded by its id", () => {
  expect(all.flatMap(declarationsIn)).toEqual([]);
});

test.each([
  ["a capability that was loaded", "const one = await commands.load(id); await one.run(ctx, {});"],
  ["one that is run at once", "(await commands.load(id)).run(ctx, {});"],
  ["optional chaining", "capability?.run(ctx, {});"],
  ["a computed name", 'capability["run"](ctx, {});'],
  ["destructuring", "const { run } = capability; run(ctx, {});"],
  ["a renamed part", "const { run: go } = capability;"],
  ["the function called otherwise", "capability.run.call(null, ctx, {});"],
])("the scan sees a second runner: %s", (_what, text) => {
  expect(runsIn(parsed("planted.ts", text))).toEqual(["planted.ts:1"]);
});

test.each([
  ["by name", 'import { grant } from "../contract/index.ts";\n'],
  ["under another name", 'import { grant as permit } from "../contract/index.ts";\n'],
  [
    "through the module",
    'import * as contract from "../contract/index.ts";\nconst one = contract.grant(a, b);',
  ],
])("the scan sees a second grant: %s", (_what, text) => {
  expect(grantsIn(parsed("planted.ts", text))).toHaveLength(1);
});

test.each([
  ["git", 'await git.run(["status"], {});'],
  [
    "a field of that name",
    "const act = journal.run; if (journal.run === act) await finish(request.run.update);",
  ],
  ["a declaration", "const one = { id, run: async (ctx) => ctx.read(list) };"],
  ["the proof handed on", "const { caller } = act.grant;"],
])("the scan lets %s be", (_what, text) => {
  const source = parsed("planted.ts", text);
  expect([...runsIn(source), ...grantsIn(source)]).toEqual([]);
});
