import { at, type Graph } from "./graph.ts";

/**
 * The core number of each node: the largest k such that it belongs to a subgraph in which every node has at
 * least k neighbours. Batagelj and Zaversnik (2003): nodes lie in bins by degree, the least is taken off first.
 */
export function coreNumbers({ order, offsets, targets }: Graph): Int32Array {
  const cores = Int32Array.from({ length: order }, (_, node) => at(offsets, node + 1) - at(offsets, node));
  const bins = new Int32Array(cores.reduce((most, degree) => Math.max(most, degree), 0) + 2);
  for (const degree of cores) bins[degree + 1] = at(bins, degree + 1) + 1;
  for (let degree = 1; degree < bins.length; degree += 1)
    bins[degree] = at(bins, degree) + at(bins, degree - 1);
  const line = new Int32Array(order);
  const places = new Int32Array(order);
  const free = bins.slice();
  for (let node = 0; node < order; node += 1) {
    const place = at(free, at(cores, node));
    free[at(cores, node)] = place + 1;
    line[place] = node;
    places[node] = place;
  }
  /** Moves a node to the head of its bin and the bin's head behind it: its degree is one less. */
  const lower = (node: number) => {
    const degree = at(cores, node);
    const head = at(bins, degree);
    const other = at(line, head);
    line[at(places, node)] = other;
    places[other] = at(places, node);
    line[head] = node;
    places[node] = head;
    bins[degree] = head + 1;
    cores[node] = degree - 1;
  };
  for (const node of line) {
    for (let k = at(offsets, node); k < at(offsets, node + 1); k += 1) {
      if (at(cores, at(targets, k)) > at(cores, node)) lower(at(targets, k));
    }
  }
  return cores;
}
