import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { paperId } from "../library/identity.ts";
import { workTypes } from "../model.ts";
import { baseKey, createKeys } from "./bibtex-keys.ts";
import type { Exported } from "./exported.ts";
import { readImport } from "./read.ts";
import type { ImportFormat } from "./reader.ts";
import { bibtexEntry } from "./write-bibtex.ts";
import { cslItem } from "./write-csl.ts";
import { risRecord } from "./write-ris.ts";

/** Text of one line as a library holds it: trimmed, single spaces, whole characters. */
const line = (options: { maxLength: number; without?: RegExp }) =>
  fc
    .string({ unit: "grapheme", minLength: 1, maxLength: options.maxLength })
    .map((text) =>
      text
        .replaceAll(options.without ?? /(?!)/g, "")
        .replaceAll(/[\s\p{Cc}\ufeff]+/gu, " ")
        .trim(),
    )
    .filter((text) => text !== "" && text.isWellFormed());

const hard = fc.constantFrom(
  "A–B & C_d 50% of #1 {x} \\alpha $5 ~ ^",
  "DNA and the McCarthy `method'",
  "Ünïcödé — “quoted” 漢字 кириллица",
  "مرحبا بالعالم (RTL)",
  "a -- b --- c '' d `` e",
  "x < y > z <i",
);
const title = fc.oneof(line({ maxLength: 60 }), hard);
const name = fc.oneof(
  line({ maxLength: 20, without: /[;|]/g }),
  fc.constantFrom(
    "Diaz, Carla",
    "Carla Diaz",
    "van der Berg, Jan",
    "Jan van der Berg",
    "WHO",
    "O'Neil, Séan-Luc",
    "Doe #",
    "A&, B_",
  ),
);
// A keyword is what stands between two marks in every format.
const keyword = line({ maxLength: 15, without: /[;,]/g });
const year = fc.option(fc.integer({ min: 1000, max: 2999 }), { nil: null });

const paper: fc.Arbitrary<Exported> = fc.record({
  id: fc.constant("tt:0"),
  source_id: fc.constantFrom(null, "W12"),
  doi: fc.constantFrom(null, "10.1000/a_b(1)", "10.1002/(sici)1<1::aid>3.0.co;2-a", "10.1000/é%1"),
  title,
  year,
  date: fc.constant(null),
  abstract: fc.option(title, { nil: null }),
  venue: fc.option(title, { nil: null }),
  language: fc.constantFrom(null, "en", "es"),
  publisher: fc.option(title, { nil: null }),
  type: fc.constantFrom(null, ...workTypes),
  authors: fc.array(name, { maxLength: 4 }),
  keywords: fc.uniqueArray(keyword, {
    maxLength: 4,
    selector: (word) => word.normalize("NFKD").toLowerCase().replaceAll(/\P{L}/gu, "") + word.length,
  }),
  volume: fc.constantFrom(null, "12"),
  issue: fc.constantFrom(null, "3"),
  pages: fc.constantFrom(null, "e12", "1-20"),
  issn: fc.constantFrom(null, "1234-5678"),
  url: fc.constantFrom(null, "https://example.org/a_b?c=d%20e&f#g"),
  decision: fc.constantFrom(null, "accepted" as const, "rejected" as const),
  note: fc.option(title, { nil: null }),
});

const writers: Readonly<Record<string, (papers: readonly Exported[]) => string>> = {
  bibtex: (papers) => papers.map((one, at) => bibtexEntry(one, `k${at}`)).join(""),
  ris: (papers) => papers.map(risRecord).join(""),
  "csl-json": (papers) => `[\n${papers.map(cslItem).join(",\n")}\n]\n`,
};

async function readBack(text: string, format: ImportFormat) {
  const reading = await readImport(
    {
      name: "x",
      async *bytes() {
        yield Buffer.from(text);
      },
    },
    { format },
  );
  const papers: Partial<Exported>[] = [];
  for await (const work of reading.works) {
    papers.push({
      id: paperId(work),
      doi: work.doi,
      title: work.title,
      year: work.year,
      abstract: work.abstract,
      venue: work.venue,
      language: work.language,
      publisher: work.publisher,
      authors: work.authorships.map((one) => one.name),
      keywords: work.keywords.map((one) => one.name),
      volume: work.volume,
      issue: work.issue,
      pages: work.pages,
      issn: work.issn,
      url: work.url,
      ...(format === "ris" && { decision: work.decision ?? null, note: work.note ?? null }),
    });
  }
  return papers;
}

function expected(one: Exported, format: string): Partial<Exported> {
  const { source_id: _id, date: _date, type: _type, decision, note, ...held } = one;
  const id = paperId({ doi: one.doi, sourceId: null, title: one.title, year: one.year });
  return { ...held, id, ...(format === "ris" && { decision, note }) };
}

describe("exports", () => {
  test.each(Object.keys(writers))(
    "RL-150: what is written as %s is read back as the same papers",
    async (format) => {
      await fc.assert(
        fc.asyncProperty(fc.array(paper, { minLength: 1, maxLength: 4 }), async (papers) => {
          const text = writers[format]?.(papers) ?? "";
          expect(await readBack(text, format as ImportFormat), text).toEqual(
            papers.map((one) => expected(one, format)),
          );
        }),
        { numRuns: 150 },
      );
    },
  );

  test("RL-149: names are told apart for styles, and kept as they are written", () => {
    const one = { ...sample, authors: ["Carla Diaz", "Ruiz, Ana", "WHO"] };
    expect(bibtexEntry(one, "k")).toContain("author = {Diaz, Carla and Ruiz, Ana and {WHO}}");
    expect(JSON.parse(cslItem(one)).author).toEqual([
      { family: "Diaz", given: "Carla" },
      { family: "Ruiz", given: "Ana" },
      { literal: "WHO" },
    ]);
    expect(risRecord(one)).toContain("AU  - Carla Diaz\n");
  });

  test("RL-149: keys are family, year and first word, told apart by letters in order of ids", () => {
    const papers = [
      { title: "A Study", year: 2020, authors: ["Díaz, Carla"] },
      { title: "A paper", year: 2020, authors: ["Carla Diaz"] },
      { title: "«Ab» ovo", year: null, authors: ["O'Neil, S"] },
      { title: "漢字", year: null, authors: [] },
    ];
    const bases = papers.map(baseKey);
    expect(bases).toEqual(["Diaz2020A", "Diaz2020A", "ONeilAb", "paper"]);
    const counts = new Map([
      ["Diaz2020A", 2],
      ["Diaz2020Aa", 1],
      ["paper", 30],
    ]);
    const keyOf = createKeys(counts);
    expect([keyOf("Diaz2020A"), keyOf("Diaz2020Aa"), keyOf("Diaz2020A")]).toEqual([
      "Diaz2020Ab",
      "Diaz2020Aa",
      "Diaz2020Ac",
    ]);
    const many = Array.from({ length: 30 }, () => keyOf("paper"));
    expect([many[0], many[25], many[26], many[29]]).toEqual(["papera", "paperz", "paperaa", "paperad"]);
  });
});

const sample: Exported = {
  id: "tt:1",
  source_id: null,
  doi: null,
  title: "T",
  year: null,
  date: null,
  abstract: null,
  venue: null,
  language: null,
  publisher: null,
  type: null,
  authors: [],
  keywords: [],
  volume: null,
  issue: null,
  pages: null,
  issn: null,
  url: null,
  decision: null,
  note: null,
};
