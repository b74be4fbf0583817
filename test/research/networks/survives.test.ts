import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import Graph from "graphology";
import type { AbstractGraph } from "graphology-types";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { build } from "../../../packages/writ/src/research/builds/build.ts";
import { buildInput } from "../../../packages/writ/src/research/builds/input.ts";
import { Database, type Row } from "../../../packages/writ/src/research/library/database.ts";
import { renderTop } from "../../../packages/writ/src/research/read/top-render.ts";
import type { TopData } from "../../../packages/writ/src/research/read/top-shape.ts";
import { alpha } from "../../fakes/openalex/works.ts";
import { tempFolder } from "../../fixtures/temp-folder.ts";
import { bibFile } from "../files.ts";
import { alphaSeeds, workOf } from "../library/works.ts";
import { openResearch, type Research, seededOnce } from "../workspace.ts";
import { builtOn, seededLibrary } from "./libraries.ts";

const seeded = seededOnce(alpha, "alpha");
const many = <T>(of: (k: number) => T): T[] => Array.from({ length: 10_000 }, (_, k) => of(k));
const networksOf = (root: string) => join(root, ".writ/research/networks");

async function rowsOf(file: string): Promise<Row[]> {
  const db = await Database.open({ file: ":memory:" });
  try {
    return await db.rows("SELECT * FROM read_parquet(?)", [file]);
  } finally {
    db.close();
  }
}

const labelsOf = async (root: string, network: string) =>
  Object.fromEntries(
    (await rowsOf(join(networksOf(root), network, "nodes.parquet"))).map(({ id, label }) => [id, label]),
  );

test("RL-125, RL-139: one paper with ten thousand of everything costs its own networks, not the build", async () => {
  using temp = tempFolder();
  const crowd = workOf({
    title: "Crowd",
    sourceId: "W500",
    authorships: many((k) => ({
      pos: k,
      name: `Person ${k}`,
      id: `b${k}`,
      openalex: `B${k}`,
      orcid: null,
      institutions: [{ id: `J${k}`, name: `Place ${k}`, ror: null, country: "AR" }],
    })),
    keywords: many((k) => ({ id: `w-${k}`, name: `w ${k}`, score: null })),
    references: many((k) => `W${600_000 + k}`),
  });
  const { ctx } = await seededLibrary(temp.path, [...alphaSeeds, crowd]);
  const { data } = await builtOn(ctx(), {});
  expect(data.networks).toMatchObject([{ kind: "bibliographic_coupling", edges: 3 }]);
  expect(data.skipped_networks.map(({ kind, fix_command: fix }) => [kind, fix])).toEqual(
    ["author_collab", "institution_collab", "keyword_cooccurrence"].map((kind) => [
      kind,
      `writ research build --networks ${kind} --hub-cap 9999`,
    ]),
  );
  const { data: fixed, context } = await builtOn(ctx(), { networks: ["author_collab"], hub_cap: 9999 });
  expect(fixed.networks).toMatchObject([{ kind: "author_collab", nodes: 3, edges: 3 }]);
  expect(context.warnings).toEqual([
    {
      code: "W_HUB_CAP",
      message: "author_collab: the hub cap left out 1 item and 49,995,000 pairs.",
    },
  ]);
});

describe("labels", () => {
  test("RL-142: who was merged into another is called by the name of who was kept", async () => {
    const { root, ok } = await seeded();
    await ok("build", { networks: ["author_collab"] });
    expect(await labelsOf(root, "author_collab")).toEqual({
      a1: "Ana Ruiz",
      a2: "Bo Chen",
      a3: "Carla Diaz",
    });
    // Bo Chen is told of more papers than Ana Ruiz.
    await ok("curate.merge", { kind: "author", keep: "a1", drop: "a2", force: true });
    await ok("build", { networks: ["author_collab"] });
    expect(await labelsOf(root, "author_collab")).toEqual({ a1: "Ana Ruiz", a3: "Carla Diaz" });
  });

  test("RL-142: a keyword that a thesaurus puts in place of others is called by itself", async () => {
    using temp = tempFolder();
    const works = [
      ["Graph Theory", "Alpha"],
      ["Network", "Alpha"],
    ].map((names, at) =>
      workOf({
        title: `Named ${at}`,
        sourceId: `W${at}`,
        keywords: names.map((name) => ({ id: null, name, score: null })),
      }),
    );
    const { ctx } = await seededLibrary(temp.path, works);
    writeFileSync(join(temp.path, "t.txt"), "label\treplace by\ngraph theory\tgraphs\nnetwork\tgraphs\n");
    await builtOn(ctx(), { networks: ["keyword_cooccurrence"], thesaurus: "t.txt" });
    expect(await labelsOf(temp.path, "keyword_cooccurrence")).toEqual({ alpha: "Alpha", graphs: "graphs" });
  });
});

describe("citers", () => {
  const asked = ({ fake }: Research) => {
    const filters = fake.requests.map(({ url }) => new URL(url, "http://x").searchParams.get("filter") ?? "");
    return filters
      .filter((one) => one.includes("cites:"))
      .flatMap((one) => one.replace(/^.*cites:([^,]*).*$/, "$1").split("|"))
      .toSorted();
  };

  test("RL-138: citers are those of accepted seeds, and of all that are not rejected while none is accepted", async () => {
    const research = await seeded();
    await research.ok("curate.reject", { ids: ["W104"] });
    await research.ok("build", { fetch_citers: true });
    expect(asked(research)).toEqual(["W101", "W102", "W103"]);
    research.fake.requests.length = 0;
    await research.ok("curate.accept", { ids: ["W103"] });
    const data = await research.ok("build", { fetch_citers: true, max_citing: 20 });
    expect(asked(research)).toEqual(["W103"]);
    expect(data.usage).toMatchObject({ requests: 1 });
  });
});

describe("a library without references", () => {
  const plain = { bold: String, dim: String, red: String, green: String, yellow: String };

  test("RL-137, RL-148: the order of reading says that it is by year alone, and which command helps", async () => {
    const { root, ok } = await openResearch({ works: alpha });
    writeFileSync(join(root, "works.bib"), bibFile);
    await ok("seed", { from_file: "works.bib" });
    const data = (await ok("read.top", { by: "reading" })) as unknown as TopData;
    expect(data.central.map(({ title }) => title)).toEqual(["Conf paper", "A Study of Things"]);
    expect(data).toMatchObject({
      reason: "0 of 2 papers have references, so the order is by year alone",
      fix_command: "writ research seed --resolve",
    });
    expect(renderTop(data, plain)).toMatch(/by year alone\n {2}writ research seed --resolve/);
    const built = await ok("build", { networks: ["cocitation"] });
    expect(built.empty_networks).toMatchObject([{ fix_command: "writ research seed --resolve" }]);
  });

  test("RL-138: the hint about co-citation names the look-up where no source knows the papers", async () => {
    const { root, app, call } = await openResearch({ works: alpha });
    writeFileSync(join(root, "works.bib"), bibFile);
    await app.call("research.seed", { from_file: "works.bib" });
    const hint = async () => (await call("build")).warnings.find(({ code }) => code === "W_COCITATION_HINT");
    expect(await hint()).toMatchObject({
      remediation: "writ research seed --resolve && writ research chain --direction forward",
    });
    await app.call("research.seed", { equation: "alpha" });
    expect(await hint()).toMatchObject({ remediation: "writ research chain --direction forward" });
  });

  test("RL-137: where no paper is cited by another, citations a year are what is left, and chaining helps", async () => {
    const research = await seeded();
    expect(await research.ok("read.top", { by: "reading" })).toMatchObject({
      reason: "none of 4 papers is cited here, so the order is by citations a year and year alone",
      fix_command: "writ research chain --direction forward",
    });
    await research.ok("chain", { direction: "forward" });
    expect(await research.ok("read.top", { by: "reading" })).not.toHaveProperty("reason");
  });
});

describe("where files may be written", () => {
  test.each(["http", "mcp"] as const)(
    "RL-25: over %s no verb writes outside the workspace, through links neither",
    async (surface) => {
      const { app, root, ok } = await seeded();
      using outside = tempFolder();
      await ok("build", { networks: ["author_collab"] });
      symlinkSync(outside.path, join(root, "link"));
      symlinkSync(join(outside.path, "not there"), join(root, "dangling"));
      for (const out_dir of [outside.path, "link", "link/below", "dangling", "dangling/below", "../beside"])
        for (const [verb, input] of [
          ["build", { networks: ["author_collab"] }],
          ["export", { format: "csv" }],
          ["snapshot.create", {}],
        ] as const) {
          const answer = await app.call(`research.${verb}`, { ...input, out_dir }, { surface });
          expect([out_dir, verb, answer.error?.code]).toEqual([out_dir, verb, "E_UNSAFE_PATH"]);
        }
      const file = await app.call("research.curate.dump", { out: join(outside.path, "x.csv") }, { surface });
      expect(file.error?.code).toBe("E_UNSAFE_PATH");
      expect(readdirSync(outside.path)).toEqual([]);
      const inside = await app.call("research.export", { format: "csv", out_dir: "out" }, { surface });
      expect(inside.error).toBeNull();
    },
  );

  test("RL-25: a link where a network has its folder is not written through", async () => {
    const { root, ok, failure } = await seeded();
    using outside = tempFolder();
    await ok("build", { networks: ["author_collab"] });
    mkdirSync(join(root, "out"));
    symlinkSync(outside.path, join(root, "out/author_collab"));
    expect(await failure("export", { format: "csv", out_dir: "out", force: true })).toMatchObject({
      code: "E_UNSAFE_LINK",
    });
    expect(readdirSync(outside.path)).toEqual([]);
  });

  test("RL-149: a folder of somebody's that has the name of a network is left alone", async () => {
    const { root, ok, failure } = await seeded();
    writeFileSync(join(root, "n.yml"), "networks: [{ kind: author_collab, name: research }]\n");
    expect(await failure("build", { spec: "n.yml", out_dir: ".writ" })).toMatchObject({
      code: "E_EXISTS",
      details: { files: [".writ/research"] },
    });
    mkdirSync(join(root, "mine/research"), { recursive: true });
    writeFileSync(join(root, "mine/research/notes.md"), "notes");
    expect(await failure("build", { spec: "n.yml", out_dir: "mine" })).toMatchObject({ code: "E_EXISTS" });
    expect(readFileSync(join(root, "mine/research/notes.md"), "utf8")).toBe("notes");
    await ok("build", { spec: "n.yml", out_dir: "theirs" });
    await ok("build", { spec: "n.yml", out_dir: "theirs" });
    expect(existsSync(join(root, "theirs/research/edges.parquet"))).toBe(true);
  });
});

test("RL-6, RL-150: what XML would escape in an id is escaped in the graph that a build writes", async () => {
  using temp = tempFolder();
  const keywords = ['R&D <b> "x"', "plain"].map((name) => ({ id: null, name, score: null }));
  const { ctx } = await seededLibrary(temp.path, [workOf({ title: "Odd", sourceId: "W1", keywords })]);
  await build(ctx(), z.object(buildInput).parse({ networks: ["keyword_cooccurrence"] }));
  const folder = join(networksOf(temp.path), "keyword_cooccurrence");
  const text = readFileSync(join(folder, "network.graphml"), "utf8");
  const reader = createRequire(import.meta.url)("graphology-graphml") as {
    parse(graph: unknown, text: string): AbstractGraph;
  };
  const [edge] = await rowsOf(join(folder, "edges.parquet"));
  const graph = reader.parse(Graph, text);
  expect(graph.edges().map((one) => graph.extremities(one).toSorted())).toEqual([
    [String(edge?.source), String(edge?.target)].toSorted(),
  ]);
});
