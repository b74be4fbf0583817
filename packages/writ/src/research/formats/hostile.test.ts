import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { WritError } from "../../contract/index.ts";
import { limits, type Work } from "../model.ts";
import { readImport } from "./read.ts";
import { type ImportFormat, importFormats } from "./reader.ts";

/** Cut at will, fed at will: whatever a reader is given, it answers with works or with an error of ours. */
async function readAnything(pieces: readonly Uint8Array[], format: ImportFormat | undefined) {
  const works: Work[] = [];
  try {
    const reading = await readImport(
      {
        name: "x",
        async *bytes() {
          yield* pieces;
        },
      },
      format === undefined ? {} : { format },
    );
    for await (const work of reading.works) works.push(work);
    const report = reading.report();
    expect(report.entries).toBe(works.length + report.skippedTotal);
  } catch (error) {
    if (!(error instanceof WritError)) throw error;
  }
  for (const work of works) {
    expect(work.title).not.toBe("");
    expect(work.title.trim().isWellFormed()).toBe(true);
    expect(work.authorships.length).toBeLessThanOrEqual(limits.authors);
    expect(work.authorships.every(({ name }) => name !== "")).toBe(true);
    expect(JSON.stringify(work)).not.toMatch(/\\n|\\u000/);
  }
  expect(
    new Set(works.filter(({ source }) => source !== "openalex").map(({ sourceKey }) => sourceKey)).size,
  ).toBe(works.filter(({ source }) => source !== "openalex").length);
  return works;
}

const bits: Readonly<Record<ImportFormat, readonly string[]>> = {
  bibtex: [
    "@article{",
    "k1",
    ",",
    "title",
    "=",
    "{",
    "}",
    '"',
    "author",
    "a and b",
    "%",
    "\\",
    "$",
    "#",
    "@string{",
    "@comment",
    "(",
    ")",
    "year",
    "2020",
    "doi",
    "10.1000/x",
  ],
  ris: [
    "TY  - ",
    "JOUR",
    "TI  - ",
    "AU  - ",
    "ER  - ",
    "  - ",
    "KW  - ",
    ";",
    "PY  - 2020",
    "N1  - WRIT_note: x",
    "DO  - 10.1000/x",
  ],
  "csl-json": [
    "[",
    "]",
    "{",
    "}",
    '"type":"book"',
    '"title":"x"',
    '"title":7',
    '"issued":{"date-parts":[[',
    ",",
    '"author":[{"family":',
    "null",
    '\\"',
    '"',
    "\\",
  ],
  wos: ["PT J", "ER", "TI ", "AU ", "   ", "CR ", "C1 [a; b] ", "PY 2020", "UT WOS:1", "DT Article", "EF"],
  pubmed: [
    "PMID- 1",
    "TI  - ",
    "FAU - ",
    "AD  - ",
    "AUID- ORCID: 0000-0001-2345-6789",
    "      ",
    "DP  - 2020",
    "LID - 10.1000/x [doi]",
    "MH  - *a/b",
  ],
  scopus: [
    "Title,EID,Source title,Authors,References",
    ",",
    '"',
    ";",
    "2-s2.0-1",
    "Diaz C.",
    "(1999)",
    "10.1000/x",
  ],
  openalex: [
    '{"id":"https://openalex.org/W1"',
    ',"title":"x"',
    "}",
    ',"authorships":[',
    "null",
    "[",
    "]",
    ',"abstract_inverted_index":{"a":[0,1e9]}',
  ],
};

describe("imports of anything", () => {
  test.each(importFormats)(
    "RL-80: %s made of its own pieces in any order is read or refused",
    async (format) => {
      const piece = fc.oneof(
        { weight: 6, arbitrary: fc.constantFrom(...bits[format]) },
        { weight: 2, arbitrary: fc.constant("\n") },
        { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 8 }) },
      );
      await fc.assert(
        fc.asyncProperty(fc.array(piece, { maxLength: 40 }), fc.boolean(), async (pieces, said) => {
          const bytes = pieces.map((text) => new Uint8Array(Buffer.from(text)));
          await readAnything(bytes, said ? format : undefined);
        }),
        { numRuns: 200 },
      );
    },
  );

  test("RL-79: bytes of any kind are read or refused, in every format", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 4 }),
        fc.constantFrom(undefined, ...importFormats),
        async (pieces, format) => {
          await readAnything(pieces, format);
        },
      ),
      { numRuns: 300 },
    );
  });

  test("RL-80: a file that was cut anywhere gives the entries before the cut", async () => {
    const entry = (at: number) =>
      `@article{k${at}, title={Œuvre ${at} “é”}, author={Ünal, Ö and Ruiz, A}, year=2000}\n`;
    const text = Buffer.from([0, 1, 2, 3].map(entry).join(""));
    const first = text.indexOf("\n") + 1;
    for (let cut = text.length; cut > first; cut -= 3) {
      const part = text.subarray(0, cut);
      const whole = part.toString().split("\n").length - 1;
      const works = await readAnything([part], "bibtex");
      expect(works.slice(0, whole).map(({ title }) => title)).toEqual(
        Array.from({ length: whole }, (_, at) => `Œuvre ${at} “é”`),
      );
    }
  });

  test("RL-14: texts and lists beyond their bound are cut", async () => {
    const authors = Array.from({ length: limits.authors + 5 }, (_, at) => `AU  - Author, N${at}\n`).join("");
    const text = `TY  - JOUR\nTI  - ${"t".repeat(limits.title + 1)}\nAB  - ${"a ".repeat(limits.abstract)}\n${authors}ER  - \n`;
    const [work] = await readAnything([Buffer.from(text)], "ris");
    expect(work?.title).toHaveLength(limits.title);
    expect(work?.abstract).toHaveLength(limits.abstract);
    expect(work?.authorships).toHaveLength(limits.authors);
  });

  test("RL-14: a file larger than an import may be is refused", async () => {
    const block = Buffer.alloc(1024 * 1024, `${"x".repeat(1023)}\n`);
    async function* bytes() {
      yield Buffer.from("@misc{a, title={b}}\n");
      for (let at = 0; at < 257; at += 1) yield block;
    }
    const reading = await readImport({ name: "x", bytes }, { format: "bibtex" });
    const all = async () => {
      for await (const work of reading.works) expect(work.title).toBe("b");
    };
    await expect(all()).rejects.toMatchObject({ code: "E_LIMIT" });
  });
});
