import { at, type Graph } from "./graph.ts";

/** Triangles at each node, and what follows from them. */
export interface Clustering {
  /** Mean over nodes of triangles / (d (d - 1) / 2), 0 for a node of degree below 2. */
  average: number;
  /** 3 · triangles / paths of length two; 0 without such a path. */
  transitivity: number;
  triangles: number;
  /** Of each node. */
  local: Float64Array;
}

/** Neighbours as rows of bits: two rows are compared 32 nodes at a time. */
export class BitRows {
  readonly #words: number;
  readonly #bits: Uint32Array;
  readonly order: number;

  constructor(order: number) {
    this.order = order;
    this.#words = Math.ceil(order / 32);
    this.#bits = new Uint32Array(order * this.#words);
  }

  join(a: number, b: number): void {
    this.#set(a, b);
    this.#set(b, a);
  }

  #set(row: number, column: number): void {
    const word = row * this.#words + (column >>> 5);
    this.#bits[word] = at(this.#bits, word) | (1 << (column & 31));
  }

  /** Twice the triangles at each node. */
  triangleEnds(): Float64Array {
    const ends = new Float64Array(this.order);
    for (let node = 0; node < this.order; node += 1) {
      this.#later(node, (other) => {
        const shared = this.#shared(node, other);
        ends[node] = at(ends, node) + shared;
        ends[other] = at(ends, other) + shared;
      });
    }
    return ends;
  }

  /** Each neighbour of a node that comes after it. */
  #later(node: number, visit: (other: number) => void): void {
    const first = (node + 1) >>> 5;
    for (let word = first; word < this.#words; word += 1) {
      let left = at(this.#bits, node * this.#words + word);
      if (word === first) left &= -1 << ((node + 1) & 31);
      while (left !== 0) {
        const bit = 31 - Math.clz32(left & -left);
        visit(word * 32 + bit);
        left &= left - 1;
      }
    }
  }

  #shared(a: number, b: number): number {
    const [bits, words] = [this.#bits, this.#words];
    let [from, other, shared] = [a * words, b * words, 0];
    for (const end = from + words; from < end; from += 1, other += 1) {
      shared += ones(at(bits, from) & at(bits, other));
    }
    return shared;
  }
}

/** The bits that are set in a word, counted in parallel. */
function ones(word: number): number {
  let left = word - ((word >>> 1) & 0x55555555);
  left = (left & 0x33333333) + ((left >>> 2) & 0x33333333);
  return Math.imul((left + (left >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** The same for graphs with too many nodes for rows of bits: the shorter list of neighbours is looked through. */
export function triangleEndsOf(graph: Graph): Float64Array {
  const { order, offsets, targets } = graph;
  const ends = new Float64Array(order);
  const degree = (node: number) => at(offsets, node + 1) - at(offsets, node);
  // The node whose neighbours are marked; marks are never taken off, they are outdated.
  const marks = new Int32Array(order).fill(-1);
  for (let node = 0; node < order; node += 1) {
    for (let k = at(offsets, node); k < at(offsets, node + 1); k += 1) marks[at(targets, k)] = node;
    for (let k = at(offsets, node); k < at(offsets, node + 1); k += 1) {
      const other = at(targets, k);
      // Each edge once, from its end of higher degree, so that the list looked through is the shorter one.
      if (degree(other) > degree(node) || (degree(other) === degree(node) && other < node)) continue;
      let shared = 0;
      for (let j = at(offsets, other); j < at(offsets, other + 1); j += 1) {
        if (at(marks, at(targets, j)) === node) shared += 1;
      }
      ends[node] = at(ends, node) + shared;
      ends[other] = at(ends, other) + shared;
    }
  }
  return ends;
}

/** @param ends twice the triangles at each node, @param degrees edges at each node. */
export function clusteringOf(ends: Float64Array, degrees: ArrayLike<number>): Clustering {
  const local = new Float64Array(ends.length);
  let [sum, corners, paths] = [0, 0, 0];
  for (let node = 0; node < ends.length; node += 1) {
    const degree = at(degrees, node);
    const possible = (degree * (degree - 1)) / 2;
    const triangles = at(ends, node) / 2;
    local[node] = possible === 0 ? 0 : triangles / possible;
    sum += at(local, node);
    corners += triangles;
    paths += possible;
  }
  return {
    average: ends.length === 0 ? 0 : sum / ends.length,
    transitivity: paths === 0 ? 0 : corners / paths,
    triangles: corners / 3,
    local,
  };
}
