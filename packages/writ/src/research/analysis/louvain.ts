import { at, type Graph } from "./graph.ts";
import { seededRandom, shuffled } from "./random.ts";

/** What a move must gain in modularity to count; below it is rounding. */
const leastGain = 1e-12;

/** A graph of communities of a graph; what lies inside a node is a loop. */
interface Level extends Graph {
  /** Weight of the loop of each node, once. */
  loops: Float64Array;
}

/**
 * Louvain (Blondel et al. 2008) with resolution: nodes, in an order drawn from the seed, move to the neighbouring
 * community of greatest gain until none gains; communities become nodes; again, until nothing moves.
 * @returns the community of each node, as numbers without order.
 */
export function louvain(
  graph: Graph,
  { seed, resolution }: { seed: number; resolution: number },
): Int32Array {
  const random = seededRandom(seed);
  const member = Int32Array.from({ length: graph.order }, (_, node) => node);
  let level: Level = { ...graph, loops: new Float64Array(graph.order) };
  for (;;) {
    const partition = new Partition(level, resolution);
    const order = shuffled(level.order, random);
    if (partition.settle(order) === 0) return member;
    const { numbers, count } = renumbered(partition.communities);
    for (let node = 0; node < member.length; node += 1) member[node] = at(numbers, at(member, node));
    if (count === level.order) return member;
    level = aggregate(level, numbers, count);
  }
}

/** Communities of one level while nodes move between them. */
export class Partition {
  readonly communities: Int32Array;
  readonly #level: Graph & { loops?: Float64Array };
  readonly #resolution: number;
  readonly #strengths: Float64Array;
  readonly #totals: Float64Array;
  /** Twice the weight in all. */
  readonly #double: number;
  // Weight from the node at hand to each community it touches, and which those are.
  readonly #toward: Float64Array;
  readonly #touched: Int32Array;

  constructor(level: Graph & { loops?: Float64Array }, resolution: number, communities?: Int32Array) {
    const { order } = level;
    this.#level = level;
    this.#resolution = resolution;
    this.communities = communities ?? Int32Array.from({ length: order }, (_, node) => node);
    this.#strengths = strengthsOf(level);
    this.#totals = new Float64Array(order);
    this.#strengths.forEach((strength, node) => {
      const community = at(this.communities, node);
      this.#totals[community] = at(this.#totals, community) + strength;
    });
    this.#double = this.#strengths.reduce((sum, strength) => sum + strength, 0);
    this.#toward = new Float64Array(order);
    this.#touched = new Int32Array(order);
  }

  /**
   * Moves nodes where they gain most, the given order first, then whoever has a neighbour that moved away from them;
   * answers how many moves were made. Most nodes are looked at a few times only, instead of once in each pass.
   */
  settle(order: ArrayLike<number>): number {
    const { offsets, targets } = this.#level;
    const line = Int32Array.from(order);
    const waiting = new Uint8Array(line.length).fill(1);
    let moves = 0;
    let left = line.length;
    for (let head = 0; left > 0; head = head + 1 === line.length ? 0 : head + 1) {
      const node = at(line, head);
      waiting[node] = 0;
      left -= 1;
      const best = this.#best(node);
      if (best === at(this.communities, node)) continue;
      this.#move(node, best);
      moves += 1;
      for (let k = at(offsets, node); k < at(offsets, node + 1); k += 1) {
        const other = at(targets, k);
        if (at(waiting, other) === 1 || at(this.communities, other) === best) continue;
        // The line is a ring: as many places are free as nodes do not wait.
        line[(head + 1 + left) % line.length] = other;
        waiting[other] = 1;
        left += 1;
      }
    }
    return moves;
  }

  /** Moves each node, in the given order, where it gains most; answers how many moved. */
  pass(order: ArrayLike<number>): number {
    let moved = 0;
    for (let k = 0; k < order.length; k += 1) {
      const node = at(order, k);
      const best = this.#best(node);
      if (best === at(this.communities, node)) continue;
      this.#move(node, best);
      moved += 1;
    }
    return moved;
  }

  /** Whether no single node gains by moving to a neighbouring community. */
  settled(): boolean {
    return this.communities.every((community, node) => this.#best(node) === community);
  }

  #move(node: number, community: number): void {
    const [from, strength] = [at(this.communities, node), at(this.#strengths, node)];
    this.#totals[from] = at(this.#totals, from) - strength;
    this.#totals[community] = at(this.#totals, community) + strength;
    this.communities[node] = community;
  }

  /** The community a node would gain most by belonging to; its own unless another gains more than rounding. */
  #best(node: number): number {
    const { offsets, targets, weights } = this.#level;
    const [toward, touched] = [this.#toward, this.#touched];
    const own = at(this.communities, node);
    let count = 0;
    for (let k = at(offsets, node); k < at(offsets, node + 1); k += 1) {
      const community = at(this.communities, at(targets, k));
      if (at(toward, community) === 0) touched[count++] = community;
      toward[community] = at(toward, community) + at(weights, k);
    }
    const strength = at(this.#strengths, node);
    const pull = (this.#resolution * strength) / this.#double;
    const stay = at(toward, own) - pull * (at(this.#totals, own) - strength);
    // In units of weight: a gain g in modularity is g · m here.
    const least = (leastGain * this.#double) / 2;
    let [best, most] = [own, stay + least];
    for (let k = 0; k < count; k += 1) {
      const community = at(touched, k);
      const gain = at(toward, community) - pull * at(this.#totals, community);
      if (community !== own && gain > most) [best, most] = [community, gain];
    }
    for (let k = 0; k < count; k += 1) toward[at(touched, k)] = 0;
    return best;
  }
}

/** Sum of weights at each node; a loop counts twice. */
export function strengthsOf({
  order,
  offsets,
  weights,
  loops,
}: Graph & { loops?: Float64Array }): Float64Array {
  const strengths = new Float64Array(order);
  for (let node = 0; node < order; node += 1) {
    let sum = 2 * (loops?.[node] ?? 0);
    for (let k = at(offsets, node); k < at(offsets, node + 1); k += 1) sum += at(weights, k);
    strengths[node] = sum;
  }
  return strengths;
}

/** Numbers from 0 in the order in which communities are met. */
function renumbered(communities: Int32Array): { numbers: Int32Array; count: number } {
  const known = new Map<number, number>();
  const numbers = communities.map((community) => {
    const number = known.get(community) ?? known.size;
    known.set(community, number);
    return number;
  });
  return { numbers, count: known.size };
}

function aggregate(level: Level, numbers: Int32Array, count: number): Level {
  const members = Array.from({ length: count }, (): number[] => []);
  numbers.forEach((number, node) => members[number]?.push(node));
  const loops = new Float64Array(count);
  const offsets = new Int32Array(count + 1);
  const [targets, weights]: [number[], number[]] = [[], []];
  const toward = new Float64Array(count);
  members.forEach((nodes, number) => {
    const touched: number[] = [];
    for (const node of nodes) {
      loops[number] = at(loops, number) + at(level.loops, node);
      for (let k = at(level.offsets, node); k < at(level.offsets, node + 1); k += 1) {
        const other = at(numbers, at(level.targets, k));
        if (at(toward, other) === 0) touched.push(other);
        toward[other] = at(toward, other) + at(level.weights, k);
      }
    }
    for (const other of touched.toSorted((a, b) => a - b)) {
      // Inside, each edge was met from both of its ends.
      if (other === number) loops[number] = at(loops, number) + at(toward, other) / 2;
      else {
        targets.push(other);
        weights.push(at(toward, other));
      }
      toward[other] = 0;
    }
    offsets[number + 1] = targets.length;
  });
  return {
    order: count,
    size: targets.length / 2,
    offsets,
    targets: Int32Array.from(targets),
    weights: Float64Array.from(weights),
    loops,
  };
}
