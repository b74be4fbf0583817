import { createRequire } from "node:module";
import fc from "fast-check";
import { UndirectedGraph } from "graphology";
import { expect, test } from "vitest";
import { communitiesOf } from "./communities.ts";
import { edgesOf, readGraph } from "./graph.ts";
import { pageRank } from "./page-rank.ts";
import { pathMeasures } from "./paths.ts";
import { seededRandom } from "./random.ts";

// CommonJS, each module a function.
const require = createRequire(import.meta.url);
type Measure = (graph: unknown, options: object) => Record<string, number>;
const betweenness = require("graphology-metrics/centrality/betweenness") as Measure;
const closeness = require("graphology-metrics/centrality/closeness") as Measure;
const pagerank = require("graphology-metrics/centrality/pagerank") as Measure;
const louvain = require("graphology-communities-louvain") as {
  detailed(graph: unknown, options: object): { modularity: number };
};

const graphs = fc
  .record({ order: fc.integer({ min: 3, max: 20 }), seed: fc.nat(), density: fc.integer({ min: 1, max: 4 }) })
  .map(({ order, seed, density }) => {
    const random = seededRandom(seed);
    const edges = new Map<string, [number, number, number]>([["0-1", [0, 1, 2]]]);
    for (let k = 0; k < order * density; k += 1) {
      const [a, b] = [Math.floor(random() * order), Math.floor(random() * order)].toSorted((x, y) => x - y);
      if (a !== undefined && b !== undefined && a !== b)
        edges.set(`${a}-${b}`, [a, b, 1 + Math.floor(random() * 4)]);
    }
    return { order, edges: [...edges.values()] };
  });

test("RL-131: measures are those of another implementation, and communities are no worse", () =>
  fc.assert(
    fc.asyncProperty(graphs, async ({ order, edges }) => {
      const theirs = new UndirectedGraph();
      for (let node = 0; node < order; node += 1) theirs.addNode(node);
      for (const [a, b, weight] of edges) theirs.addEdge(a, b, { weight });
      const graph = await readGraph(edgesOf(order, edges));
      const ours = pathMeasures(graph);
      const linked = Array.from({ length: order }, (_, node) => node).filter(
        (node) => theirs.degree(node) > 0,
      );
      const between = betweenness(theirs, { getEdgeWeight: null, normalized: true });
      const close = closeness(theirs, { wassermanFaust: true });
      const ranks = pagerank(theirs, {
        alpha: 0.85,
        tolerance: 1e-12,
        maxIterations: 1000,
        getEdgeWeight: "weight",
      });
      const found = pageRank(graph);
      for (const node of linked) {
        expect(ours.betweenness[node]).toBeCloseTo(between[node] ?? Number.NaN, 9);
        expect(ours.closeness[node]).toBeCloseTo(close[node] ?? Number.NaN, 9);
        expect(found?.[node]).toBeCloseTo(ranks[node] ?? Number.NaN, 7);
      }
      const { quality } = communitiesOf(graph, { resolution: 1, seed: 1, starts: 10 });
      const other = louvain.detailed(theirs, { rng: seededRandom(1), getEdgeWeight: "weight" });
      expect(quality.modularity).toBeGreaterThan(other.modularity - 0.02);
    }),
    { numRuns: 60 },
  ));
