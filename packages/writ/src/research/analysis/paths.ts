import { at, type Graph } from "./graph.ts";

/** What shortest paths say of each node. */
export interface PathMeasures {
  /** Share of shortest paths of others that run through it, divided by (n - 1)(n - 2) / 2; 0 for n < 3. */
  betweenness: Float64Array;
  /** (r - 1) / (n - 1) · (r - 1) / Σd, with r the nodes it reaches, itself included; 0 when it reaches none. */
  closeness: Float64Array;
}

/**
 * Betweenness by Brandes (2001) and closeness by Wasserman and Faust, both unweighted, in one walk from each node.
 * Time grows with n · m.
 */
export function pathMeasures(graph: Graph, onNode?: (done: number) => void): PathMeasures {
  const { order } = graph;
  const betweenness = new Float64Array(order);
  const closeness = new Float64Array(order);
  const walk = new Walk(graph);
  for (let source = 0; source < order; source += 1) {
    const { reached, distance } = walk.from(source);
    if (distance > 0) closeness[source] = ((reached - 1) / (order - 1)) * ((reached - 1) / distance);
    walk.addDependencies(source, betweenness);
    onNode?.(source + 1);
  }
  // Each pair was met from both of its ends.
  const pairs = (order - 1) * (order - 2);
  for (let node = 0; node < order; node += 1)
    betweenness[node] = pairs > 0 ? at(betweenness, node) / pairs : 0;
  return { betweenness, closeness };
}

/** Breadth first from one node, with the number of shortest paths to each other node. */
class Walk {
  readonly #graph: Graph;
  readonly #line: Int32Array;
  readonly #depths: Int32Array;
  readonly #counts: Float64Array;
  readonly #dependencies: Float64Array;
  #reached = 0;

  constructor(graph: Graph) {
    this.#graph = graph;
    this.#line = new Int32Array(graph.order);
    this.#depths = new Int32Array(graph.order);
    this.#counts = new Float64Array(graph.order);
    this.#dependencies = new Float64Array(graph.order);
  }

  from(source: number): { reached: number; distance: number } {
    const { offsets, targets } = this.#graph;
    const [line, depths, counts] = [this.#line, this.#depths.fill(-1), this.#counts.fill(0)];
    line[0] = source;
    depths[source] = 0;
    counts[source] = 1;
    let [reached, distance] = [1, 0];
    for (let head = 0; head < reached; head += 1) {
      const node = at(line, head);
      distance += at(depths, node);
      for (let k = at(offsets, node); k < at(offsets, node + 1); k += 1) {
        const other = at(targets, k);
        if (at(depths, other) === -1) {
          depths[other] = at(depths, node) + 1;
          line[reached] = other;
          reached += 1;
        }
        if (at(depths, other) === at(depths, node) + 1) counts[other] = at(counts, other) + at(counts, node);
      }
    }
    this.#reached = reached;
    return { reached, distance };
  }

  /** Adds what the source's shortest paths owe to each node between, from the farthest back. */
  addDependencies(source: number, betweenness: Float64Array): void {
    const { offsets, targets } = this.#graph;
    const [depths, counts, owed] = [this.#depths, this.#counts, this.#dependencies.fill(0)];
    for (let last = this.#reached - 1; last > 0; last -= 1) {
      const node = at(this.#line, last);
      const share = (1 + at(owed, node)) / at(counts, node);
      for (let k = at(offsets, node); k < at(offsets, node + 1); k += 1) {
        const before = at(targets, k);
        if (at(depths, before) === at(depths, node) - 1) {
          owed[before] = at(owed, before) + at(counts, before) * share;
        }
      }
      if (node !== source) betweenness[node] = at(betweenness, node) + at(owed, node);
    }
  }
}
