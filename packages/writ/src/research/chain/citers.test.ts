import fc from "fast-check";
import { expect, test } from "vitest";
import { groupsOf } from "./citers.ts";

test("RL-90: the famous are asked alone, the others fifty together, for as many pages as they may fill", () => {
  const starts = [
    ...Array.from({ length: 60 }, (_, at) => ({ id: `W${100 + at}`, cited: 5 })),
    { id: "W1", cited: 20_000 },
    { id: "W2", cited: null },
  ];
  const groups = groupsOf(starts, 50);
  expect(groups.map(({ ids, pages }) => [ids.length, pages])).toEqual([
    [50, 3],
    [11, 1],
    [1, 1],
  ]);
  expect(groups.at(-1)?.ids).toEqual(["W1"]);
});

test("RL-90: every seed is asked for once, whatever is known of it", () => {
  const start = fc.record({
    id: fc.stringMatching(/^W[1-9][0-9]{0,6}$/),
    cited: fc.option(fc.nat(1_000_000)),
  });
  const given = fc.uniqueArray(start, { selector: ({ id }) => id, maxLength: 300 });
  fc.assert(
    fc.property(given, fc.integer({ min: 1, max: 500 }), (starts, most) => {
      const groups = groupsOf(starts, most);
      expect(groups.flatMap(({ ids }) => ids).sort()).toEqual(starts.map(({ id }) => id).sort());
      for (const { ids, pages } of groups) {
        expect(ids).toEqual([...ids].sort());
        expect(ids.length).toBeLessThanOrEqual(50);
        expect(pages).toBeGreaterThanOrEqual(1);
        expect(pages).toBeLessThanOrEqual(Math.ceil((ids.length * most) / 100) || 1);
      }
      // Order of arrival changes nothing.
      expect(groupsOf(starts.toReversed(), most)).toEqual(groups);
    }),
  );
});

test("RL-90: ten famous seeds among two hundred cost few requests", () => {
  const starts = Array.from({ length: 200 }, (_, at) => ({ id: `W${at}`, cited: at < 10 ? 20_000 : 5 }));
  const requests = groupsOf(starts, 50).reduce((sum, { pages }) => sum + pages, 0);
  expect(requests).toBeLessThanOrEqual(25);
});
