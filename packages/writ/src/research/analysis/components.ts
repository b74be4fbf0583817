import { at } from "./graph.ts";

/** Which nodes hang together, learnt edge by edge: union by size, with paths halved on the way. */
export class Components {
  readonly #parent: Int32Array;
  readonly #sizes: Int32Array;

  constructor(order: number) {
    this.#parent = Int32Array.from({ length: order }, (_, node) => node);
    this.#sizes = new Int32Array(order).fill(1);
  }

  join(a: number, b: number): void {
    let [root, other] = [this.find(a), this.find(b)];
    if (root === other) return;
    if (at(this.#sizes, root) < at(this.#sizes, other)) [root, other] = [other, root];
    this.#parent[other] = root;
    this.#sizes[root] = at(this.#sizes, root) + at(this.#sizes, other);
  }

  /** The node that stands for the component of `node`. */
  find(node: number): number {
    const parent = this.#parent;
    let here = node;
    while (at(parent, here) !== here) {
      const above = at(parent, at(parent, here));
      parent[here] = above;
      here = above;
    }
    return here;
  }

  /** How many there are, and how many nodes the largest has; 0 and 0 without nodes. */
  summary(): { count: number; largest: number } {
    let [count, largest] = [0, 0];
    this.#parent.forEach((parent, node) => {
      if (parent !== node) return;
      count += 1;
      largest = Math.max(largest, at(this.#sizes, node));
    });
    return { count, largest };
  }
}
