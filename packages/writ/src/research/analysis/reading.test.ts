import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { priorities, rankShares, type Readable, readingList as listOf } from "./reading.ts";

interface Citing extends Readable {
  cites: string[];
}

const readingList = (papers: readonly Citing[], count: number) =>
  listOf(papers, count, () => new Map(papers.map(({ id, cites }) => [id, cites])));

const paper = (id: string, rest: Partial<Citing>): Citing => ({
  id,
  year: null,
  localCitations: 0,
  scent: 0,
  citedByCount: null,
  community: null,
  cites: [],
  ...rest,
});

const example = [
  paper("x", { year: 2015, localCitations: 2, scent: 2, citedByCount: 30 }),
  paper("y", { year: 2020, localCitations: 1, scent: 1, citedByCount: 6, cites: ["x"] }),
  paper("z", { year: 2022, scent: 1, cites: ["x", "y"] }),
];

describe("reading", () => {
  test("RL-137: priority is the weighted mean of rank shares, over what is known", () => {
    const [x, y, z] = priorities(example);
    expect(x).toBeCloseTo(0.8, 10);
    expect(y).toBeCloseTo(0.35, 10);
    expect(z).toBeCloseTo(0.3125, 10);
    expect(rankShares([7])).toEqual([1]);
    expect(rankShares([1, null, 1, 3])).toEqual([0.25, null, 0.25, 1]);
  });

  test("RL-137: the best of each community comes in first, and each paper has its reasons", async () => {
    const papers = [...example, paper("far", { year: 1990, community: 0 }), paper("near", { community: 1 })];
    const list = await readingList(papers, 3);
    expect(list.map(({ id }) => id).toSorted()).toEqual(["far", "near", "x"]);
    expect(list.find(({ id }) => id === "far")?.reasons).toEqual(["the best of community 0", "of 1990"]);
    expect(list.every(({ reasons }) => reasons.length > 0)).toBe(true);
  });

  test("RL-137: papers that cite each other are cut at the later year, then at the larger id", async () => {
    const circle = [
      paper("a", { year: 2001, cites: ["b"] }),
      paper("b", { year: 2003, cites: ["c"] }),
      paper("c", { year: 2002, cites: ["a"] }),
    ];
    expect((await readingList(circle, 3)).map(({ id }) => id)).toEqual(["a", "c", "b"]);
    const alike = [paper("a", { year: 2001, cites: ["b"] }), paper("b", { year: 2001, cites: ["a"] })];
    expect((await readingList(alike, 2)).map(({ id }) => id)).toEqual(["a", "b"]);
  });

  test("RL-137: without circles no paper stands before one that it cites, whatever the priorities", async () => {
    const papers = fc
      .array(
        fc.record({
          year: fc.option(fc.integer({ min: 1990, max: 2020 })),
          localCitations: fc.nat(5),
          scent: fc.nat(5),
          citedByCount: fc.option(fc.nat(50)),
          community: fc.option(fc.nat(2)),
          cites: fc.array(fc.nat(), { maxLength: 3 }),
        }),
        { minLength: 1, maxLength: 12 },
      )
      .map((rows) =>
        rows.map((row, at) =>
          paper(`p${at}`, { ...row, cites: at === 0 ? [] : row.cites.map((other) => `p${other % at}`) }),
        ),
      );
    await fc.assert(
      fc.asyncProperty(papers, fc.integer({ min: 1, max: 12 }), async (given, count) => {
        const list = (await readingList(given, count)).map(({ id }) => id);
        expect(list).toHaveLength(Math.min(count, given.length));
        const wrong = given.flatMap(({ id, cites }) =>
          cites.filter(
            (cited) => list.includes(id) && list.includes(cited) && list.indexOf(cited) > list.indexOf(id),
          ),
        );
        expect(wrong).toEqual([]);
        expect((await readingList(given.toReversed(), count)).map(({ id }) => id)).toEqual(list);
      }),
    );
  });
});
