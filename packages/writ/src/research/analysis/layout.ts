import { UndirectedGraph } from "graphology";
import commonJs from "graphology-layout-forceatlas2";
import { seededRandom } from "./random.ts";

// Its types speak of a default export; what a CommonJS module exports is the function itself.
const forceAtlas2 = commonJs as unknown as typeof commonJs.default;

const rounds = 300;

/** Where each node is drawn. */
export interface Positions {
  x: Float64Array;
  y: Float64Array;
}

/**
 * ForceAtlas2 (Jacomy et al. 2014) for 300 rounds: nodes begin on a circle in their order, each pushed a little
 * off by the seed, so that the same network is always drawn alike.
 */
export function layOut(
  order: number,
  edges: Iterable<readonly [source: number, target: number, weight: number]>,
  seed: number,
): Positions {
  const random = seededRandom(seed);
  const graph = new UndirectedGraph();
  for (let node = 0; node < order; node += 1) {
    const angle = (2 * Math.PI * node) / order;
    const radius = 100 + random();
    graph.addNode(node, { x: radius * Math.cos(angle), y: radius * Math.sin(angle) });
  }
  for (const [source, target, weight] of edges) graph.mergeEdge(source, target, { weight });
  const found = forceAtlas2(graph, {
    iterations: rounds,
    settings: { ...forceAtlas2.inferSettings(graph), barnesHutOptimize: order > 1000 },
  });
  const positions = { x: new Float64Array(order), y: new Float64Array(order) };
  for (let node = 0; node < order; node += 1) {
    const place = found[node];
    positions.x[node] = finite(place?.x);
    positions.y[node] = finite(place?.y);
  }
  return positions;
}

function finite(value: number | undefined): number {
  return value !== undefined && Number.isFinite(value) ? value : 0;
}
