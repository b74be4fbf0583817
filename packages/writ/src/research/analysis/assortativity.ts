/** A coefficient, or why there is none. */
export type Coefficient = { value: number; reason?: undefined } | { value: null; reason: "undefined" };

/**
 * Whether nodes of like degree are linked: Pearson's correlation of the degrees at the two ends, each edge both
 * ways. Sums are exact integers, so that the order of edges cannot show and "all equal" is exactly zero.
 */
export class DegreeMixing {
  readonly #degrees: ArrayLike<number>;
  /** Σ over edges of d · d', in two parts: what fits in a double exactly, and the rest. */
  #low = 0;
  #high = 0n;

  constructor(degrees: ArrayLike<number>) {
    this.#degrees = degrees;
  }

  add(source: number, target: number): void {
    this.#low += (this.#degrees[source] as number) * (this.#degrees[target] as number);
    if (this.#low > 2 ** 51) this.#carry();
  }

  #carry(): void {
    this.#high += BigInt(this.#low);
    this.#low = 0;
  }

  coefficient(): Coefficient {
    this.#carry();
    let [ends, squares, cubes] = [0n, 0n, 0n];
    for (const degree of Array.from(this.#degrees, BigInt)) {
      ends += degree;
      squares += degree * degree;
      cubes += degree ** 3n;
    }
    return ratio(ends * 2n * this.#high - squares ** 2n, ends * cubes - squares ** 2n);
  }
}

/**
 * Whether nodes of one category are linked (Newman 2003): (Σ e_kk - Σ a_k²) / (1 - Σ a_k²), e the shares of edge
 * ends between categories. Edges of a node without a value are left out.
 */
export class AttributeMixing {
  /** The category of each node as a number from 0; -1 is no value. */
  readonly #categories: ArrayLike<number>;
  readonly #ends = new Map<number, number>();
  #within = 0;
  #edges = 0;

  constructor(categories: ArrayLike<number>) {
    this.#categories = categories;
  }

  add(source: number, target: number): void {
    const [a, b] = [this.#categories[source] as number, this.#categories[target] as number];
    if (a < 0 || b < 0) return;
    this.#edges += 1;
    if (a === b) this.#within += 1;
    for (const one of [a, b]) this.#ends.set(one, (this.#ends.get(one) ?? 0) + 1);
  }

  /** Nodes that have no value. */
  get missing(): number {
    return Array.from(this.#categories).filter((category) => category < 0).length;
  }

  coefficient(): Coefficient {
    const all = 4n * BigInt(this.#edges) ** 2n;
    const ends = [...this.#ends.values()].reduce((sum, count) => sum + BigInt(count) ** 2n, 0n);
    return ratio(4n * BigInt(this.#edges) * BigInt(this.#within) - ends, all - ends);
  }
}

function ratio(numerator: bigint, denominator: bigint): Coefficient {
  if (denominator === 0n) return { value: null, reason: "undefined" };
  return { value: Number(numerator) / Number(denominator) };
}
