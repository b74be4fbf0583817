import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isSkipped } from "../port.ts";
import { keyless, planOpenAlex } from "./plan.ts";
import { openAlexWork } from "./read-work.ts";
import { readOpenAlex } from "./read.ts";

const search = (filter: string, since?: string) =>
  planOpenAlex({ kind: "search", query: { filter }, limit: 500, ...(since !== undefined && { since }) });

describe("plans", () => {
  test("RL-98: a first day is added to a filter, and the later of two counts", () => {
    const of = (filter: string) => search(filter, "2023-01-01")[0]?.query.filter;
    expect(of("title.search:(a)")).toBe("title.search:(a),from_publication_date:2023-01-01");
    expect(of("title.search:(a),from_publication_date:2024-01-01,language:en")).toBe(
      "title.search:(a),language:en,from_publication_date:2024-01-01",
    );
  });

  test("RL-69: lists stay within a hundred values and the length of an address", () => {
    const doi = fc.stringMatching(/^10\.[0-9]{4}\/[a-z0-9./_-]{1,80}$/);
    fc.assert(
      fc.property(fc.uniqueArray(doi, { maxLength: 300 }), (dois) => {
        const requests = planOpenAlex({ kind: "dois", dois });
        const asked = requests.flatMap(({ want }) => (want.kind === "dois" ? want.dois : []));
        expect([...asked].sort()).toEqual([...dois].sort());
        for (const { query } of requests) {
          expect(query.filter?.split("|").length).toBeLessThanOrEqual(100);
          expect(new URLSearchParams(query).toString().length).toBeLessThan(4000);
        }
      }),
      { numRuns: 30 },
    );
  });

  test("RL-65: paging by number ends at ten thousand results, and says so", () => {
    const [first] = search("title.search:(a)");
    const request = first && keyless(first, 401);
    if (!request) throw new Error("nothing is planned");
    expect(request.query).toMatchObject({ page: "1", per_page: "100" });
    expect(request.query).not.toHaveProperty("cursor");
    const results = Array.from({ length: 100 }, (_, at) => ({ id: `W${at}`, title: "t" }));
    const body = { meta: { count: 10_050 }, results };
    const at = (page: string) => readOpenAlex({ body }, { ...request, query: { ...request.query, page } });
    expect(at("99").next?.(1).query).toMatchObject({ page: "100", per_page: "100" });
    expect(at("100")).not.toHaveProperty("next");
    expect(at("100").remarks).toEqual([{ code: "W_PAGE_LIMIT", where: "10050 works" }]);
  });
});

describe("a work", () => {
  const whole = {
    id: "https://openalex.org/W1",
    doi: "https://doi.org/10.1234/AB",
    title: " A title ",
    publication_year: 2020,
    publication_date: "2020-05-01",
    language: "en-US",
    type: "review",
    cited_by_count: 7,
    is_retracted: true,
    abstract_inverted_index: { word: [1, 3], A: [0], of: [2], late: [100_001] },
    authorships: [
      {
        author: {
          id: "https://openalex.org/A1",
          display_name: "Ana Ruiz",
          orcid: "https://orcid.org/0000-0001-X",
        },
        institutions: [{ id: "https://openalex.org/I1", display_name: "Uni", country_code: "ar" }],
      },
      { author: { id: "https://openalex.org/A2" }, institutions: [] },
      { author: {} },
    ],
    keywords: [
      { id: "https://openalex.org/keywords/graph-theory", display_name: "Graph theory", score: 0.7 },
    ],
    referenced_works: ["https://openalex.org/W9", "https://openalex.org/W8"],
    primary_location: { source: { display_name: "J. One" } },
    biblio: { volume: "1", issue: "2", first_page: "3", last_page: "4" },
    ids: { pmid: "https://pubmed.ncbi.nlm.nih.gov/123" },
  };

  test("RL-66: every part is read by its rule, in the order of the source", () => {
    expect(openAlexWork(whole)).toMatchObject({
      sourceKey: "W1",
      doi: "10.1234/ab",
      title: "A title",
      language: "en",
      type: "review",
      abstract: "A word of word",
      venue: "J. One",
      pages: "3-4",
      isRetracted: true,
      authorships: [
        {
          pos: 0,
          name: "Ana Ruiz",
          id: "0000-0001-x",
          openalex: "A1",
          orcid: "0000-0001-X",
          institutions: [{ id: "I1", name: "Uni", country: "AR" }],
        },
        // Who has no name is called by their id.
        { pos: 1, name: "a2", id: "a2", openalex: "A2", orcid: null },
      ],
      keywords: [{ id: "graph-theory", name: "Graph theory", score: 0.7 }],
      references: ["W9", "W8"],
      ids: [
        { engine: "openalex", value: "W1" },
        { engine: "pmid", value: "123" },
      ],
    });
  });

  test("RL-66: texts are single lines without control characters", () => {
    const evil = " a\r\nER  - \u001b[31m\u0000b\u009b \ud800";
    const clean = "a ER - [31m b \ufffd";
    const told = {
      ...whole,
      title: evil,
      abstract_inverted_index: { [evil]: [0] },
      authorships: [{ author: { display_name: evil } }],
      primary_location: { source: { display_name: evil } },
    };
    expect(openAlexWork(told)).toMatchObject({
      title: clean,
      abstract: clean,
      venue: clean,
      authorships: [{ name: clean }],
    });
  });

  test("RL-42: without a title, or an id, it is none", () => {
    expect(openAlexWork({ ...whole, title: null, display_name: "Shown" })).toMatchObject({ title: "Shown" });
    expect(openAlexWork({ ...whole, title: null })).toMatchObject({
      where: "W1",
      reason: expect.any(String),
    });
    expect(openAlexWork({ id: "https://openalex.org/A1", title: "An author" })).toHaveProperty("reason");
  });

  test("RL-14: what is beyond its bound is cut, and said; what is no DOI is left out, and said", () => {
    const told: string[] = [];
    const tell = (code: string, where: string) => void told.push(`${code} ${where}`);
    const work = openAlexWork({ ...whole, title: "x".repeat(10_001), doi: "none" }, tell);
    expect(isSkipped(work) ? 0 : work.title.length).toBe(10_000);
    expect(told).toEqual(["W_DOI_INVALID W1", "W_CUT W1"]);
  });

  test("RL-6: no answer of a stranger can break the reading of it", () => {
    const anything = fc.anything({ withNullPrototype: true, maxDepth: 3 });
    const broken = fc.record(
      Object.fromEntries(Object.keys(whole).map((name) => [name, anything])) as Record<
        string,
        fc.Arbitrary<unknown>
      >,
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(broken, (work) => {
        const read = openAlexWork({ ...whole, ...work });
        expect(isSkipped(read) || typeof read.title === "string").toBe(true);
      }),
    );
  });
});
