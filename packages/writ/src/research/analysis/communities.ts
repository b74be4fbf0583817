import { at, type Graph } from "./graph.ts";
import { louvain, Partition, strengthsOf } from "./louvain.ts";

export interface CommunityOptions {
  /** γ of the modularity; 1 is the usual one. */
  resolution: number;
  seed: number;
  /** Runs with seeds `seed`, `seed + 1`, …; the best is kept. */
  starts: number;
}

/** What is said of a partition beside it. */
export interface Quality {
  modularity: number;
  starts: number;
  seed_used: number;
  /** Communities that hung together only through others, and were split. */
  disconnected_split: number;
  /** Nodes moved after Louvain had ended. */
  moves: number;
  /** Whether no node gains by moving to a neighbouring community. */
  node_optimal: boolean;
}

export interface Communities {
  /** Of each node, numbered from 0 by size, largest first, then by smallest member. */
  labels: Int32Array;
  count: number;
  quality: Quality;
}

const mostPasses = 20;

/** Fewer starts where each costs more: at most 3 above 100,000 edges, 1 above a million. */
export function startsFor(size: number, asked: number): number {
  if (size > 1_000_000) return 1;
  return size > 100_000 ? Math.min(asked, 3) : asked;
}

/**
 * Communities of greatest modularity over several starts of Louvain, with the two guarantees of Leiden (Traag et
 * al. 2019) made true afterwards: every community is connected, and no single node gains by moving.
 */
export function communitiesOf(graph: Graph, options: CommunityOptions): Communities {
  const starts = startsFor(graph.size, options.starts);
  let best: { members: Int32Array; modularity: number; seed: number } | undefined;
  for (let seed = options.seed; seed < options.seed + starts; seed += 1) {
    const members = louvain(graph, { seed, resolution: options.resolution });
    const modularity = modularityOf(graph, members, options.resolution);
    if (!best || modularity > best.modularity) best = { members, modularity, seed };
  }
  if (!best) throw new RangeError("communities need at least one start");
  const { members, split, moves, settled } = improved(graph, best.members, options.resolution);
  const { labels, count } = labelled(members);
  return {
    labels,
    count,
    quality: {
      modularity: modularityOf(graph, labels, options.resolution),
      starts,
      seed_used: best.seed,
      disconnected_split: split,
      moves,
      node_optimal: settled,
    },
  };
}

/** Σ over communities of L/m - γ (d / 2m)²: L the weight inside, d the strength, m the weight in all; 0 if m is 0. */
export function modularityOf(graph: Graph, members: ArrayLike<number>, resolution = 1): number {
  const { order, offsets, targets, weights } = graph;
  const strengths = strengthsOf(graph);
  const [inside, totals] = [new Map<number, number>(), new Map<number, number>()];
  let double = 0;
  for (let node = 0; node < order; node += 1) {
    const own = at(members, node);
    double += at(strengths, node);
    totals.set(own, (totals.get(own) ?? 0) + at(strengths, node));
    for (let k = at(offsets, node); k < at(offsets, node + 1); k += 1) {
      if (at(members, at(targets, k)) === own) inside.set(own, (inside.get(own) ?? 0) + at(weights, k));
    }
  }
  if (double === 0) return 0;
  let sum = 0;
  for (const [community, total] of totals) {
    sum += (inside.get(community) ?? 0) / double - resolution * (total / double) ** 2;
  }
  return sum;
}

/** Splits and moves until both guarantees hold; passes are bounded, so the answer says whether they do. */
function improved(graph: Graph, start: Int32Array, resolution: number) {
  const order = Int32Array.from({ length: graph.order }, (_, node) => node);
  let { members, split } = connected(graph, start);
  let moves = 0;
  for (let passes = 0; passes < mostPasses; ) {
    const partition = new Partition(graph, resolution, members);
    let moved = 0;
    do {
      moved = partition.pass(order);
      moves += moved;
      passes += 1;
    } while (moved > 0 && passes < mostPasses);
    const again = connected(graph, partition.communities);
    members = again.members;
    split += again.split;
    if (again.split === 0) break;
  }
  return { members, split, moves, settled: new Partition(graph, resolution, members.slice()).settled() };
}

/** Each connected part of each community as a community; a split never lowers modularity. */
function connected(graph: Graph, members: Int32Array): { members: Int32Array; split: number } {
  const { order, offsets, targets } = graph;
  const parts = new Int32Array(order).fill(-1);
  const line = new Int32Array(order);
  let count = 0;
  for (let first = 0; first < order; first += 1) {
    if (at(parts, first) !== -1) continue;
    let [head, tail] = [0, 1];
    line[0] = first;
    parts[first] = count;
    while (head < tail) {
      const node = at(line, head++);
      for (let k = at(offsets, node); k < at(offsets, node + 1); k += 1) {
        const other = at(targets, k);
        if (at(parts, other) !== -1 || at(members, other) !== at(members, node)) continue;
        parts[other] = count;
        line[tail++] = other;
      }
    }
    count += 1;
  }
  return { members: parts, split: count - new Set(members).size };
}

/** Numbers from 0 by size, largest first, then by smallest member. */
function labelled(members: Int32Array): { labels: Int32Array; count: number } {
  const groups = new Map<number, { first: number; size: number }>();
  members.forEach((member, node) => {
    const group = groups.get(member);
    if (group) group.size += 1;
    else groups.set(member, { first: node, size: 1 });
  });
  const ranked = [...groups].toSorted(([, a], [, b]) => b.size - a.size || a.first - b.first);
  const numbers = new Map(ranked.map(([member], number) => [member, number]));
  return { labels: members.map((member) => numbers.get(member) ?? 0), count: ranked.length };
}
