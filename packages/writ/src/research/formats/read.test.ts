import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { WritError } from "../../contract/index.ts";
import type { Work } from "../model.ts";
import { paperId } from "../library/identity.ts";
import { readImport } from "./read.ts";
import type { ImportFormat } from "./reader.ts";

const bib = `@article{k1, title={A {Study} of Things}, author={Diaz, Carla and Ruiz, Ana}, journal={J One}, year={2020}, doi={https://doi.org/10.7777/X.1}, keywords={alpha; beta, gamma}}
@inproceedings{k2, title={Conf paper}, author={Chen, Bo}, booktitle={Proc Two}, year={2021}}
@misc{k3, author={Nobody}}
`;
const ris = `TY  - JOUR
TI  - A Study of Things
AU  - Diaz, Carla
AU  - Ruiz, Ana
JO  - J One
PY  - 2020/05/01
DO  - doi:10.7777/X.1
KW  - alpha
KW  - beta
KW  - gamma
ER  - 
`;
const csl = `[{"type":"article-journal","title":"A Study of Things","author":[{"family":"Diaz","given":"Carla"},{"family":"Ruiz","given":"Ana"}],
  "issued":{"date-parts":[[2020,5,1]]},"container-title":"J One","DOI":"10.7777/X.1","keyword":"alpha, beta, gamma"}]`;
const wos = `FN Clarivate Analytics Web of Science
VR 1.0
PT J
AU Diaz, C
   Ruiz, A
AF Diaz, Carla
   Ruiz, Ana
TI A Study of Things
SO J ONE
DE alpha; beta
ID gamma
C1 [Diaz, Carla; Ruiz, Ana] Uni North, Dept X, Rosario, Argentina.
CR Smith J, 1999, J TWO, V1, P1, DOI 10.5555/R2
   Doe J, 1980, OLD BOOK
TC 7
PY 2020
DI 10.7777/X.1
UT WOS:000123
ER

EF
`;
const scopus = `Authors,Author full names,Author(s) ID,Title,Year,Source title,Cited by,DOI,Abstract,Author Keywords,Index Keywords,Authors with affiliations,References,Document Type,EID
"Diaz C.; Ruiz A.","Diaz, Carla (57); Ruiz, Ana (58)",57; 58,"A Study of Things",2020,"J One",3,10.7777/X.1,"Says ""much"".",alpha; beta,gamma,"Diaz C., Dept X, University North, Rosario, Argentina; Ruiz A., Institute South, Santiago, Chile","Smith J., Title; with a stop, J Two, 1, (1999); Doe J., Roe R., Old book, (1980) 10.5555/r9",Article,2-s2.0-1
`;
const medline = `PMID- 31452104
OWN - NLM
DP  - 2020 May
TI  - A Study of
      Things
AID - 10.7777/x.1 [doi]
FAU - Diaz, Carla
AUID- ORCID: 0000-0001-2345-678X
AD  - Dept X, University North, Rosario, Argentina. c@example.org
FAU - Ruiz, Ana
MH  - *Alpha/methods
OT  - beta
LA  - eng
PT  - Journal Article
JT  - J One
`;
const openalex = `{"id":"https://openalex.org/W700","title":"A Study of Things","publication_year":2020,"doi":"https://doi.org/10.7777/x.1","referenced_works":["https://openalex.org/W1"]}
`;

export async function readAll(
  content: string | Uint8Array | Uint8Array[],
  options: { format?: ImportFormat; name?: string } = {},
) {
  const bytes = Array.isArray(content) ? content : [Buffer.from(content as string)];
  const reading = await readImport(
    {
      name: options.name ?? "works",
      async *bytes() {
        yield* bytes;
      },
    },
    options,
  );
  const works: Work[] = [];
  for await (const work of reading.works) works.push(work);
  return { format: reading.format, works, ...reading.report() };
}

const names = (work: Work | undefined) => work?.authorships.map(({ name }) => name);
const words = (work: Work | undefined) => work?.keywords.map(({ name }) => name);

describe("imports", () => {
  test.each([
    ["bibtex", bib],
    ["ris", ris],
    ["csl-json", csl],
    ["wos", wos],
    ["pubmed", medline],
    ["scopus", scopus],
    ["openalex", openalex],
  ])("RL-79: %s is recognised, packed or not, with any line ends and marks", async (format, text) => {
    const plain = await readAll(text);
    expect(plain.format).toBe(format);
    expect(plain.works[0]).toMatchObject({ title: "A Study of Things", doi: "10.7777/x.1", year: 2020 });
    const variants = [
      gzipSync(text),
      Buffer.from(`\ufeff${text.replaceAll("\n", "\r\n")}`),
      Buffer.from(text.replaceAll("\n", "\r")),
      Buffer.from(`\ufeff${text}`, "utf16le"),
      Buffer.from(`\ufeff${text}`, "utf16le").swap16(),
    ];
    for (const variant of variants) expect(await readAll(variant)).toEqual(plain);
    // However the bytes come.
    const single = [...Buffer.from(text)].map((byte) => Uint8Array.of(byte));
    expect(await readAll(single)).toEqual(plain);
  });

  test("RL-79: what is no UTF-8 is read as Windows-1252, and said", async () => {
    const read = await readAll(Buffer.from(bib.replace("Things", "Th\xefngs \x96 \x80"), "latin1"));
    expect(read.works[0]?.title).toBe("A Study of Thïngs – €");
    expect(read.warnings.map(({ code }) => code)).toContain("W_ENCODING");
    expect((await readAll(bib)).warnings.map(({ code }) => code)).not.toContain("W_ENCODING");
  });

  test("RL-79: a file of no known format is refused, and a said format that finds nothing", async () => {
    await expect(readAll("nothing here")).rejects.toMatchObject({ code: "E_FORMAT_UNKNOWN" });
    await expect(readAll("")).rejects.toMatchObject({ code: "E_FORMAT_UNKNOWN" });
    await expect(readAll("nothing here", { format: "bibtex" })).rejects.toMatchObject({ code: "E_PARSE" });
    expect((await readAll("", { format: "bibtex" })).entries).toBe(0);
  });

  test("RL-14: a file that unpacks beyond reason is refused", async () => {
    const bomb = gzipSync(
      Buffer.concat([Buffer.from("@misc{a, title={b}}\n"), Buffer.alloc(64 * 1024 * 1024, " ")]),
    );
    await expect(readAll(bomb)).rejects.toMatchObject({ code: "E_LIMIT" });
  });

  test("RL-80: a gzip file that was cut off is refused as a whole", async () => {
    const packed = gzipSync(Buffer.from(bib));
    await expect(readAll(packed.subarray(0, packed.length - 12))).rejects.toBeInstanceOf(WritError);
  });

  test("RL-81: BibTeX in full", async () => {
    const { works, entries, skipped, withoutTitle, warnings } = await readAll(bib);
    expect(entries).toBe(3);
    const [first, second] = works;
    expect(first && paperId(first)).toBe("doi:c74d3bb2add00fb7");
    expect(names(first)).toEqual(["Diaz, Carla", "Ruiz, Ana"]);
    expect(words(first)).toEqual(["alpha", "beta", "gamma"]);
    expect(first).toMatchObject({ venue: "J One", type: "article", sourceId: null });
    expect(second).toMatchObject({ title: "Conf paper", venue: "Proc Two", type: "proceedings-article" });
    expect(skipped).toEqual([{ where: "k3 (works:3)", entry: 3, line: 3, reason: "It has no title." }]);
    expect(withoutTitle).toHaveLength(1);
    expect(warnings.map(({ code }) => code)).toEqual(["W_RECORD_SKIPPED"]);
  });

  test("RL-81: BibTeX with accents, macros, names of all forms and odd TeX", async () => {
    const { works, skipped, warnings } = await readAll(`
% a comment with an address@example.org
@comment{jabref-meta: x}
@string{jt = "Journal of {T}"}
@Article{müller-1,
  author    = "M{\\"u}ller, J{\\o}rg and Charles de Gaulle and {World Health Organization} and King, Jr., Martin and {\\'E}tienne Lefebvre and {\\O}ystein {\\AA}s and others",
  title     = {{\\'E}tude {\\emph{in vitro}} of 5\\% \\& more---again},
  journal   = jt # { and More},
  year      = 1999, month = may, day = 3,
  pages     = {12--34},
  doi       = {10.1000/a\\_b},
  eprint = {2101.00001}, archiveprefix = {arXiv},
}
@article(round, title = "In\\,round\\slash brackets\\/ \\textbackslash{}slash $\\leq$", year = {2001a})
@article{, title = {Without a key}, abstract = {It costs $5 and a {\\% of} more} }
@article{ ISI:1, Title = {{Field names of another program}}, Usage-Count-(Last-180-days) = {{1}}, Keywords-Plus = {{A; B}} }
@article{müller-1, title = {The same key}, doi = {not a doi}}
`);
    expect(skipped).toEqual([]);
    expect(names(works[0])).toEqual([
      "Müller, Jørg",
      "de Gaulle, Charles",
      "World Health Organization",
      "King, Martin Jr.",
      "Lefebvre, Étienne",
      "Ås, Øystein",
    ]);
    expect(works[0]).toMatchObject({
      title: "Étude in vitro of 5% & more—again",
      venue: "Journal of T and More",
      publicationDate: "1999-05-03",
      pages: "12-34",
      doi: "10.1000/a_b",
      ids: [{ engine: "arxiv", value: "2101.00001" }],
    });
    expect(works[1]).toMatchObject({ title: "In round/brackets \\slash ≤", year: 2001 });
    expect(works[2]).toMatchObject({ title: "Without a key", abstract: "It costs $5 and a % of more" });
    expect(works[3]).toMatchObject({
      title: "Field names of another program",
      keywords: [{ name: "A" }, { name: "B" }],
    });
    expect(works[4]).toMatchObject({ title: "The same key", doi: null });
    expect(warnings.map(({ code }) => code).toSorted()).toEqual(["W_DOI_INVALID", "W_DUPLICATE_KEY"]);
  });

  test("RL-80: one bad entry is alone in what is skipped", async () => {
    const entry = (at: number) => `@article{k${at}, title={Work ${at}}, year={2000}}`;
    const lines = Array.from({ length: 1000 }, (_, at) => entry(at + 1));
    lines[499] = "@article{k500, title={Work 500}, year={2000}";
    lines[700] = "@article{k701, title=, year={2000}}";
    const { works, skipped } = await readAll(lines.join("\n"));
    expect(works).toHaveLength(998);
    expect(skipped).toMatchObject([
      { entry: 500, line: 500, reason: "Its closing brace is missing." },
      { entry: 701, line: 701 },
    ]);
  });

  test("RL-80: more than half bad is no file of works", async () => {
    const bad = "@article{k, title=, year=}\n";
    const good = "@article{g, title={x}}\n";
    expect((await readAll(good + bad)).works).toHaveLength(1);
    await expect(readAll(good + bad + bad)).rejects.toMatchObject({
      code: "E_PARSE",
      failure: { details: { line: 2 } },
    });
  });

  test("RL-81: RIS with wrapped lines, its own separator in a text, and text between records", async () => {
    const { works, entries } = await readAll(`exported by a program
TY  - CHAP
T1  - A title  - with a separator
      that goes on
A1  - Diaz, Carla
A1  - World Health Organization
Y1  - 2020///
T2  - A Book
KW  - alpha; beta
KW  - Beta
SP  - 12
EP  - 20
N1  - WRIT_decision: rejected
N1  - WRIT_note: off topic
ER  -

junk
TY  - STRANGE
TI  - Unknown type
ER  - `);
    expect(entries).toBe(2);
    expect(works[0]).toMatchObject({
      title: "A title - with a separator that goes on",
      venue: "A Book",
      year: 2020,
      type: "book-chapter",
      pages: "12-20",
      decision: "rejected",
      note: "off topic",
    });
    expect(words(works[0])).toEqual(["alpha", "beta"]);
    expect(works[1]?.type).toBe("other");
  });

  test("RL-81: CSL-JSON with gaps, texts for numbers and one broken entry", async () => {
    const { works, skipped } = await readAll(`[
 {"type":"article-journal","title":"One <i>in</i> two","issued":{"date-parts":[["2019",null]]},"volume":7},
 {"type":"book","title":"Two","issued":{"raw":"May 2018"},"author":[{"literal":"A Group"},{"family":"Berg","given":"Jan","non-dropping-particle":"van der"}]},
 {"type":"book","title":"Th{re}e" "oops":1},
 {"type":"book","title":"A \\"{quoted\\\\\\" four"}
]`);
    expect(works.map(({ title, year }) => [title, year])).toEqual([
      ["One in two", 2019],
      ["Two", 2018],
      ['A "{quoted\\" four', null],
    ]);
    expect(works[0]?.volume).toBe("7");
    expect(names(works[1])).toEqual(["A Group", "van der Berg, Jan"]);
    expect(skipped).toMatchObject([{ entry: 3, line: 4, reason: "It is no JSON." }]);
  });

  test("RL-81: Web of Science in full", async () => {
    const { works, references } = await readAll(wos);
    expect(names(works[0])).toEqual(["Diaz, Carla", "Ruiz, Ana"]);
    expect(words(works[0])).toEqual(["alpha", "beta", "gamma"]);
    expect(works[0]).toMatchObject({
      venue: "J ONE",
      citedByCount: 7,
      sourceId: "wos:WOS:000123",
      ids: [{ engine: "wos", value: "WOS:000123" }],
      otherReferences: [
        { doi: "10.5555/r2", raw: "Smith J, 1999, J TWO, V1, P1, DOI 10.5555/R2" },
        { doi: null, raw: "Doe J, 1980, OLD BOOK" },
      ],
      references: [],
    });
    const place = { id: null, name: "Uni North", ror: null, country: "AR" };
    expect(works[0]?.authorships.map(({ institutions }) => institutions)).toEqual([[place], [place]]);
    expect(references).toEqual({ with_id: 0, with_doi: 1, text_only: 1 });
  });

  test("RL-81: Scopus in full", async () => {
    const { works } = await readAll(scopus);
    expect(names(works[0])).toEqual(["Diaz, Carla", "Ruiz, Ana"]);
    expect(words(works[0])).toEqual(["alpha", "beta", "gamma"]);
    expect(works[0]).toMatchObject({
      sourceId: "eid:2-s2.0-1",
      citedByCount: 3,
      abstract: 'Says "much".',
      type: "article",
      otherReferences: [
        { doi: null, raw: "Smith J., Title; with a stop, J Two, 1, (1999)" },
        { doi: "10.5555/r9", raw: "Doe J., Roe R., Old book, (1980) 10.5555/r9" },
      ],
    });
    expect(works[0]?.authorships.flatMap(({ institutions }) => institutions)).toMatchObject([
      { name: "University North", country: "AR" },
      { name: "Institute South", country: "CL" },
    ]);
  });

  test("RL-81: MEDLINE in full, and known by its id without a DOI", async () => {
    const { works } = await readAll(medline);
    expect(names(works[0])).toEqual(["Diaz, Carla", "Ruiz, Ana"]);
    expect(words(works[0])).toEqual(["Alpha", "beta"]);
    expect(works[0]).toMatchObject({
      sourceId: "pmid:31452104",
      language: "en",
      type: "article",
      venue: "J One",
    });
    expect(works[0]?.authorships).toMatchObject([
      { id: "0000-0001-2345-678x", institutions: [{ name: "University North", country: "AR" }] },
      { id: "ruiz, ana", institutions: [] },
    ]);
    const { works: bare } = await readAll(medline.replace(/^AID.*\n/m, ""));
    expect(bare[0] && paperId(bare[0])).toBe("src:9fb9fd9ad86e738c");
  });

  test("RL-82: references of OpenAlex lines are ids, and a line that is no JSON is skipped", async () => {
    const { works, skipped, references } = await readAll(`${openalex}\n{"id": broken\n`);
    expect(works[0]).toMatchObject({ sourceId: "W700", references: ["W1"] });
    expect(skipped).toMatchObject([{ entry: 2, line: 3 }]);
    expect(references).toEqual({ with_id: 1, with_doi: 0, text_only: 0 });
  });

  test("RL-81: the same entry has the same key in any file, and two in one file have two", async () => {
    const [one] = (await readAll(ris)).works;
    const [again] = (await readAll(`junk\n${ris}`)).works;
    expect(again?.sourceKey).toBe(one?.sourceKey);
    const both = (await readAll(ris + ris)).works.map(({ sourceKey }) => sourceKey);
    expect(both).toEqual([one?.sourceKey, `${one?.sourceKey}#2`]);
  });
});
