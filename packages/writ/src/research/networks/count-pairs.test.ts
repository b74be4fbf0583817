import fc from "fast-check";
import { expect, test } from "vitest";
import { countPairs } from "./count-pairs.ts";
import { listsOf } from "./shared-items.ts";

type Row = readonly [node: number, item: number];

function counted(rows: readonly Row[], order: number, how: { units?: Float64Array; least?: number } = {}) {
  const lists = listsOf(
    { nodes: Int32Array.from(rows, ([node]) => node), items: Int32Array.from(rows, ([, item]) => item) },
    { nodes: order, items: 1 + rows.reduce((most, [, item]) => Math.max(most, item), -1) },
  );
  const found: string[] = [];
  for (const { sources, targets, weights, sums } of countPairs(lists, { least: 0, atOnce: 7, ...how }))
    sources.forEach((source, at) => found.push(`${source} ${targets[at]} ${weights[at]} ${sums[at]}`));
  return found;
}

function naive(rows: readonly Row[], order: number, units?: Float64Array): string[] {
  const found: string[] = [];
  const itemsOf = (of: number) => rows.filter(([node]) => node === of).map(([, item]) => item);
  for (let a = 0; a < order; a += 1) {
    for (let b = a + 1; b < order; b += 1) {
      const others = new Set(itemsOf(b));
      const both = itemsOf(a).filter((item) => others.has(item));
      const sum = both.reduce((all, item) => all + (units?.[item] ?? 0), 0);
      if (both.length > 0) found.push(`${a} ${b} ${both.length} ${sum}`);
    }
  }
  return found;
}

const holdings = fc.uniqueArray(fc.tuple(fc.nat(14), fc.nat(9)), {
  maxLength: 60,
  selector: ([node, item]) => `${node} ${item}`,
});

test("RL-123: pairs are those of a naive reckoning, in order, in whatever order the rows lie", () => {
  const units = Float64Array.from({ length: 10 }, (_, item) => item + 1);
  fc.assert(
    fc.property(holdings, (rows) => {
      expect(counted(rows, 15)).toEqual(naive(rows, 15));
      expect(counted(rows.toReversed(), 15, { units })).toEqual(naive(rows, 15, units));
    }),
  );
});

test("RL-123: few pairs among many nodes are in order, and below the least weight there is none", () => {
  const rows: Row[] = [9999, 3, 5000, 31, 32, 4].flatMap((node): Row[] => [
    [node, 0],
    [node, node % 2 === 0 ? 1 : 2],
  ]);
  const found = counted(rows, 10_000);
  expect(found).toEqual([
    "3 4 1 0",
    "3 31 2 0",
    "3 32 1 0",
    "3 5000 1 0",
    "3 9999 2 0",
    "4 31 1 0",
    "4 32 2 0",
    "4 5000 2 0",
    "4 9999 1 0",
    "31 32 1 0",
    "31 5000 1 0",
    "31 9999 2 0",
    "32 5000 2 0",
    "32 9999 1 0",
    "5000 9999 1 0",
  ]);
  expect(counted(rows, 10_000, { least: 2 })).toEqual(found.filter((pair) => pair.endsWith(" 2 0")));
});

test("where nothing is shared there are no pairs", () => {
  expect(counted([], 0)).toEqual([]);
  expect(counted([[0, 0]], 1)).toEqual([]);
});
