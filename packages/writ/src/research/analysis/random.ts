/**
 * Random numbers of a seed: mulberry32 by Tommy Ettinger, 32 bits of state, values in [0, 1). The same seed gives
 * the same numbers on every machine, because it is integer arithmetic only.
 */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The numbers from 0 to n - 1 in an order drawn by `random` (Fisher and Yates). */
export function shuffled(n: number, random: () => number): Int32Array {
  const order = Int32Array.from({ length: n }, (_, at) => at);
  for (let last = n - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    const kept = order[last] as number;
    order[last] = order[other] as number;
    order[other] = kept;
  }
  return order;
}
