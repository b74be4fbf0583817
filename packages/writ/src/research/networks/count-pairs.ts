import type { SharedItems } from "./shared-items.ts";

/** Pairs of nodes, a column each; read before the next are asked for, since the arrays are filled again. */
export interface Pairs {
  /** The smaller node. */
  sources: Int32Array;
  targets: Int32Array;
  /** How many items they share. */
  weights: Int32Array;
  /** The sum of the units of these items. */
  sums: Float64Array;
}

interface Counting {
  /** What an item adds to the sum of a pair; absent where sums are not wanted and stay 0. */
  units?: Float64Array;
  /** Least sum, or where there are none least weight, of a pair that is given. */
  least: number;
  /** Pairs at a time. */
  atOnce: number;
}

/** Every pair of nodes that share an item, once, sorted by source, then target. A pair costs some nanoseconds for each item. */
export function* countPairs(shared: SharedItems, counting: Counting): Generator<Pairs> {
  const counter = new Counter(shared, counting);
  const out = emptyPairs(counting.atOnce);
  let size = 0;
  for (let node = 0; node < counter.order; node += 1) {
    counter.meet(node);
    while (!counter.isEmpty()) {
      size = counter.take(out, size);
      if (size < counting.atOnce) continue;
      yield out;
      size = 0;
    }
  }
  if (size > 0) yield firstOf(out, size);
}

/** The pairs of one node at a time. Apart from the generator, in which V8 makes loops slower. */
class Counter {
  readonly order: number;
  readonly #shared: SharedItems;
  readonly #units: Float64Array | undefined;
  readonly #least: number;
  readonly #weights: Int32Array;
  readonly #sums: Float64Array;
  /** Of each item the place after the node that is at work: nodes come in order, and so do holders. */
  readonly #next: Int32Array;
  readonly #met: SortedSet;
  #node = 0;
  #others: Int32Array = new Int32Array(0);
  #taken = 0;

  constructor(shared: SharedItems, { units, least }: Counting) {
    this.order = shared.offsets.length - 1;
    this.#shared = shared;
    this.#units = units;
    this.#least = least;
    this.#weights = new Int32Array(this.order);
    this.#sums = new Float64Array(units ? this.order : 0);
    this.#next = shared.holderOffsets.slice(0, -1);
    this.#met = new SortedSet(this.order);
  }

  /** Counts what a node shares with those after it. */
  meet(node: number): void {
    const { offsets, items, holderOffsets, holders } = this.#shared;
    const [weights, sums, units, next, met] = [this.#weights, this.#sums, this.#units, this.#next, this.#met];
    met.clear();
    const last = offsets[node + 1] as number;
    for (let at = offsets[node] as number; at < last; at += 1) {
      const item = items[at] as number;
      const end = holderOffsets[item + 1] as number;
      const first = (next[item] as number) + 1;
      next[item] = first;
      for (let place = first; place < end; place += 1) {
        const other = holders[place] as number;
        const weight = weights[other] as number;
        if (weight === 0) met.add(other);
        weights[other] = weight + 1;
        if (units) sums[other] = (sums[other] as number) + (units[item] as number);
      }
    }
    this.#node = node;
    this.#others = met.sorted();
    this.#taken = 0;
  }

  isEmpty(): boolean {
    return this.#taken === this.#others.length;
  }

  /** Moves pairs to where `out` is free, from `size` on, and answers how many it holds then. */
  take(out: Pairs, size: number): number {
    const [weights, sums, others] = [this.#weights, this.#sums, this.#others];
    let filled = size;
    let at = this.#taken;
    for (; at < others.length && filled < out.sources.length; at += 1) {
      const other = others[at] as number;
      const weight = weights[other] as number;
      const sum = this.#units ? (sums[other] as number) : 0;
      weights[other] = 0;
      if (this.#units) sums[other] = 0;
      if ((this.#units ? sum : weight) < this.#least) continue;
      out.sources[filled] = this.#node;
      out.targets[filled] = other;
      out.weights[filled] = weight;
      out.sums[filled] = sum;
      filled += 1;
    }
    this.#taken = at;
    return filled;
  }
}

const emptyPairs = (size: number): Pairs => ({
  sources: new Int32Array(size),
  targets: new Int32Array(size),
  weights: new Int32Array(size),
  sums: new Float64Array(size),
});

const firstOf = ({ sources, targets, weights, sums }: Pairs, size: number): Pairs => ({
  sources: sources.subarray(0, size),
  targets: targets.subarray(0, size),
  weights: weights.subarray(0, size),
  sums: sums.subarray(0, size),
});

// To look through a word of bits costs about as much as to sort a number or two.
const wordsASorted = 8;

/** Numbers below a bound, each added once, taken out in order: few are sorted, many are found by their bits. */
class SortedSet {
  readonly #members: Int32Array;
  readonly #bits: Uint32Array;
  #size = 0;

  constructor(bound: number) {
    this.#members = new Int32Array(bound);
    this.#bits = new Uint32Array(Math.ceil(bound / 32));
  }

  add(member: number): void {
    this.#members[this.#size] = member;
    this.#size += 1;
    const word = member >>> 5;
    this.#bits[word] = (this.#bits[word] as number) | (1 << (member & 31));
  }

  /** Valid until the next member is added. */
  sorted(): Int32Array {
    const found = this.#members.subarray(0, this.#size);
    if (this.#size * wordsASorted < this.#bits.length) return found.sort();
    let size = 0;
    for (let word = 0; word < this.#bits.length; word += 1) {
      for (let bits = this.#bits[word] as number; bits !== 0; bits &= bits - 1) {
        found[size] = (word << 5) + (31 - Math.clz32(bits & -bits));
        size += 1;
      }
    }
    return found;
  }

  clear(): void {
    for (let at = 0; at < this.#size; at += 1) this.#bits[(this.#members[at] as number) >>> 5] = 0;
    this.#size = 0;
  }
}
