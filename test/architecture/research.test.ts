import { join } from "node:path";
import { expect, test } from "vitest";
import {
  catalogue,
  environmentVariables,
  exitCodeOf,
  exitCodes,
  warningCatalogue,
} from "../../packages/writ/src/contract/index.ts";
import { commands } from "../../packages/writ/src/generated/commands.ts";
import seed from "../../packages/writ/src/research/capabilities/seed.ts";
import { researchToolSets } from "../../packages/writ/src/research/tool-sets.ts";
import { layers, moduleOf, vendors } from "../../scripts/layers.ts";
import { isNode, nameOf, type Node, parsed, type Source, sources, walk } from "./source.ts";

/** What a file imports, however it says so. */
function importsOf({ tree }: Source): string[] {
  const found: string[] = [];
  walk(tree, (node) => {
    if (!/^(Import|Export|TSImport)/.test(node.type)) return;
    for (const given of [node.source, node.argument]) {
      const name = isNode(given) && given.type === "Literal" ? given.value : undefined;
      if (typeof name === "string") found.push(name);
    }
  });
  return found;
}

const known = new Map<string, string[]>();

/** Every text of a file, comments aside. */
function textsOf({ file, tree }: Source): string[] {
  const before = known.get(file);
  if (before) return before;
  const found: string[] = [];
  known.set(file, found);
  walk(tree, (node) => {
    if (node.type === "Literal" && typeof node.value === "string") found.push(node.value);
    if (node.type === "TemplateElement") found.push((node.value as { raw: string }).raw);
  });
  return found;
}

/** The codes that a file gives to whoever calls it: those it names, but for the lists of what may be given. */
function codesOf({ tree }: Source): string[] {
  const found: string[] = [];
  walk(tree, (node, above) => {
    const text = node.type === "Literal" ? node.value : undefined;
    if (typeof text !== "string" || !/^([EW]_[A-Z_]+|[A-Z]+_ERROR)$/.test(text)) return;
    const lists = above.map((one) => nameOf(one.key) ?? nameOf(one.id) ?? "");
    if (above[0]?.type !== "BinaryExpression" && !lists.some((name) => /errors$/i.test(name)))
      found.push(text);
  });
  return found;
}

/** The variables that a file reads by its settings. */
function readBy({ tree }: Source): string[] {
  const found: string[] = [];
  walk(tree, (node) => {
    if (node.type !== "CallExpression" || !isNode(node.callee)) return;
    const [first] = node.arguments as Node[];
    const name = first && nameOf(first);
    if (/^(env|isOn)$/.test(nameOf(node.callee.property) ?? "") && name) found.push(name);
  });
  return found;
}

const all = sources();
const own = all.filter(({ file }) => moduleOf(file) === "research");
const packageOf = (name: string) => name.split("/", name.startsWith("@") ? 2 : 1).join("/");
const isPackage = (name: string) => !/^(\.|node:)/.test(name);

test("RL-1: research reaches no model: neither by what it imports, nor by what that reaches, nor by a request", () => {
  const modules = own.flatMap((source) =>
    importsOf(source)
      .filter((name) => name.startsWith("."))
      .map((name) => moduleOf(join(source.file, "..", name))),
  );
  expect([...new Set(modules)].toSorted()).toEqual(["contract", "platform", "research"]);
  const reach = (name: string): string[] => [name, ...(layers[name] ?? []).flatMap(reach)];
  for (const name of ["agents", "reasoning"]) expect(reach("research")).not.toContain(name);
  const wanted = /semantic(?![ _-]?scholar)|embedding/i;
  expect(own.flatMap(textsOf).filter((text) => wanted.test(text))).toEqual([]);
});

test("RL-38, RL-23: papers are written by the fold alone, and of what was told nothing is deleted", () => {
  const saying = (sql: RegExp) =>
    own.filter((source) => textsOf(source).some((text) => sql.test(text))).map(({ file }) => file);
  expect(saying(/(INSERT INTO|UPDATE|DELETE FROM) papers\b/)).toEqual(["research/library/fold.ts"]);
  const told =
    "runs|requests|records|sightings|decisions|filter_log|ref_dois|citers|merges|builds|loop_state_log|aliases|entity_map";
  expect(saying(new RegExp(`DELETE FROM (${told})\\b|DROP TABLE (${told})\\b|TRUNCATE`))).toEqual([]);
});

/** What each package is there for; another one for the same is one too many. */
const packages: Readonly<Record<string, string>> = {
  zod: "the shape of inputs and answers",
  "@duckdb/node-api": "tables, joins, Parquet",
  "@citation-js/core": "BibTeX",
  "@citation-js/plugin-bibtex": "BibTeX",
  "csv-parse": "tables of others",
  "csv-stringify": "the curation file",
  graphology: "the graph that a layout is computed on",
  "graphology-layout-forceatlas2": "where nodes are drawn",
};

test("RL-173: research uses these packages and no other, and each stays where the table confines it", () => {
  const uses = all.map((source) => ({ ...source, used: importsOf(source).filter(isPackage).map(packageOf) }));
  const used = uses.filter(({ file }) => moduleOf(file) === "research").flatMap((one) => one.used);
  expect([...new Set(used)].toSorted()).toEqual(Object.keys(packages).toSorted());
  for (const name of Object.keys(packages).filter((one) => one !== "zod")) {
    const home = vendors.find((vendor) => vendor.name.test(name))?.home;
    expect(home?.source, name).toMatch(/^\^research\\\//);
    const elsewhere = uses.filter((one) => one.used.includes(name) && !home?.test(one.file));
    expect(elsewhere.map(({ file }) => file)).toEqual([]);
  }
});

test("RL-172: no surface knows research: it is reached as every capability is", () => {
  const surfaces = all.filter(({ file }) => file.startsWith("surfaces/"));
  expect(surfaces.length).toBeGreaterThan(20);
  const knowing = surfaces.filter((source) => textsOf(source).some((text) => /research|paper/.test(text)));
  expect(knowing.map(({ file }) => file)).toEqual([]);
});

test("RL-15: research reads these variables, by the settings it is given, and each has its default", () => {
  const read = own.flatMap(readBy);
  // The addresses and credentials are columns of each source's own row.
  const named = own
    .filter(({ file }) => file.endsWith("/source.ts"))
    .flatMap(textsOf)
    .filter((text) => /^[A-Z]+(_[A-Z]+)+$/.test(text));
  expect([...new Set([...read, ...named])].toSorted()).toEqual([
    "CROSSREF_PLUS_TOKEN",
    "OPENALEX_API_KEY",
    "SEMANTIC_SCHOLAR_API_KEY",
    "WRIT_CROSSREF_URL",
    "WRIT_OFFLINE",
    "WRIT_OPENALEX_EMAIL",
    "WRIT_OPENALEX_URL",
    "WRIT_RESEARCH_BACKOFF_MS",
    "WRIT_RESEARCH_MEMORY",
    "WRIT_RESEARCH_TIMEOUT_MS",
    "WRIT_SEMANTICSCHOLAR_URL",
  ]);
  const defaults = environmentVariables.filter(({ name }) => [...read, ...named].includes(name));
  expect(defaults.map((one) => [one.name, one.default])).toEqual([
    ["WRIT_OFFLINE", undefined],
    ["WRIT_OPENALEX_EMAIL", undefined],
    ["WRIT_OPENALEX_URL", "https://api.openalex.org"],
    ["WRIT_CROSSREF_URL", "https://api.crossref.org"],
    ["WRIT_SEMANTICSCHOLAR_URL", "https://api.semanticscholar.org"],
    ["WRIT_RESEARCH_BACKOFF_MS", "1000"],
    ["WRIT_RESEARCH_TIMEOUT_MS", "30000"],
    ["WRIT_RESEARCH_MEMORY", "1GiB"],
  ]);
});

const codes: Readonly<Record<number, string>> = {
  1: "E_MISSING_INPUT USAGE_ERROR E_CONFLICTING_INPUT E_NO_WORKSPACE",
  2: "E_EQUATION_EMPTY E_EQUATION_SYNTAX E_EQUATION_UNSUPPORTED E_INVALID_VALUE E_LIMIT E_UNKNOWN_FIELD E_INVALID_SPEC E_NOT_FOUND E_FORMAT_UNKNOWN E_PARSE E_SOURCE_CANNOT E_CSV_DECISION E_CSV_CONFLICT E_NO_CRITERION E_THESAURUS E_NO_CORPUS E_NO_NETWORKS E_SCHEMA_MISMATCH E_SNAPSHOT_DAMAGED E_LIBRARY_INVALID E_BUDGET_EXCEEDED E_UNSAFE_PATH E_EXISTS",
  3: "E_DUCKDB_UNAVAILABLE",
  4: "NETWORK_ERROR E_OFFLINE_MISS",
  5: "E_STORE_LOCKED E_LIBRARY_MISSING E_LIBRARY_CORRUPT STORE_ERROR",
};

test("RL-165: each code of research ends a call by its category, and each is thrown somewhere", () => {
  const declares = new Set(["contract/catalogue.ts", "contract/warnings.ts"]);
  const thrown = new Set(all.filter(({ file }) => !declares.has(file)).flatMap(codesOf));
  for (const [exit, names] of Object.entries(codes))
    for (const code of names.split(" ")) {
      const { category } = catalogue[code as keyof typeof catalogue];
      expect([code, exitCodeOf(category)]).toEqual([code, Number(exit)]);
      expect([code, thrown.has(code)]).toEqual([code, true]);
    }
});

const warnings =
  "W_TRANSLATION W_KEYLESS W_BUDGET_LOW W_PAGE_LIMIT W_PHASE_SKIPPED W_CREDENTIAL_WITHHELD W_RECORD_SKIPPED W_DOI_INVALID W_ENCODING W_DUPLICATE_KEY W_POSSIBLE_DUPLICATES W_NO_DATA W_COCITATION_HINT W_HUB_CAP W_LIMITED W_STALE W_HASH W_EXTRA_COLUMNS W_CUT W_EMPTY_SCOPE W_FORWARD_UNKNOWN";

test("RL-166: research gives each of its warnings, and no other", () => {
  const given = new Set(own.flatMap(codesOf).filter((code) => code.startsWith("W_")));
  expect([...given].toSorted()).toEqual(warnings.split(" ").toSorted());
  expect(Object.keys(warningCatalogue)).toEqual(expect.arrayContaining([...given, "W_WORKSPACE_WALKUP"]));
});

test("RL-16: two subcodes and six exit codes are all there are, and schema is no verb of the loop", async () => {
  const subcodes = all.flatMap(({ tree }) => {
    const found: string[] = [];
    walk(tree, (node) => {
      const named =
        node.type === "Property" && nameOf(node.key) === "subcode" ? nameOf(node.value) : undefined;
      if (named !== undefined && named === named.toUpperCase()) found.push(named);
    });
    return found;
  });
  expect([...new Set(subcodes)].toSorted()).toEqual(["RATE_LIMITED", "UPSTREAM_TIMEOUT"]);
  expect(exitCodes.map(({ code }) => code)).toEqual([0, 1, 2, 3, 4, 5]);
  const meta = commands.filter(({ path }) => /^(schema|skill)$/.test(path[0] ?? ""));
  expect(meta.map(({ need }) => need.network)).toEqual(meta.map(() => "never"));
  const schema = meta.find(({ path }) => path.join() === "schema");
  expect(schema?.need).toEqual({ effect: "observe", network: "never", workspace: "none" });
  // A preview has no workspace to name, and everything else of seed has one.
  const narrowed = (given: object) =>
    seed.narrow?.(seed.input.parse({ equation: "alpha", ...given })).workspace;
  expect([narrowed({ preview: true }), narrowed({})]).toEqual(["none", "required"]);
});

const rows = commands.filter(({ id }) => id.startsWith("research."));
const row = (id: string) => {
  const found = rows.find((one) => one.id === id);
  if (!found) throw new Error(`no capability ${id}`);
  return found;
};

test("RL-168: each group names capabilities that exist, and changes nothing but in its own way", () => {
  const observing = rows.filter(({ need }) => need.effect === "observe").map(({ id }) => id);
  const { "research.read": reading, ...writing } = researchToolSets;
  expect([...reading.tools].toSorted()).toEqual(observing.toSorted());
  const groups = Object.entries(writing).map(([name, set]) => {
    const changing = set.tools.map(row).filter(({ mutates }) => mutates);
    return {
      name,
      reads: reading.tools.every((tool) => (set.tools as readonly string[]).includes(tool)),
      twice: set.tools.length - new Set(set.tools).size,
      effects: [...new Set(changing.map(({ need }) => need.effect))],
      // The file of decisions is no change that anything would take back.
      undo: [...new Set(changing.flatMap(({ id, undo }) => (id === "research.curate.dump" ? [] : [undo])))],
      asks: changing.some(({ need }) => need.network === "may"),
    };
  });
  const common = { reads: true, twice: 0, effects: ["local"] };
  const back = writing["research.fetch"].undo;
  expect(groups).toEqual([
    { name: "research.fetch", ...common, undo: [back], asks: true },
    { name: "research.curate", ...common, undo: [back], asks: false },
    { name: "research.build", ...common, undo: ["research.build", undefined], asks: true },
  ]);
  expect(writing["research.curate"].undo).toBe(back);
  expect(writing["research.build"]).not.toHaveProperty("undo");
  const bound = researchToolSets["research.fetch"];
  const fetching = bound.tools.map(row).filter(({ mutates }) => mutates);
  expect(fetching.map(({ id }) => id)).toEqual(["research.seed", "research.chain"]);
  for (const { flags } of fetching)
    expect(flags.map(({ field }) => field)).toEqual(expect.arrayContaining(Object.keys(bound.most)));
  const curating = rows.filter(({ id }) => id.startsWith("research.curate.")).map(({ id }) => id);
  expect(new Set(researchToolSets["research.curate"].tools)).toEqual(
    new Set([...reading.tools, ...curating]),
  );
  expect(Object.values(researchToolSets).map(({ taint }) => taint)).toEqual(Array(4).fill("external"));
  const granted = Object.values(researchToolSets).flatMap(({ tools }) => [...tools] as string[]);
  expect(rows.map(({ id }) => id).filter((id) => !granted.includes(id))).toEqual([
    "research.snapshot.restore",
  ]);
});

test("RL-9: the loop has nine verbs here beside init, and each takes back what it can", () => {
  expect(new Set(rows.map(({ path }) => path[1]))).toEqual(
    new Set("build chain curate export read seed snapshot status validate".split(" ")),
  );
  const undone = rows.filter(({ mutates }) => mutates).map(({ id, undo }) => [id.slice(9), undo ?? null]);
  expect(Object.fromEntries(undone)).toEqual({
    build: "research.build",
    export: null,
    "curate.dump": null,
    "snapshot.create": null,
    ...Object.fromEntries(
      "seed chain curate.accept curate.reject curate.apply curate.filter curate.merge curate.undo snapshot.restore"
        .split(" ")
        .map((verb) => [verb, "research.curate.undo"]),
    ),
  });
});

test("RL-10: what asks a source takes the same flags, and what writes waits for a lock", () => {
  const names = ({ flags }: { flags: { name: string }[] }) => flags.map(({ name }) => name);
  const asking = rows.filter(({ need }) => need.network === "may");
  expect(asking.map(({ id }) => id).toSorted()).toEqual([
    "research.build",
    "research.chain",
    "research.seed",
  ]);
  const common = "source offline refresh resume max-cost-usd max-wait email wait".split(" ");
  for (const one of asking) expect(names(one), one.id).toEqual(expect.arrayContaining(common));
  const source = row("research.seed").flags.find(({ name }) => name === "source");
  expect(source?.choices).toEqual(["openalex", "crossref", "semanticscholar"]);
  expect(rows.filter(({ need }) => need.network !== "may").flatMap(names)).not.toContain("max-cost-usd");
  const locking = rows.filter(({ mutates }) => mutates);
  for (const one of locking) expect(names(one), one.id).toContain("wait");
});

test.each([
  ['import type { A } from "../agents/index.ts";', ["../agents/index.ts"]],
  ['export * from "zod";', ["zod"]],
  ['const a = () => import("@duckdb/node-api");', ["@duckdb/node-api"]],
  ['type A = import("graphology").Graph;', ["graphology"]],
])("what a file imports is seen: %s", (text, found) => {
  expect(importsOf(parsed("planted.ts", text))).toEqual(found);
});
