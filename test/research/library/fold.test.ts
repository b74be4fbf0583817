import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { splitByDoi } from "../../../packages/writ/src/research/library/fold/forest.ts";
import { foldRecords } from "../../../packages/writ/src/research/library/fold/records.ts";
import { corpusHash } from "../../../packages/writ/src/research/library/hash.ts";
import { idOf } from "../../../packages/writ/src/research/library/identity.ts";
import { ingest } from "../../../packages/writ/src/research/library/ingest.ts";
import { resolveIds } from "../../../packages/writ/src/research/library/resolve.ts";
import { decide, mergePapers } from "../../../packages/writ/src/research/library/tell.ts";
import { findUndoable, undoRun } from "../../../packages/writ/src/research/library/undo.ts";
import type { Work } from "../../../packages/writ/src/research/model.ts";
import { MemoryLibrary } from "./memory.ts";
import { at, workOf } from "./works.ts";

let library: MemoryLibrary;
beforeAll(async () => {
  library = await MemoryLibrary.open();
});
beforeEach(() => library.clear());
afterAll(() => library.close());

const person = (name: string, pos: number) => ({
  pos,
  name,
  id: null,
  openalex: null,
  orcid: null,
  institutions: [],
});
const add = (works: readonly Work[], how: { seed?: boolean; hop?: number; minute?: number } = {}) =>
  library.change((one) =>
    ingest(one, works, {
      via: "import",
      seed: how.seed ?? true,
      hop: how.hop ?? 0,
      fetchedAt: at(how.minute ?? 0),
    }),
  );
const undo = (run: string) =>
  library.change(async (one) => undoRun(one, await findUndoable(one.db, run)), {
    verb: "curate.undo",
    params: { run },
  });

const bib = workOf({
  source: "bibtex",
  sourceKey: "k7",
  title: "X",
  doi: "10.7777/x.9",
  abstract: "a1",
  authorships: [person("Diaz, Carla", 0)],
});
const told = workOf({
  sourceId: "W7",
  title: "X.",
  doi: "10.7777/x.9",
  authorships: [person("Carla Diaz", 0), person("Ana Ruiz", 1)],
});

test.each([
  ["first", true],
  ["last", false],
])("RL-39: an entry and a citer of one DOI are one seed, the entry having come %s", async (_, entryFirst) => {
  const asEntry = () => add([bib], { minute: 2 });
  const asCiter = () => add([told], { seed: false, hop: 1, minute: 1 });
  const { runId } = await (entryFirst
    ? asEntry().then(asCiter)
    : asCiter().then((run) => asEntry().then(() => run)));
  expect(await library.papers()).toMatchObject([
    {
      id: idOf("doi", "10.7777/x.9"),
      source_id: "W7",
      title: "X.",
      abstract: "a1",
      is_seed: true,
      hop: 0,
      authors_raw: ["Carla Diaz", "Ana Ruiz"],
      cited_by_id: [],
    },
  ]);
  await undo(runId);
  expect(await library.papers()).toMatchObject([
    {
      id: idOf("doi", "10.7777/x.9"),
      source_id: null,
      title: "X",
      authors_raw: ["Diaz, Carla"],
      cited_by_id: null,
    },
  ]);
});

test("RL-34: a paper that gains a DOI changes its id, answers to the old one, and keeps its decision", async () => {
  await add([workOf({ source: "pubmed", sourceKey: "1", sourceId: "pmid:1", title: "P" })]);
  const old = idOf("src", "pmid:1");
  await library.change((one) => decide(one, [{ paper: old, decision: "accepted", kind: "manual" }]));
  const { runId, ...done } = await add([
    workOf({ sourceId: "W1", title: "P", doi: "10.5555/p", ids: [{ engine: "pmid", value: "1" }] }),
  ]);
  expect(done).toEqual({ added: 0, changed: 1, removed: 0 });
  const id = idOf("doi", "10.5555/p");
  expect(await library.papers()).toMatchObject([{ id, source_id: "W1", curation_status: "accepted" }]);
  expect(await library.db.rows("SELECT old_id, paper_id, reason FROM aliases")).toEqual([
    { old_id: old, paper_id: id, reason: "rekeyed" },
  ]);
  expect(await library.db.rows("SELECT paper_id, made_on FROM decisions")).toEqual([
    { paper_id: id, made_on: old },
  ]);
  const texts = [id, old, "https://doi.org/10.5555/P", "W1", "https://openalex.org/W1", "pmid:1", "W2"];
  const { found, missing } = await resolveIds(library.db, texts);
  expect([new Set(found.values()), missing]).toEqual([new Set([id]), ["W2"]]);
  await undo(runId);
  expect(await library.papers()).toMatchObject([{ id: old, curation_status: "accepted" }]);
});

test("RL-40: a record that connects two papers makes them one, which is logged", async () => {
  await add([workOf({ source: "pubmed", sourceKey: "1", sourceId: "pmid:1", title: "A" })]);
  await add([workOf({ sourceId: "W1", title: "A" })]);
  const { added, removed } = await add([
    workOf({
      source: "crossref",
      sourceKey: "c",
      title: "A",
      doi: "10.5555/a",
      ids: [
        { engine: "pmid", value: "1" },
        { engine: "openalex", value: "W1" },
      ],
    }),
  ]);
  expect([added, removed]).toEqual([0, 0]);
  expect(await library.papers()).toMatchObject([{ id: idOf("doi", "10.5555/a"), source_id: "W1" }]);
  expect(await library.db.rows("SELECT kind, keep FROM merges")).toEqual([
    { kind: "exact", keep: idOf("doi", "10.5555/a") },
  ]);
});

test("RL-40: two DOIs stay two papers, however an id connects them", async () => {
  const shared = { engine: "arxiv" as const, value: "1" };
  await add([
    workOf({ source: "crossref", sourceKey: "a", title: "A", doi: "10.5555/a", ids: [shared] }),
    workOf({ source: "crossref", sourceKey: "b", title: "B", doi: "10.5555/b", ids: [shared] }),
    workOf({ source: "bibtex", sourceKey: "k", title: "C", ids: [shared], abstract: "from the entry" }),
  ]);
  expect(await library.papers()).toMatchObject(
    [idOf("doi", "10.5555/a"), idOf("doi", "10.5555/b")].toSorted().map((id) => ({ id })),
  );
  const [one] = await library.db.rows("SELECT abstract FROM papers WHERE doi = '10.5555/a'");
  expect(one).toEqual({ abstract: "from the entry" });
});

test("RL-40: what has no identifier is one with what has the same title and year", async () => {
  await add([workOf({ source: "ris", sourceKey: "r", title: "Untitled notes", year: 2001 })]);
  await add([
    workOf({ source: "bibtex", sourceKey: "b", title: " untitled Notes ", year: 2001, venue: "V" }),
  ]);
  await add([workOf({ source: "bibtex", sourceKey: "c", title: "Untitled notes", year: 2002 })]);
  expect(await library.papers()).toMatchObject(
    [
      { id: "tt:a95bbfab54fe036e", title: "Untitled notes", source: "V" },
      { id: idOf("tt", "untitled notes|2002") },
    ].toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  );
});

test("RL-111: confirmed to be one, two papers are one under either id until that is undone", async () => {
  await add([
    workOf({ sourceId: "W1", title: "A", year: 2020, doi: "10.7777/p1" }),
    workOf({ sourceId: "W3", title: "A", year: 2020, abstract: "more" }),
  ]);
  const [keep, drop] = [idOf("doi", "10.7777/p1"), idOf("src", "W3")];
  await library.change((one) => decide(one, [{ paper: drop, decision: "accepted", kind: "manual" }]));
  const before = await corpusHash(library.db);
  const { runId } = await library.change((one) =>
    mergePapers(one, { id: "mrg_1", keep, drop, score: 100, evidence: {} }),
  );
  expect(await library.papers()).toMatchObject([{ id: keep, abstract: "more", curation_status: "accepted" }]);
  expect(await library.db.rows("SELECT id, merged_into FROM papers WHERE NOT active")).toEqual([
    { id: drop, merged_into: keep },
  ]);
  const { found } = await resolveIds(library.db, [keep, drop, "W3"]);
  expect(new Set(found.values())).toEqual(new Set([keep]));
  // A record that comes later finds the merged paper.
  await add([
    workOf({
      source: "crossref",
      sourceKey: "c",
      title: "A",
      ids: [{ engine: "openalex", value: "W3" }],
      publisher: "P",
    }),
  ]);
  expect(await library.papers()).toMatchObject([{ id: keep, publisher: "P" }]);
  await undo(runId);
  expect(await library.papers()).toHaveLength(2);
  await undo("rr_0004");
  expect(await corpusHash(library.db)).toBe(before);
});

test("RL-102: a person's word beats a filter's, before it and after it, and the last one counts", async () => {
  await add([workOf({ sourceId: "W1", title: "A" })]);
  const paper = idOf("src", "W1");
  const status = async () =>
    (await library.db.row("SELECT curation_status AS s FROM papers WHERE active"))?.s;
  const filter = {
    paper,
    decision: "rejected" as const,
    kind: "filter" as const,
    reason: "filter:year:gte:2020",
  };
  await library.change((one) => decide(one, [filter]));
  expect(await status()).toBe("rejected");
  await library.change((one) => decide(one, [{ paper, decision: "accepted", kind: "manual" }]));
  await library.change((one) => decide(one, [filter]));
  expect(await status()).toBe("accepted");
  const { runId } = await library.change((one) =>
    decide(one, [{ paper, decision: "rejected", kind: "manual" }]),
  );
  expect(await status()).toBe("rejected");
  await undo(runId);
  expect(await status()).toBe("accepted");
});

/** Works that share DOIs, ids and titles with each other, from sources of different trust. */
const pool: readonly Work[] = (["openalex", "crossref", "pubmed", "bibtex"] as const).flatMap((source, s) =>
  Array.from({ length: 4 }, (_, n) =>
    workOf({
      source,
      sourceKey: `${source}${n}`,
      sourceId: source === "openalex" ? `W${n}` : source === "pubmed" ? `pmid:${n}` : null,
      doi: (n + s) % 3 === 0 ? `10.5555/${n % 2}` : null,
      ids: (n + s) % 2 === 0 ? [{ engine: "arxiv", value: String(n % 3) }] : [],
      title: `T ${n % 2}`,
      year: n === 3 ? null : 2000 + (n % 2),
      abstract: s === 1 ? `from ${source}` : null,
      keywords: [{ id: null, name: `key ${n}`, score: null }],
      references: source === "openalex" ? [`W${n + 1}`, "W900"] : [],
    }),
  ),
);

test("RL-41, RL-179: records in any order, in any batches, once or twice, give the same papers", async () => {
  const ordered = async (batches: readonly (readonly Work[])[]) => {
    await library.clear();
    for (const batch of batches)
      await library.change(async (one) => {
        for (const old of [true, false]) {
          const works = batch.filter((work) => pool.indexOf(work) < pool.length / 2 === old);
          const how = { via: "import", seed: old, hop: 1, fetchedAt: at(old ? 1 : 2) } as const;
          if (works.length > 0) await ingest(one, works, how);
        }
      });
    return { papers: await library.papers(), hash: await corpusHash(library.db) };
  };
  const expected = await ordered([pool]);
  expect(expected.papers.length).toBeGreaterThan(3);
  const shuffled = fc.shuffledSubarray([...pool], { minLength: pool.length });
  await fc.assert(
    fc.asyncProperty(shuffled, fc.integer({ min: 1, max: 15 }), async (works, cut) => {
      expect(await ordered([works.slice(0, cut), works])).toEqual(expected);
    }),
    { numRuns: 3 },
  );
});

test("RL-39, RL-179: one record comes out of the fold as it went in", () => {
  const list = fc.option(fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 4 }));
  const record = fc.record({
    source: fc.constantFrom("openalex", "bibtex", "corpus"),
    title: fc.string({ minLength: 1 }),
    year: fc.option(fc.integer({ min: 1900, max: 2100 })),
    abstract: fc.option(fc.string()),
    authors_raw: list,
    research_areas: list,
    references_id: list,
    cited_by_id: fc.constant([] as string[]),
    keywords_raw: fc.constant(null),
    keywords_id: fc.constant(null),
    refs_other: fc.constant(null),
  });
  fc.assert(
    fc.property(record, (one) => {
      const { source: _, ...told } = one;
      expect(foldRecords([one])).toMatchObject(told);
      expect(foldRecords([one, one])).toEqual(
        one.source === "corpus" && one.references_id !== null
          ? { ...foldRecords([one]), refs_corpus: false, references_doi: null }
          : foldRecords([one]),
      );
    }),
  );
});

test("RL-40, RL-179: sets with several DOIs part the same way in any order", () => {
  const record = (rid: number) =>
    fc.record({
      rid: fc.constant(rid),
      grp: fc.constant(0),
      doi: fc.option(fc.constantFrom("a", "b", "c")),
      ids: fc.uniqueArray(fc.constantFrom("x", "y", "z", "u"), { maxLength: 3 }),
    });
  const sets = fc
    .tuple(...[0, 1, 2, 3, 4, 5].map(record))
    .chain((records) =>
      fc.tuple(fc.constant(records), fc.shuffledSubarray(records, { minLength: records.length })),
    );
  const named = (parts: number[][]) => new Set(parts.map((part) => part.toSorted((a, b) => a - b).join()));
  fc.assert(
    fc.property(sets, ([records, shuffled]) => {
      const parts = splitByDoi(records);
      expect(named(splitByDoi(shuffled))).toEqual(named(parts));
      for (const part of parts)
        expect(new Set(part.flatMap((rid) => records[rid]?.doi ?? [])).size).toBeLessThan(2);
    }),
  );
});

test("RL-41: what an import tells twice, at once or thousands of entries later, is kept once", async () => {
  const works = Array.from({ length: 5030 }, (_, n) => workOf({ sourceId: `W${n % 5020}`, title: "T" }));
  const again = { ...works[7], title: "T, corrected" } as Work;
  let told: unknown;
  const folded = await library.change(async (one) => {
    const how = { via: "import", seed: true, hop: 0, fetchedAt: at(0) } as const;
    told = await ingest(one, [...works, again, again], how);
  });
  await library.db.oneThread();
  expect(told).toEqual({ records: 5032, fresh: 5021 });
  expect(folded).toMatchObject({ added: 5020 });
  expect(
    await library.db.row(
      "SELECT count(*) AS n, count(DISTINCT (source_key, row_hash)) AS contents FROM records",
    ),
  ).toEqual({ n: 5021, contents: 5021 });
});
