import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canonicalColumns } from "../../../packages/writ/src/research/model.ts";
import { Database, type Row } from "../../../packages/writ/src/research/library/database.ts";
import { readLibrary } from "../../../packages/writ/src/research/library/use.ts";
import { tables } from "../../../packages/writ/src/research/library/schema.ts";
import { createSnapshot } from "../../../packages/writ/src/research/snapshot/create.ts";
import { manifestSchema } from "../../../packages/writ/src/research/snapshot/manifest.ts";
import { restoreSnapshot } from "../../../packages/writ/src/research/snapshot/restore.ts";
import { validateLibrary } from "../../../packages/writ/src/research/validate/validate.ts";
import { alpha } from "../../fakes/openalex/works.ts";
import { tempFolder } from "../../fixtures/temp-folder.ts";
import { testContext } from "../../support/context.ts";
import { bibFile } from "../files.ts";
import { openResearch, type Research } from "../workspace.ts";
import { alphaSeeds, libraryIn } from "./works.ts";

/** What is only ever added to: what was told, asked and decided. A paper's id in it follows the paper. */
const kept = [
  "requests",
  "records",
  "sightings",
  "decisions",
  "filter_log",
  "ref_dois",
  "citers",
  "merges",
  "builds",
  "loop_state_log",
  "aliases",
] as const;

const asText = (row: Row) => JSON.stringify({ ...row, paper_id: undefined });

describe("a library that was sought, chained, decided on, filtered, added to and built", () => {
  let it: Research;
  const runs: Record<string, string> = {};

  beforeAll(async () => {
    it = await openResearch({ works: alpha, closes: false });
    const run = async (name: string, verb: string, input: Record<string, unknown> = {}) => {
      runs[name] = String((await it.ok(verb, input)).run_id);
    };
    await run("seed", "seed", { equation: "TS=alpha" });
    await run("chain", "chain", { direction: "forward" });
    await run("accept", "curate.accept", { ids: ["W101"], reason: "in scope" });
    await run("filter", "curate.filter", { year_gte: 2010 });
    writeFileSync(join(it.root, "k.bib"), bibFile);
    await run("import", "seed", { from_file: "k.bib" });
    await run("build", "build");
  }, 60_000);
  afterAll(() => it.close());

  test("RL-5: every row leads to a run that says who, when, by which version, and with what", async () => {
    const ofRuns = Object.entries(tables).filter(([name, sql]) => name !== "runs" && /\brun_id\b/.test(sql));
    expect(ofRuns.length).toBeGreaterThanOrEqual(kept.length);
    const lost = ofRuns.map(
      ([name]) =>
        `SELECT '${name}' AS name, count(*) FILTER (r.run_id IS NULL) AS lost FROM ${name} t LEFT JOIN runs r USING (run_id)`,
    );
    const found = await it.rows<{ lost: number }>(lost.join(" UNION ALL "));
    expect(found.filter((one) => one.lost > 0)).toEqual([]);
    const told = await it.rows(
      `SELECT verb, source, source_version IS NOT NULL AS versioned, equation_text, executed_query, params, actor,
         writ_version <> '' AS by_version, ended_at >= started_at AS timed FROM runs ORDER BY seq`,
    );
    const common = { actor: "user:ana", by_version: true, timed: true, params: expect.stringMatching(/^\{/) };
    expect(told).toMatchObject([
      {
        ...common,
        verb: "seed",
        source: "openalex",
        versioned: true,
        equation_text: "TS=alpha",
        executed_query: expect.stringContaining("title_and_abstract.search:(alpha)"),
      },
      { ...common, verb: "chain", source: "openalex" },
      { ...common, verb: "curate.accept" },
      { ...common, verb: "curate.filter", params: expect.stringContaining("2010") },
      { ...common, verb: "seed", source: "bibtex", params: expect.stringContaining("k.bib") },
      { ...common, verb: "build" },
    ]);
    const unexplained = await it.rows(
      `SELECT id FROM papers p WHERE active AND (
         NOT EXISTS (SELECT 1 FROM record_papers JOIN sightings s USING (source, source_key, row_hash)
           JOIN runs r ON r.run_id = s.run_id WHERE paper_id = p.id AND s.fetched_at IS NOT NULL)
         OR (curation_status <> 'candidate' AND NOT EXISTS (SELECT 1 FROM decisions d WHERE d.paper_id = p.id
           AND d.decision = p.curation_status AND d."by" IS NOT NULL AND d.reason IS NOT NULL)))`,
    );
    expect(unexplained).toEqual([]);
  });

  test("RL-26, RL-27: the first columns are the canonical ones, times are instants, and an empty list is null", async () => {
    expect(await it.rows("SELECT value FROM meta WHERE key = 'schema_version'")).toEqual([{ value: "1" }]);
    const columns = await it.rows<{
      table_name: string;
      column_name: string;
      data_type: string;
      no: boolean;
    }>(
      `SELECT table_name, column_name, data_type, NOT is_nullable AS no FROM duckdb_columns()
       WHERE database_name = 'library' ORDER BY table_name, column_index`,
    );
    const papers = columns.filter((one) => one.table_name === "papers");
    const types: Readonly<Record<string, string>> = { year: "INTEGER", is_seed: "BOOLEAN" };
    const isList = (name: string) => /_(id|raw|affiliations|doi|areas)$/.test(name) && name !== "source_id";
    const typeOf = (name: string) => types[name] ?? (isList(name) ? "VARCHAR[]" : "VARCHAR");
    expect(papers.slice(0, 23).map((one) => [one.column_name, one.data_type])).toEqual(
      canonicalColumns.map((name) => [name, typeOf(name)]),
    );
    const always = ["id", "title", "is_seed", "curation_status"];
    expect(papers.slice(0, 23).flatMap((one) => (one.no ? [one.column_name] : []))).toEqual(always);
    const times = columns.filter((one) => /_at$|^at$/.test(one.column_name));
    expect(times.length).toBeGreaterThan(8);
    expect([...new Set(times.map((one) => one.data_type))]).toEqual(["TIMESTAMP WITH TIME ZONE"]);
    const lists = canonicalColumns.filter((name) => isList(name) && name !== "cited_by_id");
    expect(
      await it.rows(`SELECT id FROM papers WHERE ${lists.map((name) => `len(${name}) = 0`).join(" OR ")}`),
    ).toEqual([]);
    expect(
      await it.rows(
        `SELECT coalesce(source_id, 'none') AS of, cited_by_id AS citers FROM papers
         WHERE source_id IN ('W101', 'W204') OR title = 'Conf paper' ORDER BY of`,
      ),
    ).toEqual([
      { of: "W101", citers: ["W201", "W202"] },
      { of: "W204", citers: [] },
      { of: "none", citers: null },
    ]);
  });

  test("RL-29: lists that belong together are as long, in the order of the work, and never sorted", async () => {
    const both = (a: string, b: string) =>
      `(${a} IS NOT NULL AND ${b} IS NOT NULL AND len(${a}) <> len(${b}))`;
    const odd = ["authors", "keywords", "institutions"].map((one) => both(`${one}_raw`, `${one}_id`));
    odd.push(both("references_doi", "references_id"), "list_contains(authors_raw, NULL)");
    expect(await it.rows(`SELECT id FROM papers WHERE ${odd.join(" OR ")}`)).toEqual([]);
    const [review] = await it.rows("SELECT * FROM papers WHERE source_id = 'W103'");
    expect(review).toMatchObject({
      authors_raw: ["Carla Diaz", "Ana Ruiz", "Bo Chen"],
      authors_id: ["a3", "a1", "a2"],
      institutions_id: ["I3", "I1"],
      keywords_id: ["alpha-method", "network", "graph-theory"],
      references_id: ["W903", "W905"],
    });
  });

  test("RL-31: what happened to a paper is told from its records and decisions, in order of time", async () => {
    const told = async (id: string) => (await it.ok("read.show", { id })).provenance as Row[];
    const equation = (await it.rows<{ id: string }>("SELECT equation_id AS id FROM runs WHERE seq = 1"))[0]
      ?.id;
    expect(await told("W101")).toMatchObject([
      { action: "seeded", equation_id: equation, chaining_hop: 0, source: "openalex" },
      { action: "accepted", decided_by: "user:ana", decided_at: expect.stringMatching(/Z$/) },
    ]);
    expect(await told("W104")).toMatchObject([
      { action: "seeded" },
      { action: "rejected", decided_by: "prisma_filter", source: "filter:year:gte:2010" },
    ]);
    expect(await told("W201")).toMatchObject([
      { action: "fetched", chaining_hop: 1, source: "chaining:forward", fetched_at: expect.any(String) },
    ]);
    expect(Object.keys((await told("10.7777/x.1"))[0] ?? {})).toEqual([
      "action",
      "equation_id",
      "chaining_hop",
      "source",
      "fetched_at",
      "decided_by",
      "decided_at",
    ]);
  });

  test("RL-18: the library is in one folder, and beside it there is what somebody put there", () => {
    const files = readdirSync(it.root, { recursive: true, withFileTypes: true }).filter((one) =>
      one.isFile(),
    );
    const paths = files.map((one) => join(one.parentPath, one.name).slice(it.root.length + 1));
    const elsewhere = paths.filter((path) => !path.startsWith(".writ/research/"));
    expect(elsewhere.filter((path) => !/^\.writ\/(writ\.db|workspace\.json)/.test(path)).toSorted()).toEqual([
      "k.bib",
      "workspace.yml",
    ]);
    expect(paths.filter((path) => path.endsWith(".duckdb"))).toEqual([".writ/research/library.duckdb"]);
    const tops = new Set(readdirSync(join(it.root, ".writ/research")));
    for (const name of ["library.duckdb", "pages", "networks", "snapshots", "exports"])
      expect(tops).toContain(name);
    const page = paths.find((path) => path.includes("/pages/"));
    expect(page).toMatch(/^\.writ\/research\/pages\/([0-9a-f]{2})\/\1[0-9a-f]{62}\.json\.gz$/);
    for (const name of ["nodes.parquet", "edges.parquet", "metrics.json", "network.graphml", "clusters.csv"])
      expect(paths).toContain(`.writ/research/networks/bibliographic_coupling/${name}`);
    expect(paths).toContain(".writ/research/networks/build.json");
  });

  test("RL-24: the database is bounded in memory, spills into a folder of its own, and finds that folder empty", async () => {
    const settings = (env: Record<string, string> = {}) =>
      readLibrary(testContext({ root: it.root, env }), (db) =>
        db.row(
          ["memory_limit", "temp_directory", "preserve_insertion_order", "TimeZone"]
            .map((name, at) => `${at === 0 ? "SELECT " : ""}current_setting('${name}') AS ${name}`)
            .join(", "),
        ),
      );
    expect(await settings()).toEqual({
      memory_limit: "1.0 GiB",
      temp_directory: join(it.root, ".writ/research/.tmp"),
      preserve_insertion_order: false,
      TimeZone: "UTC",
    });
    expect(await settings({ WRIT_RESEARCH_MEMORY: "512MiB" })).toMatchObject({ memory_limit: "512.0 MiB" });
    const spilled = join(it.root, ".writ/research/.tmp/left.tmp");
    mkdirSync(join(spilled, ".."), { recursive: true });
    writeFileSync(spilled, "x");
    await it.ok("curate.accept", { ids: ["W102"] });
    expect(existsSync(spilled)).toBe(false);
  });

  const second = Date.UTC(2026, 0, 2, 3, 4, 5);
  const snapshot = (out?: string) => createSnapshot(testContext({ root: it.root, now: second }), out);

  test("RL-153, RL-154: a snapshot is a new folder with everything, and tells how the library came to be", async () => {
    const made = await snapshot();
    const name = `20260102T030405Z-${made.corpus_hash.slice(0, 8)}`;
    expect(made).toMatchObject({
      snapshot_dir: `.writ/research/snapshots/${name}`,
      total_papers: 10,
      schema_version: "1",
      maturity: { scope: "all" },
    });
    const folder = join(it.root, made.snapshot_dir);
    const stood = statSync(join(folder, "manifest.json")).mtimeMs;
    expect(await snapshot()).toMatchObject({ snapshot_dir: made.snapshot_dir, changed: false });
    expect(statSync(join(folder, "manifest.json")).mtimeMs).toBe(stood);
    const manifest = manifestSchema.parse(JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")));
    const written = readdirSync(folder, { recursive: true }).filter((one) =>
      String(one).endsWith(".parquet"),
    );
    expect(manifest.files.map(({ path }) => path).toSorted()).toEqual(written.map(String).toSorted());
    const kinds = written.map((path) => String(path).replace(/^tables\/|\.parquet$/g, ""));
    expect(kinds).toEqual(
      expect.arrayContaining(["corpus", "runs", "records", ...kept.filter((one) => one !== "builds")]),
    );
    const common = { source: "openalex", papers: expect.any(Number) };
    expect(manifest).toMatchObject({
      schema_version: "1",
      corpus_hash: made.corpus_hash,
      lib_version: "writ/test",
      created_at: "2026-01-02T03:04:05.000Z",
      openalex_version: expect.any(String),
      equations: [
        {
          ...common,
          query: "TS=alpha",
          translation_report: [expect.stringMatching(/^field TS=alpha: /)],
          translation: [{ construct: "field" }],
        },
      ],
      chaining: { depth: 1, direction: "forward", max_citing: 50, max_candidates: null },
      chainings: [{ direction: "forward" }],
      filters: [{ name: "filter:year", count_before: expect.any(Number), count_after: expect.any(Number) }],
      requests: { count: expect.any(Number), from_store: expect.any(Number) },
      usage: { cost_usd: expect.any(Number), credits: expect.any(Number) },
      duckdb_version: expect.stringMatching(/^v1\./),
      writ_version: "test",
    });
    expect(manifest.networks).toMatchObject([{ scope: "all" }]);
    const db = await Database.open({ file: ":memory:" });
    const from = `read_parquet('${join(folder, "corpus.parquet")}')`;
    const columns = await db.rows<{ column_name: string }>(`DESCRIBE SELECT * FROM ${from}`);
    const ids = (await db.rows<{ id: string }>(`SELECT id FROM ${from}`)).map(({ id }) => id);
    db.close();
    expect(columns.map((one) => one.column_name)).toEqual([...canonicalColumns]);
    expect(ids).toEqual(ids.toSorted());
  });

  test("RL-158: of a corpus whose lists were sorted apart no pairs are learned, and it is valid as it stands", async () => {
    using temp = tempFolder();
    const { snapshot_dir: folder } = await snapshot();
    const [file, root] = [temp.file("corpus.parquet"), temp.file("other")];
    mkdirSync(root);
    const db = await Database.open({ file: ":memory:" });
    await db.run(
      `COPY (SELECT * REPLACE (list_sort(authors_raw) AS authors_raw, list_sort(keywords_id)[:1] AS keywords_id)
       FROM read_parquet('${join(it.root, folder, "corpus.parquet")}')) TO '${file}' (FORMAT parquet)`,
    );
    db.close();
    const other = libraryIn(root);
    await restoreSnapshot(other.ctx(), { fromCorpus: file });
    const found = await readLibrary(other.ctx(), async (open) => ({
      paired: await open.rows("SELECT id FROM papers WHERE authorships IS NOT NULL"),
      dois: await open.rows("SELECT * FROM ref_dois"),
      review: await open.row(
        "SELECT authors_raw, authors_id, keywords_id FROM papers WHERE source_id = 'W103'",
      ),
    }));
    expect(found).toEqual({
      paired: [],
      dois: [],
      review: {
        authors_raw: ["Ana Ruiz", "Bo Chen", "Carla Diaz"],
        authors_id: ["a3", "a1", "a2"],
        keywords_id: ["alpha-method"],
      },
    });
    expect(await validateLibrary(other.ctx(), { full: true })).toMatchObject({ valid: true, checked: 10 });
    // The source brings what belongs together.
    await other.add(alphaSeeds);
    expect(
      await readLibrary(other.ctx(), (open) =>
        open.row("SELECT authors_raw FROM papers WHERE source_id = 'W103'"),
      ),
    ).toEqual({ authors_raw: ["Carla Diaz", "Ana Ruiz", "Bo Chen"] });
  });

  test("RL-4, RL-23: undoing, and undoing that, takes no row away and changes none", async () => {
    const rowsOf = async () => {
      const found: Record<string, string[]> = {};
      for (const name of kept) found[name] = (await it.rows(`SELECT * FROM ${name}`)).map(asText);
      return found;
    };
    const states = "SELECT id, curation_status, row_hash FROM papers WHERE active ORDER BY id";
    const [before, papers] = [await rowsOf(), await it.rows(states)];
    const pages = () =>
      readdirSync(join(it.root, ".writ/research/pages"), { recursive: true }).map(String).toSorted();
    const stored = pages();
    const undone = await it.ok("curate.undo", { run: runs.seed });
    expect(Number(undone.papers_removed)).toBeGreaterThan(0);
    expect(await it.rows(states)).not.toEqual(papers);
    const between = await rowsOf();
    await it.ok("curate.undo", { run: undone.run_id });
    expect(await it.rows(states)).toEqual(papers);
    const after = await rowsOf();
    for (const name of kept)
      for (const [older = [], newer = []] of [
        [before[name], between[name]],
        [between[name], after[name]],
      ])
        expect([name, older.filter((row) => !newer.includes(row))]).toEqual([name, []]);
    expect(before.decisions?.length).toBeGreaterThan(1);
    expect(stored.length).toBeGreaterThan(2);
    expect(pages()).toEqual(stored);
    const marks = await it.rows("SELECT run_id, revoked_by IS NOT NULL AS undone FROM runs ORDER BY seq");
    expect(marks.filter((one) => one.undone)).toEqual([{ run_id: undone.run_id, undone: true }]);
  });

  test("RL-38: a change computes the papers it touches again, and no other", async () => {
    const db = await Database.open({ file: join(it.root, ".writ/research/library.duckdb") });
    await db.run("UPDATE papers SET publisher = 'planted' WHERE source_id IN ('W103', 'W104')");
    db.close();
    await it.ok("curate.reject", { ids: ["W103"] });
    expect(await it.rows("SELECT source_id FROM papers WHERE publisher = 'planted'")).toEqual([
      { source_id: "W104" },
    ]);
  });
});
