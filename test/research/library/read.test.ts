import { mkdirSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Database } from "../../../packages/writ/src/research/library/database.ts";
import { ingest } from "../../../packages/writ/src/research/library/ingest.ts";
import { addCiters, decide } from "../../../packages/writ/src/research/library/tell.ts";
import { readLibrary } from "../../../packages/writ/src/research/library/use.ts";
import { authorNode, listsOf } from "../../../packages/writ/src/research/library/authors.ts";
import { explainPaper } from "../../../packages/writ/src/research/read/explain.ts";
import { type ListRequest, listPapers } from "../../../packages/writ/src/research/read/list.ts";
import { ofEdge } from "../../../packages/writ/src/research/read/edge.ts";
import { renderList } from "../../../packages/writ/src/research/read/render.ts";
import { showPaper } from "../../../packages/writ/src/research/read/show.ts";
import { countPapers } from "../../../packages/writ/src/research/read/stats.ts";
import { scentSql, workScentSql } from "../../../packages/writ/src/research/library/scent.ts";
import { libraryStatus } from "../../../packages/writ/src/research/status/status.ts";
import { tempFolder } from "../../fixtures/temp-folder.ts";
import { alphaCitations, alphaCiters, alphaSeeds, at, libraryIn, workOf } from "./works.ts";

const temp = tempFolder();
const { ctx, add, change } = libraryIn(temp.path);
const as = (text: string) => text;
const plain = { bold: as, dim: as, red: as, green: as, yellow: as };
const w101 = "doi:be5ab312c7aebbec";
const asked = (more: Partial<ListRequest>): ListRequest => ({
  seeds: false,
  candidates: false,
  edge: [],
  fields: [],
  sort: "appearance",
  ...more,
});

beforeAll(async () => {
  mkdirSync(temp.file("x"));
  await add(alphaSeeds);
  await change("chain", async (one) => {
    await ingest(one, alphaCiters, { via: "citer", seed: false, hop: 1, fetchedAt: at(1) });
    await addCiters(one, alphaCitations);
    return {};
  });
});
afterAll(() => temp[Symbol.dispose]());

test("RL-169: an agent gets whole papers a page at a time, with the way to the rest, unless it asks for fewer", async () => {
  using many = tempFolder();
  const library = libraryIn(many.path);
  await library.add(Array.from({ length: 130 }, (_, at) => workOf({ title: `T ${at}`, sourceId: `W${at}` })));
  const agent = () => ({
    ...library.ctx(),
    caller: { actor: "agent:librarian", role: "agent" as const, acts_for: "user:ana" },
  });
  const first = await listPapers(agent(), asked({ fields: ["id", "title"] }));
  expect(first).toMatchObject({ count: 100, total: 130, next_cursor: expect.any(String) });
  const rest = await listPapers(agent(), asked({ fields: ["id", "title"], cursor: first.next_cursor ?? "" }));
  expect(rest).toMatchObject({ count: 30 });
  expect(rest.next_cursor).toBeUndefined();
  const told = [...first.papers, ...rest.papers];
  expect(new Set(told.map(({ id }) => id)).size).toBe(130);
  expect(told.every(({ title }) => /^T \d+$/.test(String(title)))).toBe(true);
  expect(await listPapers(agent(), asked({ limit: 5 }))).toMatchObject({ count: 5 });
  expect(await listPapers(library.ctx(), asked({}))).toMatchObject({ count: 130 });
});

test("RL-169: what an agent gets at once has a bound in characters, and the rest is a command away", async () => {
  using many = tempFolder();
  const library = libraryIn(many.path);
  const abstract = "x".repeat(3000);
  await library.add(
    Array.from({ length: 30 }, (_, at) => workOf({ title: `T ${at}`, sourceId: `W${at}`, abstract })),
  );
  const as = (actor: string) => ({ ...library.ctx(), caller: { actor, role: "agent" as const } });
  const wanted = asked({ fields: ["id", "abstract"], limit: 25 });
  const first = await listPapers(as("agent:librarian"), wanted);
  expect(first).toMatchObject({
    count: 2,
    total: 30,
    next: [
      `writ research read list --fields id --fields abstract --limit 25 --cursor ${first.next_cursor ?? ""}`,
    ],
  });
  expect((await listPapers(as("client:coder"), wanted)).count).toBe(13);
  expect((await listPapers(as("client:coder"), asked({ fields: ["all"], limit: 1 }))).count).toBe(1);
  // One paper that is larger than the bound is told whole.
  await library.add([workOf({ title: "Z", sourceId: "W99", abstract: "y".repeat(50_000) })]);
  const large = await listPapers(as("agent:librarian"), asked({ query: "Z", fields: ["abstract"] }));
  expect(large).toMatchObject({ count: 1, papers: [{ abstract: "y".repeat(50_000) }] });
  expect(await listPapers(library.ctx(), wanted)).toMatchObject({ count: 25, next: [expect.any(String)] });
});

test("RL-144: lists are of what was asked for, and pages do not overlap", async () => {
  expect((await listPapers(ctx(), asked({ query: "ÁLPHA", year: 2020 }))).papers).toMatchObject([
    { title: "Alpha networks" },
  ]);
  expect((await listPapers(ctx(), asked({ text: "zeta", fields: ["abstract"] }))).papers).toEqual([
    { abstract: "Alpha Zeta" },
  ]);
  expect((await listPapers(ctx(), asked({ candidates: true }))).total).toBe(4);
  const all = await listPapers(ctx(), asked({ sort: "scent", fields: ["id", "scent"] }));
  const first = await listPapers(ctx(), asked({ sort: "scent", fields: ["id", "scent"], limit: 3 }));
  const cursor = first.next_cursor ?? "";
  expect(renderList(first, plain)).toMatch(
    /\n3 of 8; more: writ research read list --fields id --fields scent --sort scent --limit 3 --cursor \S+$/,
  );
  expect(renderList(all, plain)).toMatch(/\n8 of 8$/);
  const rest = await listPapers(ctx(), asked({ sort: "scent", fields: ["id", "scent"], cursor }));
  expect([...first.papers, ...rest.papers]).toEqual(all.papers);
  const wrong = await listPapers(ctx(), asked({ sort: "year", cursor })).catch((thrown: unknown) => thrown);
  expect(wrong).toMatchObject({ code: "E_INVALID_VALUE" });
  const both = await listPapers(ctx(), asked({ seeds: true, candidates: true })).catch(
    (thrown: unknown) => thrown,
  );
  expect(both).toMatchObject({ code: "E_CONFLICTING_INPUT" });
  const odd = await listPapers(ctx(), asked({ fields: ["titel"] })).catch((thrown: unknown) => thrown);
  expect(odd).toMatchObject({ code: "USAGE_ERROR", failure: { details: { nearest: "title" } } });
});

test("RL-87: scent counts who points at a paper and the seeds it points at; rejected ones point at nothing", async () => {
  const scents = await readLibrary(ctx(), (db) =>
    db.rows(
      `SELECT p.source_id AS id, s.backward, s.forward FROM (${scentSql()}) s JOIN papers p USING (id) ORDER BY 1`,
    ),
  );
  expect(scents).toEqual([
    { id: "W101", backward: 2, forward: 0 },
    { id: "W102", backward: 2, forward: 0 },
    { id: "W103", backward: 2, forward: 0 },
    { id: "W104", backward: 1, forward: 0 },
    { id: "W201", backward: 0, forward: 2 },
    { id: "W202", backward: 0, forward: 3 },
    { id: "W203", backward: 0, forward: 1 },
    { id: "W204", backward: 0, forward: 1 },
  ]);
  const works = await readLibrary(ctx(), (db) =>
    db.rows(`SELECT ref, backward FROM (${workScentSql()}) ORDER BY backward DESC, ref`),
  );
  expect(works).toEqual([
    { ref: "W902", backward: 3 },
    { ref: "W903", backward: 3 },
    { ref: "W901", backward: 1 },
    { ref: "W904", backward: 1 },
    { ref: "W905", backward: 1 },
    { ref: "W999", backward: 1 },
  ]);
});

test("RL-145: an edge is what its ends share, as papers where they are", async () => {
  const spec = { scope: "all" } as never;
  const edge = (kind: string, ends: readonly [string, string]) =>
    readLibrary(ctx(), (db: Database) => ofEdge(db, { kind, spec } as never, { ends, base: {} }));
  expect((await edge("bibliographic_coupling", ["W101", "10.5555/A2"])).answer).toMatchObject({
    shared: [{ ref: "W902" }, { ref: "W903" }],
    shared_count: 2,
  });
  expect((await edge("cocitation", ["W101", "W102"])).answer).toMatchObject({
    shared: [
      { ref: "W201", title: "Citer one" },
      { ref: "W202", title: "Citer two" },
    ],
  });
  expect((await edge("keyword_cooccurrence", ["graph-theory", "network"])).papers).toHaveLength(2);
});

test("RL-146: groups are counted in order of their keys, the unknown last", async () => {
  const years = await countPapers(ctx(), "year", undefined);
  expect(years.groups.map(({ key }) => key)).toEqual([2008, 2015, 2019, 2020, 2021, 2022, 2023, 2024]);
  expect((await countPapers(ctx(), "is_seed", undefined)).groups).toEqual([
    { key: false, count: 4 },
    { key: true, count: 4 },
  ]);
  for (const word of ["status", "decade", "language", "type", "source", "venue", "run"])
    expect((await countPapers(ctx(), word, undefined)).total).toBe(8);
  expect(await countPapers(ctx(), "colour", undefined).catch((thrown: unknown) => thrown)).toMatchObject({
    code: "USAGE_ERROR",
  });
});

test("RL-147: a paper is shown with its citations, records and decisions; an unknown one with what is near", async () => {
  const shown = await showPaper(ctx(), "https://doi.org/10.5555/A1");
  expect(shown).toMatchObject({
    paper: { id: w101, cited_by_id: ["W201", "W202"] },
    records: [{ source: "openalex", via: "search", differs: [] }],
    cited_by_papers: [{ title: "Citer one" }, { title: "Citer two" }],
    provenance: [{ action: "seeded" }],
    scent: 2,
  });
  const unknown = await showPaper(ctx(), "Alpha methodz").catch((thrown: unknown) => thrown);
  expect(unknown).toMatchObject({
    code: "E_NOT_FOUND",
    failure: { details: { missing: ["Alpha methodz"] } },
  });
});

test("RL-171: a pinned citation tells which columns have changed since, and by whose word", async () => {
  const pinned = (await showPaper(ctx(), "W101")).ref;
  expect(await explainPaper(ctx(), pinned.slice("paper:".length))).toMatchObject({
    title: "Alpha methods",
    status: "candidate",
    pinned: { same: true, changed: [] },
    equations: [],
  });
  await change("curate.accept", async (one) => {
    await decide(one, [{ paper: w101, decision: "accepted", kind: "manual", by: "ana", reason: "on topic" }]);
    return {};
  });
  expect(await explainPaper(ctx(), pinned.slice("paper:".length))).toMatchObject({
    id: w101,
    status: "accepted",
    decided: { by: "ana", reason: "on topic" },
    address: "https://doi.org/10.5555/a1",
    pinned: { same: false, changed: ["curation_status"] },
    found_by_citing: [],
  });
  expect(await explainPaper(ctx(), `${w101}@0000000000000000`)).toMatchObject({
    pinned: { same: false, changed: [] },
  });
  const none = await explainPaper(ctx(), "doi:0000000000000000").catch((thrown: unknown) => thrown);
  expect(none).toMatchObject({ code: "E_NOT_FOUND" });
});

test("RL-159: status counts what is there, and no key is present that nobody gave", async () => {
  const status = await libraryStatus(ctx());
  expect(status).toMatchObject({
    loop_state: null,
    total_papers: 8,
    seeds: 4,
    counts_by_status: { candidate: 7, accepted: 1, rejected: 0 },
    merged: 0,
    builds: [],
    networks_cache_stale: false,
    unfinished_runs: [],
    library: { schema_version: "1" },
  });
  expect(status.sources.map(({ key_present }) => key_present)).not.toContain(true);
  expect(status.build_preview.find(({ kind }) => kind === "cocitation")).toMatchObject({
    would_be_empty: false,
  });
});

test("RL-30: one person with and without an ORCID is one node, and lists keep the order of the work", () => {
  const known = new Map([["0000-0001", "A1"]]);
  const who = { name: "Ana  Ruíz", openalex: null, orcid: null };
  expect(authorNode({ ...who, openalex: "A1" }, known)).toBe("a1");
  expect(authorNode({ ...who, orcid: "0000-0001" }, known)).toBe("a1");
  expect(authorNode({ ...who, orcid: "0000-000X" }, known)).toBe("0000-000x");
  expect(authorNode(who, known)).toBe("ana ruiz");
  const place = (id: string | null, name: string | null) => ({ id, name, ror: null, country: null });
  const lists = listsOf([
    {
      pos: 0,
      name: "",
      id: "b",
      openalex: null,
      orcid: null,
      institutions: [place("I2", null), place("I1", "One")],
    },
    { pos: 1, name: "A", id: "a", openalex: null, orcid: null, institutions: [place("I2", "Two")] },
  ]);
  expect(lists).toEqual({
    authors_raw: ["b", "A"],
    authors_id: ["b", "a"],
    authors_affiliations: ["? (??)", "One (??)", "Two (??)"],
    institutions_raw: ["I2", "One"],
    institutions_id: ["I2", "I1"],
    countries: null,
  });
});
