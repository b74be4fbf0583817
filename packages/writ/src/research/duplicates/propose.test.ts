import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../library/database.ts";
import { libraryOf, type PaperFixture, refill } from "../networks/papers.fixture.ts";
import { bagOf } from "./entities.ts";
import { mergeId } from "./proposal.ts";
import { possibleDuplicates, proposals } from "./propose.ts";
import { ratio, sortedTokens } from "./similarity.ts";
import { vetoOf } from "./vetoes.ts";

describe("proposals", () => {
  let db: Database;
  beforeAll(async () => {
    db = await libraryOf([]);
  });
  afterAll(() => db.close());
  const fill = (papers: readonly PaperFixture[]) => refill(db, papers);

  const words = (...raw: string[]): PaperFixture[] =>
    raw.map((word) => ({ title: word, keywords: [{ raw: word }] }));

  test("RL-113: only what means the same is proposed, and what is vetoed says why", async () => {
    await fill(
      words(
        "supervised-learning",
        "unsupervised-learning",
        "type-1-diabetes",
        "type-2-diabetes",
        "neural-network",
        "neural-networks",
      ),
    );
    const found = await proposals(db, ["keyword"]);
    expect(found.filter(({ vetoed }) => !vetoed)).toMatchObject([
      {
        proposal: mergeId("keyword", "neural-network", "neural-networks"),
        keep: "neural-network",
        drop: "neural-networks",
        score: 96.55,
      },
    ]);
    expect(found.filter(({ vetoed }) => vetoed).map(({ keep, vetoed }) => [keep, vetoed])).toEqual([
      ["supervised-learning", "prefix"],
      ["type-1-diabetes", "number"],
    ]);
  });

  test("RL-113: authors with ids are proposed only with those who have none and the same name", async () => {
    const openalex = (id: string, name: string) => ({ id, openalex: id, name });
    await fill([
      { title: "a", authors: [openalex("A1", "Carla Diaz"), openalex("A2", "Ana Ruiz")] },
      { title: "b", authors: [openalex("A3", "Carla Diaz")] },
      { title: "c", authors: [{ name: "Diaz, Carla" }, openalex("A2", "Ana Ruiz")] },
      { title: "d", authors: [{ name: "Diaz, Carlo" }, { name: "Rodriguez-Fernandez, M." }] },
      {
        title: "e",
        authors: [{ name: "Rodriguez-Fernandes, M." }, { orcid: "0000-0001-2345-6789", name: "Ruiz, Ana" }],
      },
    ]);
    const found = await proposals(db, ["author"]);
    expect(
      found.filter(({ vetoed }) => !vetoed).map(({ keep, drop, evidence }) => [keep, drop, ...evidence]),
    ).toEqual(
      expect.arrayContaining([
        ["a1", "diaz, carla", "same_name", "shared_coauthors:1"],
        ["a3", "diaz, carla", "same_name", "shared_coauthors:0"],
        ["rodriguez-fernandes, m.", "rodriguez-fernandez, m.", "similar_name"],
      ]),
    );
    expect(found.filter(({ vetoed }) => !vetoed)).toHaveLength(3);
    const ids = ["a1", "a2", "a3", "0000-0001-2345-6789"];
    expect(found.filter(({ keep, drop }) => ids.includes(keep) && ids.includes(drop))).toEqual([]);
  });

  test("RL-116: papers by title, year and first author; two DOIs need the very same title", async () => {
    const author = (name: string) => ({ authors: [{ name }] });
    await fill([
      {
        sourceId: "W1",
        title: "Soil Carbon: an Overview!",
        year: 2020,
        ...author("Carla Diaz"),
        references: ["W9"],
      },
      { doi: "10.1000/a", title: "Soil carbon – an overview", year: 2021, ...author("Diaz, C.") },
      { doi: "10.1000/b", title: "Soil carbon, an óverview", year: 2020, ...author("Diaz, C.") },
      { sourceId: "W3", title: "Soil carbon, an overview", year: 2017, ...author("Diaz, C.") },
      { sourceId: "W4", title: "Soil carbon, an overview", year: 2020, ...author("Other, C.") },
      { doi: "10.1000/c", title: "Ocean carbon and the sea floor, part I", year: 2020 },
      { doi: "10.1000/d", title: "Ocean carbon and the sea floor, part II", year: 2020 },
      { sourceId: "W5", title: "Ocean carbon and the sea floor, part I", ...author("Ruiz, Ana") },
    ]);
    const found = await proposals(db, ["paper"]);
    const open = found.filter(({ vetoed }) => !vetoed);
    const of = (pair: (typeof open)[number]) => [pair.keep_label, pair.drop_label, ...pair.evidence];
    expect(open.map(of)).toEqual(
      expect.arrayContaining([
        [
          "Soil carbon – an overview",
          "Soil Carbon: an Overview!",
          "same_title",
          "next_year",
          "same_first_author",
        ],
        [
          "Soil carbon, an óverview",
          "Soil Carbon: an Overview!",
          "same_title",
          "same_year",
          "same_first_author",
        ],
        [
          "Soil carbon – an overview",
          "Soil carbon, an óverview",
          "same_title",
          "next_year",
          "same_first_author",
          "two_dois",
        ],
        ["Ocean carbon and the sea floor, part I", "Ocean carbon and the sea floor, part I", "same_title"],
      ]),
    );
    expect(open).toHaveLength(4);
    expect(await possibleDuplicates(db, "rr_1")).toBe(4);
    // A later run is told of the pairs that its own papers make, and of no other.
    const told = async (sql: string) => {
      await db.run(`UPDATE papers SET last_run = CASE WHEN ${sql} THEN 'rr_2' ELSE 'rr_1' END`);
      const effort = { compared: 0 };
      return [await possibleDuplicates(db, "rr_2", effort), effort.compared];
    };
    expect(await told("source_id = 'W1'")).toEqual([2, 2]);
    expect(await told("source_id = 'W5'")).toEqual([1, 2]);
    expect(await told("source_id = 'W3'")).toEqual([0, 0]);
    expect(found.filter(({ vetoed }) => vetoed).map(({ vetoed }) => vetoed)).toEqual(["number"]);
  });

  test("RL-116: of a title that many have the pairs are counted, and each is proposed", async () => {
    await fill(
      Array.from({ length: 60 }, (_, k) => ({
        sourceId: `W${k}`,
        doi: `10.5555/${k}`,
        title: k < 40 ? "Front matter" : "Matter, front: part 2",
        year: 2000,
      })),
    );
    const pairs = (40 * 39) / 2 + (20 * 19) / 2;
    expect(await possibleDuplicates(db, "rr_1")).toBe(pairs);
    expect(await proposals(db, ["paper"])).toHaveLength(pairs);
  });

  test("RL-115: every pair that shares a block is found and no other is compared, also in split blocks", async () => {
    const token = fc.constantFrom(
      "neural",
      "network",
      "networks",
      "deep",
      "deeps",
      "learning",
      "learnings",
      "a",
      "1",
      "2",
    );
    const keyword = fc.array(token, { minLength: 1, maxLength: 4 }).map((tokens) => tokens.join(" "));
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(keyword, { maxLength: 40 }), async (keywords) => {
        await fill(words(...keywords));
        const effort = { compared: 0 };
        const found = await proposals(db, ["keyword"], effort);
        const starts = (text: string) => text.split(" ").map((one) => one.slice(0, 4));
        const sharing = keywords.flatMap((a, at) =>
          keywords
            .slice(at + 1)
            .filter((b) => starts(a).some((start) => starts(b).includes(start)))
            .map((b) => [a, b]),
        );
        const alike = sharing.filter(([a = "", b = ""]) => ratio(sortedTokens(a), sortedTokens(b)) >= 90);
        const key = (pair: readonly (string | undefined)[]) => pair.map(String).toSorted().join("|");
        expect(found.map(({ keep, drop }) => key([keep, drop])).toSorted()).toEqual(
          alike.map(key).toSorted(),
        );
        expect(effort.compared).toBeLessThanOrEqual(sharing.length);
        for (const { keep, drop, vetoed } of found) expect(vetoed).toBe(vetoOf(keep, drop));
      }),
      { numRuns: 15 },
    );
  });

  test("RL-176: a block of many is split before it is compared", async () => {
    const letters = "abcdefghijklmnopqrst".split("");
    const names = letters.flatMap((a) =>
      letters.flatMap((b) => ["x", "y", "z"].map((c) => `data ${a}${b}${c}${a}${b}${c}`)),
    );
    await fill([{ title: "all", keywords: names.map((raw) => ({ raw })) }]);
    const effort = { compared: 0 };
    await proposals(db, ["keyword"], effort);
    expect(names).toHaveLength(1200);
    expect(effort.compared).toBeLessThan((1200 * 1199) / 2 / 4);
  });

  test("RL-112: the words of a name are the same however it is written", () => {
    expect(bagOf("diaz, carla m.")).toBe(bagOf("carla m. diaz"));
  });
});
