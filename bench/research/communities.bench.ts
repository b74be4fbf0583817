import { createRequire } from "node:module";
import { communitiesOf } from "../../packages/writ/src/research/analysis/communities.ts";
import { edgesOf, readGraph } from "../../packages/writ/src/research/analysis/graph.ts";
import { seededRandom } from "../../packages/writ/src/research/analysis/random.ts";
import { type Benchmark, interleave } from "../harness.ts";

const require = createRequire(import.meta.url);
const nodes = 20_000;
const size = 300_000;

/** B13: communities with their guarantees, beside three runs of Louvain as others have it. */
export const benchmark: Benchmark = {
  name: "research/communities",
  about: "communities of 300,000 edges, 3 starts, against Louvain in graphology",
  async run({ runs }) {
    const list = planted();
    const graph = await readGraph(edgesOf(nodes, list));
    const theirs = graphologyOf(list);
    const louvain = require("graphology-communities-louvain") as (graph: unknown, options: object) => unknown;
    const samples = await interleave(
      {
        writ: { work: () => void communitiesOf(graph, { resolution: 1, seed: 1, starts: 3 }) },
        graphology: {
          work: () => {
            for (const seed of [1, 2, 3])
              louvain(theirs, { rng: seededRandom(seed), getEdgeWeight: "weight" });
          },
        },
      },
      { runs: Math.min(runs, 5), warmUps: 1 },
    );
    return [
      {
        what: "B13: communities, 3 starts",
        unit: "ms",
        writ: samples.writ,
        target: { kind: "value", atMost: 10_000 },
      },
      {
        what: "B13, beside graphology",
        unit: "ms",
        writ: samples.writ,
        peer: { what: "graphology-communities-louvain, 3 runs", samples: samples.graphology },
        target: { kind: "ratio", atMost: 1 },
      },
    ];
  },
};

/** Two hundred groups that are linked a little with each other; the same each time. */
function planted(): [number, number, number][] {
  const random = seededRandom(7);
  const edges = new Map<number, [number, number, number]>();
  while (edges.size < size) {
    const a = Math.floor(random() * nodes);
    const near = random() < 0.8;
    const b = near ? (a % 200) + 200 * Math.floor(random() * (nodes / 200)) : Math.floor(random() * nodes);
    if (a !== b) edges.set(Math.min(a, b) * nodes + Math.max(a, b), [a, b, 1 + Math.floor(random() * 4)]);
  }
  return [...edges.values()];
}

function graphologyOf(list: readonly [number, number, number][]): unknown {
  const { UndirectedGraph } = require("graphology") as { UndirectedGraph: new () => GraphLike };
  const graph = new UndirectedGraph();
  for (let node = 0; node < nodes; node += 1) graph.addNode(String(node));
  for (const [a, b, weight] of list) graph.addEdge(String(a), String(b), { weight });
  return graph;
}

interface GraphLike {
  addNode(id: string): void;
  addEdge(a: string, b: string, attributes: { weight: number }): void;
}
