import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { karateClubs, karateEdges, sixtyClasses, sixtyEdges, twinEdges } from "./appendix.fixture.ts";
import { communitiesOf, modularityOf, startsFor } from "./communities.ts";
import { edgesOf, readGraph } from "./graph.ts";
import { measure, measureLimits } from "./measure.ts";

const asked = { resolution: 1, seed: 1, starts: 10 };

async function measured(
  order: number,
  list: readonly [number, number, number][],
  categories?: readonly number[],
) {
  const degrees = new Int32Array(order);
  for (const [a, b] of list) for (const end of [a, b]) degrees[end] = (degrees[end] ?? 0) + 1;
  const edges = edgesOf(order, list);
  const found = await measure({ edges, degrees, communities: asked, ...(categories && { categories }) });
  return { ...found, degrees, graph: await readGraph(edges), m: list.length };
}

const unweighted = (list: readonly [number, number, number][]) =>
  list.map(([a, b]): [number, number, number] => [a, b, 1]);

/** To 1e-6, as the numbers are given. */
const near = (value: number | null | undefined, expected: number) => expect(value).toBeCloseTo(expected, 5.7);

describe("measures", () => {
  test("RL-184, RL-183: the karate club", async () => {
    const k = await measured(34, karateEdges, karateClubs);
    expect(k.m).toBe(78);
    near(k.clustering?.average, 0.570638);
    near(k.clustering?.transitivity, 0.255682);
    expect(k.clustering?.triangles).toBe(45);
    near(k.degreeMixing.value, -0.475613);
    near(k.attributeMixing?.value, 0.717531);
    near(modularityOf(k.graph, karateClubs), 0.358235);
    const rows: [number, number, number, number, number, number, number][] = [
      [1, 16, 0.437635, 0.568966, 0.096997, 0.15, 4],
      [34, 17, 0.304075, 0.55, 0.100919, 0.110294, 4],
      [33, 12, 0.145247, 0.515625, 0.071693, 0.19697, 4],
      [3, 10, 0.143657, 0.559322, 0.057079, 0.244444, 4],
      [17, 2, 0, 0.284483, 0.016784, 1, 2],
      [12, 1, 0, 0.366667, 0.009565, 0, 1],
    ];
    for (const [node, degree, betweenness, closeness, rank, clustering, core] of rows) {
      expect(k.degrees[node - 1]).toBe(degree);
      near(k.betweenness?.[node - 1], betweenness);
      near(k.closeness?.[node - 1], closeness);
      near(k.pageRank?.[node - 1], rank);
      near(k.clustering?.local[node - 1], clustering);
      expect(k.cores?.[node - 1]).toBe(core);
    }
    const inner = [...(k.cores ?? [])].flatMap((core, node) => (core === 4 ? [node + 1] : []));
    expect(inner).toEqual([1, 2, 3, 4, 8, 9, 14, 31, 33, 34]);
    near(k.communities?.quality.modularity, 0.41979);
    expect(k.communities?.count).toBe(4);
    expect(sizes(k.communities?.labels)).toEqual([12, 11, 6, 5]);
    expect(k.communities?.quality.node_optimal).toBe(true);
  });

  test("RL-185, RL-183: two complete graphs of four", async () => {
    const t = await measured(8, twinEdges, [0, 0, 0, 1, 1, 1, 1, 1]);
    expect(t.m).toBe(13);
    near(t.clustering?.average, 0.875);
    near(t.clustering?.transitivity, 0.8);
    expect(Array.from(t.betweenness ?? [], (value) => value > 0)).toEqual(
      [0, 0, 0, 1, 1, 0, 0, 0].map((one) => one === 1),
    );
    near(t.betweenness?.[3], 12 / 21);
    near(t.closeness?.[3], 0.7);
    near(t.closeness?.[0], 0.5);
    near(t.pageRank?.[3], 0.149805);
    near(t.pageRank?.[0], 0.116732);
    near(t.degreeMixing.value, -0.083333);
    near(t.attributeMixing?.value, 0.490196);
    expect(new Set(t.cores)).toEqual(new Set([3]));
    expect([...(t.communities?.labels ?? [])]).toEqual([0, 0, 0, 0, 1, 1, 1, 1]);
    near(t.communities?.quality.modularity, 0.423077);
  });

  test("RL-186, RL-183: sixty nodes by arithmetic", async () => {
    const g = await measured(60, sixtyEdges, sixtyClasses);
    const plain = await measured(60, unweighted(sixtyEdges));
    expect(g.m).toBe(228);
    expect(g.components).toEqual({ count: 1, largest: 60 });
    near(g.clustering?.average, 0.111202);
    near(g.clustering?.transitivity, 0.101414);
    near(g.degreeMixing.value, -0.073759);
    near(g.attributeMixing?.value, 0.209847);
    near(modularityOf(g.graph, sixtyClasses), 0.18085);
    near(modularityOf(plain.graph, sixtyClasses), 0.15725);
    near(modularityOf(g.graph, sixtyClasses, 1.5), 0.055604);
    expect(Math.max(...(g.cores ?? []))).toBe(5);
    const rows: [number, number, number, number, number, number, number, number, number][] = [
      [0, 9, 29, 0.023104, 0.472, 0.022091, 0.019128, 0.083333, 5],
      [7, 6, 17, 0.01036, 0.450382, 0.014214, 0.01358, 0.066667, 5],
      [13, 9, 22, 0.032198, 0.487603, 0.017918, 0.019405, 0.138889, 5],
      [42, 11, 29, 0.039719, 0.517544, 0.022346, 0.022758, 0.054545, 5],
      [59, 7, 15, 0.012714, 0.44697, 0.012721, 0.015651, 0.142857, 5],
    ];
    for (const [node, degree, strength, betweenness, closeness, rank, bare, clustering, core] of rows) {
      expect(g.degrees[node]).toBe(degree);
      const ends = sixtyEdges.filter(([a, b]) => a === node || b === node);
      expect(ends.reduce((sum, [, , weight]) => sum + weight, 0)).toBe(strength);
      near(g.betweenness?.[node], betweenness);
      near(g.closeness?.[node], closeness);
      near(g.pageRank?.[node], rank);
      near(plain.pageRank?.[node], bare);
      near(g.clustering?.local[node], clustering);
      expect(g.cores?.[node]).toBe(core);
    }
  });

  test("RL-133: mixing of a path, by category and by degree", async () => {
    const three: [number, number, number][] = [
      [0, 1, 1],
      [1, 2, 1],
    ];
    const path = await measured(3, three, [0, 0, 1]);
    expect(path.attributeMixing?.value).toBeCloseTo(-1 / 3, 9);
    expect((await measured(4, [...three, [2, 3, 1]])).degreeMixing.value).toBeCloseTo(-0.5, 9);
  });

  test("RL-132: a coefficient that is not defined is null with its reason", async () => {
    const triangle = await measured(
      3,
      [
        [0, 1, 1],
        [0, 2, 1],
        [1, 2, 1],
      ],
      [0, 0, 0],
    );
    expect(triangle.degreeMixing).toEqual({ value: null, reason: "undefined" });
    expect(triangle.attributeMixing).toEqual({ value: null, reason: "undefined", missing: 0 });
  });

  test("RL-131: what is too large is left out and told, unless limits are lifted", async () => {
    const order = 20_000;
    const star = Array.from({ length: order - 1 }, (_, k): [number, number, number] => [0, k + 1, 1]);
    const request = {
      edges: edgesOf(order, star),
      degrees: Int32Array.from({ length: order }, (_, node) => (node === 0 ? order - 1 : 1)),
    };
    const found = await measure(request);
    expect(found.limited).toEqual(
      ["betweenness", "closeness"].map((name) => ({
        measure: name,
        limit: measureLimits.paths,
        found: order * (order - 1),
      })),
    );
    expect(found.betweenness).toBeNull();
    expect(found.clustering?.transitivity).toBe(0);
    expect(found.cores?.[0]).toBe(1);
  });

  test("RL-134: the same seed finds the same communities, and a lower resolution no more of them", async () => {
    const graph = await readGraph(edgesOf(60, sixtyEdges));
    const first = communitiesOf(graph, asked);
    for (let run = 0; run < 9; run += 1) expect(communitiesOf(graph, asked)).toEqual(first);
    expect(communitiesOf(graph, { ...asked, resolution: 0.01 }).count).toBe(1);
    expect(communitiesOf(graph, { ...asked, resolution: 4 }).count).toBeGreaterThan(first.count);
  });

  test("RL-134: large networks are given fewer starts", () => {
    const starts = [100_000, 100_001, 1_000_000, 1_000_001].map((size) => startsFor(size, 10));
    expect(starts).toEqual([10, 3, 3, 1]);
    expect(startsFor(200_000, 2)).toBe(2);
  });

  test("RL-135: every community is connected and no node gains by moving", () =>
    fc.assert(
      fc.asyncProperty(graphs, async ({ order, edges }) => {
        const graph = await readGraph(edgesOf(order, edges));
        const { labels, count, quality } = communitiesOf(graph, { ...asked, starts: 2 });
        expect(quality.node_optimal).toBe(true);
        const inside = edges.filter(([a, b]) => labels[a] === labels[b]);
        expect(partsOf(order, inside)).toBe(count);
        for (let node = 0; node < order; node += 1) {
          for (const other of new Set(labels)) {
            if (
              !edges.some(
                ([a, b]) => (a === node && labels[b] === other) || (b === node && labels[a] === other),
              )
            )
              continue;
            const moved = labels.slice();
            moved[node] = other;
            expect(modularityOf(graph, moved)).toBeLessThanOrEqual(quality.modularity + 1e-9);
          }
        }
      }),
      { numRuns: 60 },
    ));

  test("RL-136: communities are numbered by size, then by their smallest member", () =>
    fc.assert(
      fc.asyncProperty(graphs, async ({ order, edges }) => {
        const { labels } = communitiesOf(await readGraph(edgesOf(order, edges)), { ...asked, starts: 1 });
        const groups = [...new Set(labels)]
          .toSorted((a, b) => a - b)
          .map((label) => ({
            label,
            first: labels.indexOf(label),
            size: labels.filter((one) => one === label).length,
          }));
        expect(groups).toEqual(groups.toSorted((a, b) => b.size - a.size || a.first - b.first));
        expect(groups.map(({ label }) => label)).toEqual(groups.map((_, at) => at));
      }),
      { numRuns: 40 },
    ));
});

/** Small graphs with at least one edge; nodes without an edge may occur. */
const graphs = fc
  .record({
    order: fc.integer({ min: 2, max: 14 }),
    seeds: fc.array(fc.tuple(fc.nat(), fc.nat(), fc.integer({ min: 1, max: 5 })), {
      minLength: 1,
      maxLength: 40,
    }),
  })
  .map(({ order, seeds }) => {
    const edges = new Map<string, [number, number, number]>([["0-1", [0, 1, 1]]]);
    for (const [x, y, weight] of seeds) {
      const [a, b] = [x % order, y % order];
      if (a !== b) edges.set(`${Math.min(a, b)}-${Math.max(a, b)}`, [Math.min(a, b), Math.max(a, b), weight]);
    }
    return { order, edges: [...edges.values()] };
  });

function sizes(labels: Int32Array | undefined): number[] {
  const counts: number[] = [];
  for (const label of labels ?? []) counts[label] = (counts[label] ?? 0) + 1;
  return counts;
}

function partsOf(order: number, edges: readonly [number, number, number][]): number {
  const parts = Array.from({ length: order }, (_, node) => node);
  for (let changed = true; changed; ) {
    changed = false;
    for (const [a, b] of edges) {
      const least = Math.min(parts[a] ?? 0, parts[b] ?? 0);
      if (parts[a] !== least || parts[b] !== least) changed = true;
      parts[a] = least;
      parts[b] = least;
    }
  }
  return new Set(parts).size;
}
