/**
 * A graph as numbers: nodes are 0 to n - 1 in the order of their ids, and each edge stands once with its smaller
 * end first. A map of objects for each edge costs about 300 bytes an edge; these arrays cost 24.
 */

/** Some edges at a time. `weights` may be left out where all are 1. */
export interface EdgeChunk {
  sources: ArrayLike<number>;
  targets: ArrayLike<number>;
  weights?: ArrayLike<number>;
}

/** Edges that can be read again and again; they need not fit in memory. Order is by source, then target. */
export interface EdgeSource {
  /** Nodes. */
  order: number;
  /** Edges. */
  size: number;
  chunks(): AsyncIterable<EdgeChunk> | Iterable<EdgeChunk>;
  /** The same in any order, without weights, where that costs less: for what is counted only. */
  unordered?(): AsyncIterable<EdgeChunk>;
}

/** A graph in memory as neighbours of each node, sorted. An undirected edge stands at both of its ends. */
export interface Graph {
  order: number;
  size: number;
  /** Where the neighbours of a node begin in `targets`; one longer than there are nodes. */
  offsets: Int32Array;
  targets: Int32Array;
  /** As long as `targets`. */
  weights: Float64Array;
}

/** Reads the edges twice: once to count, once to place. */
export async function readGraph(edges: EdgeSource, { directed = false } = {}): Promise<Graph> {
  const { order, size } = edges;
  const offsets = new Int32Array(order + 1);
  for await (const { sources, targets } of edges.chunks()) {
    for (let at = 0; at < sources.length; at += 1) {
      count(offsets, sources[at] as number);
      if (!directed) count(offsets, targets[at] as number);
    }
  }
  for (let node = 0; node < order; node += 1) offsets[node + 1] = at(offsets, node + 1) + at(offsets, node);
  const next = offsets.slice(0, order);
  const ends = at(offsets, order);
  const graph = { order, size, offsets, targets: new Int32Array(ends), weights: new Float64Array(ends) };
  const place = (from: number, to: number, weight: number) => {
    const here = at(next, from);
    graph.targets[here] = to;
    graph.weights[here] = weight;
    next[from] = here + 1;
  };
  for await (const { sources, targets, weights } of edges.chunks()) {
    for (let edge = 0; edge < sources.length; edge += 1) {
      const [source, target, weight] = [
        sources[edge] as number,
        targets[edge] as number,
        weights?.[edge] ?? 1,
      ];
      place(source, target, weight);
      if (!directed) place(target, source, weight);
    }
  }
  return graph;
}

function count(offsets: Int32Array, node: number): void {
  offsets[node + 1] = at(offsets, node + 1) + 1;
}

/** An element that is known to be there. */
export function at(list: ArrayLike<number>, index: number): number {
  return list[index] as number;
}

/** Edges that are in memory already; sorted here. */
export function edgesOf(order: number, list: readonly (readonly [number, number, number?])[]): EdgeSource {
  const sorted = list
    .map(([a, b, weight = 1]) => (a < b ? ([a, b, weight] as const) : ([b, a, weight] as const)))
    .toSorted((x, y) => x[0] - y[0] || x[1] - y[1]);
  return {
    order,
    size: sorted.length,
    chunks: () => [
      {
        sources: sorted.map(([source]) => source),
        targets: sorted.map(([, target]) => target),
        weights: sorted.map(([, , weight]) => weight),
      },
    ],
  };
}
