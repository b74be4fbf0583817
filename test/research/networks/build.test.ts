import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { build } from "../../../packages/writ/src/research/builds/build.ts";
import { availableBuilds, isStale } from "../../../packages/writ/src/research/builds/recorded.ts";
import { buildInput } from "../../../packages/writ/src/research/builds/input.ts";
import { buildOutput } from "../../../packages/writ/src/research/builds/output.ts";
import { decide } from "../../../packages/writ/src/research/library/tell.ts";
import { readLibrary } from "../../../packages/writ/src/research/library/use.ts";
import { Database } from "../../../packages/writ/src/research/library/database.ts";
import { tempFolder } from "../../fixtures/temp-folder.ts";
import { type TestContext } from "../../support/context.ts";
import { builtOn, chainedLibrary, metricsOf, seededLibrary } from "./libraries.ts";

test("RL-130: edges below the least weight are dropped, and what is empty says why", async () => {
  using temp = tempFolder();
  const { ctx } = await seededLibrary(temp.path);
  const two = await builtOn(ctx(), { min_weight: 2 });
  const sizes = Object.fromEntries(two.data.networks.map(({ kind, nodes, edges }) => [kind, [nodes, edges]]));
  expect(sizes).toEqual({
    bibliographic_coupling: [2, 1],
    author_collab: [3, 2],
    keyword_cooccurrence: [3, 2],
  });
  expect(two.data.empty_networks).toEqual([
    {
      name: "institution_collab",
      kind: "institution_collab",
      reason: "0 edges with weight >= 2",
      fix_command: "writ research build --min-weight 1",
    },
  ]);
  const three = await builtOn(ctx(), { min_weight: 3 });
  expect(three.data.empty_networks).toHaveLength(4);
  expect(three.data.fix_command).toBe("writ research build --min-weight 2");
  expect(three.data.reason).toMatch(/0 edges with weight >= 3/);
  // What came out empty is not left behind from before.
  expect(readdirSync(join(temp.path, ".writ/research/networks"))).toEqual(["build.json"]);
});

test("RL-138, RL-140, RL-141, RL-142, RL-143: a build writes nodes, edges, measures, communities and a graph", async () => {
  using temp = tempFolder();
  const { ctx } = await chainedLibrary(temp.path);
  const { data, context } = await builtOn(ctx(), {});
  expect(data.networks_built).toBe(5);
  expect(data.corpus_hash).toBe("756f670d51adef9c8bf0640f7e366c703ab6b9584c26f51279d89a9459591927");
  const folder = join(temp.path, ".writ/research/networks");
  expect(readdirSync(join(folder, "cocitation")).toSorted()).toEqual([
    "clusters.csv",
    "edges.parquet",
    "metrics.json",
    "network.graphml",
    "nodes.parquet",
  ]);
  expect(readFileSync(join(folder, "cocitation/clusters.csv"), "utf8")).toBe(
    "cluster,size,seed_count,candidate_count,accepted_count,year_min,year_max,year_mean,top_authors,top_keywords\n" +
      "0,3,3,3,0,2019,2021,2020,Bo Chen|Ana Ruiz|Carla Diaz,graph-theory|alpha-method|network\n",
  );
  const metrics = metricsOf(temp.path, "bibliographic_coupling");
  expect(metrics).toMatchObject({ nodes: 6, edges: 7, isolated: 2, limited: [], num_components: 1 });
  expect(metrics.density).toBeCloseTo(0.4667, 4);
  expect(metrics.avg_clustering).toBeCloseTo(0.4444, 4);
  expect(Object.keys(metrics)).toEqual(Object.keys(metrics).toSorted());
  const nodes = await parquet(join(folder, "bibliographic_coupling/nodes.parquet"));
  expect(nodes.map(({ id }) => id)).toEqual(nodes.map(({ id }) => id as string).toSorted());
  expect(nodes.find(({ label }) => label === "Alpha methods (2019)")).toMatchObject({
    degree: 3,
    strength: 4,
    degree_centrality: 0.6,
    year: 2019,
    is_seed: true,
    curation_status: "candidate",
    url: "https://doi.org/10.5555/a1",
    authors: "Ana Ruiz | Bo Chen",
    local_citations: 2,
    scent: 2,
    cited_by_count: 12,
  });
  const authors = await parquet(join(folder, "author_collab/nodes.parquet"));
  expect(authors.map(({ id, label }) => [id, label])).toEqual([
    ["a1", "Ana Ruiz"],
    ["a2", "Bo Chen"],
    ["a3", "Carla Diaz"],
  ]);
  expect(context.progress.map(({ phase }) => phase)).toEqual(
    expect.arrayContaining(["pairs", "analyse", "write", "commit"]),
  );
  expect(context.warnings).toEqual([]);
});

test("RL-140: networks built together are those that are built alone, whatever their scopes", async () => {
  using temp = tempFolder();
  const { ctx } = await chainedLibrary(temp.path);
  const entries = [
    "{ kind: direct_citation, name: before }",
    "{ kind: author_collab, name: authors, scope: seeds }",
    "{ kind: bibliographic_coupling, name: seeds, scope: seeds }",
    "{ kind: bibliographic_coupling, name: late, min_year: 2020 }",
    "{ kind: keyword_cooccurrence, name: words, scope: seeds }",
  ];
  const nodesOf = async (specs: readonly string[]) => {
    writeFileSync(join(temp.path, "n.yml"), `networks: [${specs.join(", ")}]\n`);
    const { data } = await builtOn(ctx(), { spec: "n.yml" });
    expect(data.networks).toHaveLength(specs.length);
    const file = (name: string) => join(temp.path, ".writ/research/networks", name, "nodes.parquet");
    return Promise.all(data.networks.map(async ({ name }) => [name, await parquet(file(name))] as const));
  };
  const together = await nodesOf(entries);
  const apart = [];
  for (const entry of entries) apart.push(...(await nodesOf([entry])));
  expect(together).toEqual(apart);
  const cited = together.map(([name, nodes]) => [name, nodes.map((node) => node.local_citations ?? null)]);
  expect(Object.fromEntries(cited)).toMatchObject({ before: [0, 2, 1, 0, 2, 0, 2, 0], seeds: [0, 0, 0] });
});

test("RL-121: networks of references and of direct citation on demand", async () => {
  using temp = tempFolder();
  const { ctx } = await chainedLibrary(temp.path);
  const { data } = await builtOn(ctx(), { networks: ["direct_citation", "cocitation_refs"] });
  expect(data.networks).toMatchObject([
    { kind: "direct_citation", nodes: 8, edges: 7 },
    { kind: "cocitation_refs" },
  ]);
  const arcs = metricsOf(temp.path, "direct_citation");
  expect(arcs).toMatchObject({ directed: true, num_components: 2, largest_component: 6 });
  expect(arcs.density).toBeCloseTo(7 / 56, 9);
  expect(
    readFileSync(join(temp.path, ".writ/research/networks/direct_citation/network.graphml"), "utf8"),
  ).toContain('edgedefault="directed"');
});

test("RL-132: what is not defined is null with a reason, in JSON that a strict parser reads", async () => {
  using temp = tempFolder();
  const { ctx } = await seededLibrary(temp.path);
  writeFileSync(
    join(temp.path, "n.yml"),
    "networks: [{ kind: bibliographic_coupling, assortativity_attribute: language }]\n",
  );
  const { data } = await builtOn(ctx(), { spec: "n.yml" });
  const metrics = metricsOf(temp.path, "bibliographic_coupling");
  expect(metrics.degree_assortativity).toBeNull();
  expect(metrics.reasons).toEqual({ degree_assortativity: "undefined" });
  expect(data.networks[0]?.assortativity).toMatchObject({
    attribute: "language",
    value: null,
    reason: "undefined",
  });
  expect(metrics.assortativity).toEqual(data.networks[0]?.assortativity);
});

test("RL-117: a thesaurus joins keywords, stays for later builds, and is switched off again", async () => {
  using temp = tempFolder();
  const { ctx } = await seededLibrary(temp.path);
  writeFileSync(
    join(temp.path, "t.json"),
    JSON.stringify({ concepts: { graphs: { aliases_en: ["graph theory", "Network"] } } }),
  );
  const keywords = (given: Record<string, unknown>) =>
    builtOn(ctx(), { networks: ["keyword_cooccurrence"], ...given });
  const first = await keywords({ thesaurus: "t.json" });
  expect(first.data.thesaurus).toMatchObject({ keywords_mapped: 3, keywords_total: 6, aliases_loaded: 3 });
  expect(first.data.networks).toMatchObject([{ nodes: 2, edges: 1 }]);
  const edges = await parquet(join(temp.path, ".writ/research/networks/keyword_cooccurrence/edges.parquet"));
  expect(edges).toEqual([{ source: "alpha method", target: "graphs", weight: 2 }]);
  const kept = await keywords({});
  expect(kept.data.thesaurus).toEqual(first.data.thesaurus);
  expect(kept.data.networks).toMatchObject([{ nodes: 2, edges: 1 }]);
  expect((await keywords({ no_thesaurus: true })).data.networks).toMatchObject([{ nodes: 3, edges: 3 }]);
  expect((await keywords({})).data).not.toHaveProperty("thesaurus");
});

test("RL-129: a file describes networks one by one, and is refused by place", async () => {
  using temp = tempFolder();
  const { ctx } = await seededLibrary(temp.path);
  const spec = (text: string) => {
    writeFileSync(join(temp.path, "n.yml"), text);
    return builtOn(ctx(), { spec: "n.yml" });
  };
  const { data } = await spec(
    "networks:\n  - { kind: bibliographic_coupling, keyword_filter: [alpha] }\n  - { kind: author_collab, min_weight: 2 }\n",
  );
  expect(data.networks).toMatchObject([{ edges: 1 }, { nodes: 3, edges: 2 }]);
  await expect(spec("networks: [{ kindd: cocitation }]")).rejects.toMatchObject({
    code: "E_UNKNOWN_FIELD",
    failure: { details: { file: "n.yml", index: 0, field: "kindd", nearest: "kind" } },
  });
  await expect(spec("networks: [{ kind: author_collab }, { kind: cocitations }]")).rejects.toMatchObject({
    code: "E_INVALID_SPEC",
    failure: { details: { file: "n.yml", index: 1, field: "kind" } },
  });
  await expect(spec("networks: [{ kind: author_collab }, { kind: author_collab }]")).rejects.toMatchObject({
    code: "E_INVALID_SPEC",
  });
  const two = await spec(
    "networks: [{ kind: author_collab, name: near }, { kind: author_collab, name: far, min_weight: 2 }]",
  );
  expect(two.data.networks.map(({ name }) => name)).toEqual(["near", "far"]);
  await expect(builtOn(ctx(), { spec: "n.yml", min_weight: 2 })).rejects.toMatchObject({
    code: "E_CONFLICTING_INPUT",
  });
  await expect(builtOn(ctx(), { counting: "fractional", normalise: "cosine" })).rejects.toMatchObject({
    code: "E_CONFLICTING_INPUT",
  });
  await expect(builtOn(ctx(), { min_weight: 0 })).rejects.toMatchObject({ code: "E_INVALID_VALUE" });
});

test("RL-161: a build is stale when the papers of its own scope have changed", async () => {
  using temp = tempFolder();
  const { ctx, change, addCandidates } = await seededLibrary(temp.path);
  await builtOn(ctx(), { scope: "seeds", networks: ["bibliographic_coupling", "keyword_cooccurrence"] });
  const stale = () =>
    readLibrary(ctx(), async (db) => {
      const builds = await availableBuilds(db, temp.path);
      expect(builds).toHaveLength(2);
      return Promise.all(builds.map((one) => isStale(db, one)));
    });
  expect(await stale()).not.toContain(true);
  await addCandidates();
  expect((await stale()).filter(Boolean)).toEqual([]);
  await change("curate.accept", async (one) => {
    await decide(one, [{ paper: "doi:be5ab312c7aebbec", decision: "accepted", kind: "manual" }]);
    return {};
  });
  expect(await stale()).not.toContain(false);
});

test("RL-136: building again gives the same bytes", async () => {
  using temp = tempFolder();
  const { ctx } = await chainedLibrary(temp.path);
  const files = ["nodes.parquet", "edges.parquet", "metrics.json", "network.graphml", "clusters.csv"];
  const bytes = async () => {
    await builtOn(ctx(), { networks: ["bibliographic_coupling"], normalise: "association" });
    return files.map((file) =>
      readFileSync(join(temp.path, ".writ/research/networks/bibliographic_coupling", file)).toString(
        "base64",
      ),
    );
  };
  expect(await bytes()).toEqual(await bytes());
});

test("RL-125: too many pairs are skipped with the command that fits, which runs", async () => {
  using temp = tempFolder();
  const { crowd } = await import("./libraries.ts");
  const { ctx } = await crowd(temp.path);
  const first = await builtOn(ctx(), { networks: ["bibliographic_coupling"], max_pairs: 100_000 });
  expect(first.data).toMatchObject({
    networks_built: 0,
    skipped_networks: [
      { fix_command: "writ research build --networks bibliographic_coupling --hub-cap 1999" },
    ],
  });
  expect(first.data.skipped_networks[0]?.reason).toBe(
    "2,000,000 pairs; the 1 largest items make 1,999,000 of them",
  );
  const second = await builtOn(ctx(), { networks: ["bibliographic_coupling"], hub_cap: 1999 });
  expect(second.data.networks).toMatchObject([{ edges: 1000 }]);
  expect(second.context.warnings).toMatchObject([
    { code: "W_HUB_CAP", message: expect.stringMatching(/1 item /) },
  ]);
  expect(metricsOf(temp.path, "bibliographic_coupling").hub).toEqual({ items: 1, pairs: 1_999_000 });
});

test("RL-139: an empty scope is a success that says so; without citers there is a hint", async () => {
  using temp = tempFolder();
  const { ctx } = await seededLibrary(temp.path, []);
  const empty = await builtOn(ctx(), { scope: "accepted" });
  expect(empty.data).toMatchObject({
    networks_built: 0,
    corpus_hash: "",
    reason: "0 papers in scope accepted",
  });
  expect(empty.context.warnings).toMatchObject([{ code: "W_EMPTY_SCOPE" }]);
  using other = tempFolder();
  const seeded = await seededLibrary(other.path);
  const { context, data } = await builtOn(seeded.ctx(), {});
  expect(context.warnings).toMatchObject([
    { code: "W_COCITATION_HINT", remediation: "writ research chain --direction forward" },
  ]);
  expect(data.networks.map(({ kind }) => kind)).not.toContain("cocitation");
});

test("RL-21: a build that was committed and cut off is read from its stage, and moved by the next", async () => {
  using temp = tempFolder();
  const { ctx } = await seededLibrary(temp.path);
  const { data } = await builtOn(ctx(), { networks: ["author_collab"] });
  const networks = join(temp.path, ".writ/research/networks");
  // As a crash between the commit and the exchange leaves it.
  const { mkdirSync, renameSync } = await import("node:fs");
  const stage = join(networks, `.stage-${data.run_id}`);
  mkdirSync(stage);
  for (const name of ["author_collab", "build.json"]) renameSync(join(networks, name), join(stage, name));
  const [found] = await readLibrary(ctx(), (db) => availableBuilds(db, temp.path));
  expect(found?.folder).toBe(join(stage, "author_collab"));
  await builtOn(ctx(), { networks: ["keyword_cooccurrence"] });
  expect(existsSync(stage)).toBe(false);
  expect(existsSync(join(networks, "author_collab/edges.parquet"))).toBe(true);
  expect(Object.keys(JSON.parse(readFileSync(join(networks, "build.json"), "utf8")) as object)).toEqual([
    "author_collab",
    "keyword_cooccurrence",
  ]);
});

test("RL-25: only who sits at the machine may have networks written outside the workspace", async () => {
  using temp = tempFolder();
  using outside = tempFolder();
  const { ctx } = await seededLibrary(temp.path);
  const remote: TestContext = { ...ctx(), local: false };
  await expect(build(remote, z.object(buildInput).parse({ out_dir: outside.path }))).rejects.toMatchObject({
    code: "E_UNSAFE_PATH",
  });
  const { data } = await builtOn(ctx(), { out_dir: outside.path, networks: ["author_collab"] });
  expect(existsSync(join(data.artifacts_dir, "author_collab/edges.parquet"))).toBe(true);
  const builds = await readLibrary(ctx(), (db) => availableBuilds(db, temp.path));
  expect(builds.map(({ folder }) => folder)).toEqual([join(data.artifacts_dir, "author_collab")]);
});

test("RL-11: a rehearsal counts nodes and edges and writes nothing", async () => {
  using temp = tempFolder();
  const { ctx } = await seededLibrary(temp.path);
  const context: TestContext = { ...ctx(), dryRun: true };
  const data = await build(context, z.object(buildInput).parse({}));
  expect(buildOutput.parse(data).networks).toHaveLength(4);
  expect(data.changed).toBe(false);
  expect(readdirSync(join(temp.path, ".writ/research/networks"))).toEqual([]);
  expect(await readLibrary(ctx(), (db) => availableBuilds(db, temp.path))).toEqual([]);
});

async function parquet(file: string): Promise<Record<string, unknown>[]> {
  const db = await Database.open({ file: ":memory:" });
  try {
    return await db.rows("SELECT * FROM read_parquet(?)", [file]);
  } finally {
    db.close();
  }
}
