import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { parse as parseCsv } from "csv-parse/sync";
import Graph from "graphology";
import type { AbstractGraph } from "graphology-types";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { exportLibrary } from "../../../packages/writ/src/research/export/export.ts";
import { exportInput, exportOutput } from "../../../packages/writ/src/research/export/shape.ts";
import { Database } from "../../../packages/writ/src/research/library/database.ts";
import { tempFolder } from "../../fixtures/temp-folder.ts";
import type { TestContext } from "../../support/context.ts";
import { builtOn, chainedLibrary, seededLibrary } from "./libraries.ts";

// Readers of others, to see what others see. They read strings only when asked through Node's own door.
const require = createRequire(import.meta.url);
interface Parser {
  parse(graph: unknown, text: string): AbstractGraph;
}
const graphmlReader = require("graphology-graphml") as Parser;
const gexfReader = require("graphology-gexf") as Parser;

let temp: ReturnType<typeof tempFolder>;
let ctx: () => TestContext;
/** Rows of the coupling network as it was built. */
let edges: { source: string; target: string; weight: number; norm_weight: number }[];
let nodes: { id: string; label: string; degree: number; community: number; is_seed: boolean; year: number }[];

beforeAll(async () => {
  temp = tempFolder();
  ({ ctx } = await chainedLibrary(temp.path));
  await builtOn(ctx(), { networks: ["bibliographic_coupling", "direct_citation"], normalise: "association" });
  const folder = join(temp.path, ".writ/research/networks/bibliographic_coupling");
  const db = await Database.open({ file: ":memory:" });
  edges = await db.rows("SELECT * FROM read_parquet(?)", [join(folder, "edges.parquet")]);
  nodes = await db.rows("SELECT * FROM read_parquet(?)", [join(folder, "nodes.parquet")]);
  db.close();
});
afterAll(() => temp[Symbol.dispose]());

async function exported(context: TestContext, given: Record<string, unknown>) {
  return exportOutput.loose().parse(await exportLibrary(context, z.object(exportInput).parse(given)));
}

const read = (file: string) => readFileSync(join(temp.path, ".writ/research/exports", file), "utf8");

test("RL-149: without a build there is nothing to export, and the command that helps is named", async () => {
  using empty = tempFolder();
  const library = await seededLibrary(empty.path);
  await expect(exported(library.ctx(), { format: "csv" })).rejects.toMatchObject({
    code: "E_NO_NETWORKS",
    failure: { remediation: "writ research build" },
  });
});

test("RL-149, RL-150: GraphML and GEXF, read by others, have the same nodes, edges, weights and types", async () => {
  const data = await exported(ctx(), { format: "graphml" });
  expect(data).toMatchObject({ networks_exported: 2, out_dir: ".writ/research/exports", changed: true });
  expect(data.files_written).toEqual([
    ".writ/research/exports/bibliographic_coupling.graphml",
    ".writ/research/exports/direct_citation.graphml",
  ]);
  await exported(ctx(), { format: "gexf" });
  const xml = read("bibliographic_coupling.graphml");
  expect(xml).toMatch(/attr.name="is_seed" attr.type="boolean"/);
  expect(xml).toMatch(/attr.name="community" attr.type="int"/);
  expect(xml).toMatch(/attr.name="pagerank" attr.type="double"/);
  for (const graph of [
    graphmlReader.parse(Graph, xml),
    gexfReader.parse(Graph, read("bibliographic_coupling.gexf")),
  ]) {
    expect(graph.nodes().toSorted()).toEqual(nodes.map(({ id }) => id));
    const found = graph.edges().map((edge) => {
      const ends = graph.extremities(edge).toSorted();
      return `${ends.join(" ")} ${graph.getEdgeAttribute(edge, "weight")}`;
    });
    const expected = edges.map(({ source, target, weight }) => `${source} ${target} ${weight}`);
    expect(found.toSorted()).toEqual(expected.toSorted());
    for (const { id, label, community, is_seed: seed, year } of nodes)
      expect(graph.getNodeAttributes(id)).toMatchObject({ label, community, is_seed: seed, year });
    // Two citers have no DOI, and an attribute that is not known is absent.
    expect(graph.filterNodes((_id, { doi }) => doi === undefined)).toHaveLength(2);
  }
  const arcs = graphmlReader.parse(Graph, read("direct_citation.graphml"));
  expect([arcs.type, arcs.size]).toEqual(["directed", 7]);
  expect(gexfReader.parse(Graph, read("direct_citation.gexf")).directedSize).toBe(7);
});

test("RL-149: CSV has a mark, sorted rows and attributes in alphabetical order", async () => {
  await exported(ctx(), { format: "csv", network: ["bibliographic_coupling"] });
  const [nodesText, edgesText] = ["nodes", "edges"].map((name) => read(`bibliographic_coupling/${name}.csv`));
  expect(nodesText?.startsWith("\ufeffid,label,")).toBe(true);
  expect(edgesText?.startsWith("\ufeffsource,target,weight,norm_weight\n")).toBe(true);
  const rows = parseCsv(nodesText ?? "", { bom: true, columns: true }) as Record<string, string>[];
  expect(rows.map(({ id }) => id)).toEqual(nodes.map(({ id }) => id));
  const [, , ...names] = Object.keys(rows[0] ?? {});
  expect(names).toEqual(names.toSorted());
  const links = parseCsv(edgesText ?? "", { bom: true, columns: true, cast: true }) as typeof edges;
  expect(links).toEqual(edges);
});

test("RL-149: Pajek and VOSviewer number nodes from 1 in the order of their ids", async () => {
  await exported(ctx(), { format: "pajek" });
  const lines = read("bibliographic_coupling.net").trim().split("\n");
  expect(lines[0]).toBe(`*Vertices ${nodes.length}`);
  expect(lines.slice(1, nodes.length + 1)).toEqual(nodes.map(({ label }, at) => `${at + 1} "${label}"`));
  const numbers = new Map(nodes.map(({ id }, at) => [id, at + 1]));
  const expected = edges.map(({ source, target, weight }) => [
    numbers.get(source),
    numbers.get(target),
    weight,
  ]);
  expect(lines[nodes.length + 1]).toBe("*Edges");
  expect(lines.slice(nodes.length + 2).map((line) => line.split(" ").map(Number))).toEqual(expected);
  expect(read("direct_citation.net")).toContain("\n*Arcs\n");

  await exported(ctx(), { format: "vosviewer" });
  const [head = "", ...items] = read("bibliographic_coupling/map.txt").trim().split("\n");
  expect(head.split("\t")).toEqual([
    "id",
    "label",
    "x",
    "y",
    "cluster",
    "weight<Links>",
    "weight<Total link strength>",
    "score<Year>",
  ]);
  expect(items.map((line) => line.split("\t").filter((_, at) => [0, 1, 4, 5, 7].includes(at)))).toEqual(
    nodes.map((node, at) => [at + 1, node.label, node.community + 1, node.degree, node.year].map(String)),
  );
  const links = read("bibliographic_coupling/network.txt").trim().split("\n");
  expect(links.map((line) => line.split("\t").map(Number))).toEqual(expected);
  const both = JSON.parse(read("bibliographic_coupling/vosviewer.json")) as {
    network: {
      items: { weights: object }[];
      links: { source_id: number; target_id: number; strength: number }[];
    };
  };
  expect(both.network.items).toHaveLength(nodes.length);
  expect(both.network.links.map((link) => [link.source_id, link.target_id, link.strength])).toEqual(expected);
});

test("RL-7: no exported file says NaN or Infinity", async () => {
  const folder = join(temp.path, ".writ/research/exports");
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  expect(files.length).toBeGreaterThan(8);
  for (const file of files)
    expect(readFileSync(join(file.parentPath, file.name), "utf8")).not.toMatch(/NaN|Infinity/);
});

test("RL-149: files of other content are replaced in the exports folder, and elsewhere only when told", async () => {
  const given = { format: "pajek", network: ["bibliographic_coupling"] };
  writeFileSync(join(temp.path, ".writ/research/exports/bibliographic_coupling.net"), "mine");
  expect(await exported(ctx(), given)).toMatchObject({ changed: true });
  expect(await exported(ctx(), given)).toMatchObject({ changed: false });
  mkdirSync(join(temp.path, "out"));
  writeFileSync(join(temp.path, "out/bibliographic_coupling.net"), "mine");
  const elsewhere = { ...given, out_dir: "out" };
  await expect(exported(ctx(), elsewhere)).rejects.toMatchObject({ code: "E_EXISTS" });
  expect(readFileSync(join(temp.path, "out/bibliographic_coupling.net"), "utf8")).toBe("mine");
  expect(await exported(ctx(), { ...elsewhere, force: true })).toMatchObject({
    files_written: ["out/bibliographic_coupling.net"],
  });
  expect(readdirSync(join(temp.path, "out"))).toEqual(["bibliographic_coupling.net"]);
});

test("RL-149: an unknown network is refused by name, and papers go to the writers of papers", async () => {
  await expect(exported(ctx(), { format: "csv", network: ["direct_citations"] })).rejects.toMatchObject({
    code: "E_NOT_FOUND",
    failure: { details: { missing: ["direct_citations"], nearest: "direct_citation" } },
  });
  const data = await exported(ctx(), { format: "ris", scope: "seeds" });
  expect(data).toMatchObject({ networks_exported: 0, papers_exported: 4 });
  expect(read("papers.ris").match(/^TI {2}- /gm)).toHaveLength(4);
});
