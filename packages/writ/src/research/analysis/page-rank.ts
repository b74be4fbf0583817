import { at, type Graph } from "./graph.ts";

const damping = 0.85;
const tolerance = 1e-10;
const mostRounds = 1000;

/**
 * PageRank, weighted, damping 0.85: the shares sum to 1. `arcs` holds the neighbours a node gives its rank to; of a
 * directed network only those it cites. Null when 1,000 rounds do not bring the change below 1e-10.
 */
export function pageRank(arcs: Graph): Float64Array | null {
  const { order, offsets, targets, weights } = arcs;
  const given = new Float64Array(order);
  for (let node = 0; node < order; node += 1) {
    for (let k = at(offsets, node); k < at(offsets, node + 1); k += 1)
      given[node] = at(given, node) + at(weights, k);
  }
  let ranks = new Float64Array(order).fill(1 / order);
  for (let round = 0; round < mostRounds; round += 1) {
    const next = new Float64Array(order);
    // Who gives to nobody gives to all.
    let stuck = 0;
    for (let node = 0; node < order; node += 1) {
      const total = at(given, node);
      if (total === 0) stuck += at(ranks, node);
      const share = total === 0 ? 0 : (damping * at(ranks, node)) / total;
      for (let k = at(offsets, node); k < at(offsets, node + 1); k += 1) {
        const target = at(targets, k);
        next[target] = at(next, target) + share * at(weights, k);
      }
    }
    const base = (1 - damping + damping * stuck) / order;
    let change = 0;
    for (let node = 0; node < order; node += 1) {
      next[node] = at(next, node) + base;
      change += Math.abs(at(next, node) - at(ranks, node));
    }
    ranks = next;
    if (change < tolerance) return ranks;
  }
  return null;
}
