import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Database } from "../../../packages/writ/src/research/library/database.ts";
import { ingest } from "../../../packages/writ/src/research/library/ingest.ts";
import { addCiters, addReferenceDois, decide } from "../../../packages/writ/src/research/library/tell.ts";
import { readLibrary } from "../../../packages/writ/src/research/library/use.ts";
import { createSnapshot } from "../../../packages/writ/src/research/snapshot/create.ts";
import { restoreSnapshot } from "../../../packages/writ/src/research/snapshot/restore.ts";
import { validateLibrary } from "../../../packages/writ/src/research/validate/validate.ts";
import { smallDisk, canMount } from "../../fixtures/small-disk.ts";
import { tempFolder } from "../../fixtures/temp-folder.ts";
import { alphaCitations, alphaCiters, alphaSeeds, at, libraryIn, workOf } from "./works.ts";

async function chainedIn(root: string) {
  const library = libraryIn(root);
  await library.add(alphaSeeds);
  await library.change("chain", async (one) => {
    await ingest(one, alphaCiters, { via: "citer", seed: false, hop: 1, fetchedAt: at(1) });
    await addCiters(one, alphaCitations);
    await addReferenceDois(one, [
      { ref: "W902", doi: "10.5555/r2" },
      { ref: "W903", doi: "10.5555/r3" },
      { ref: "W101", doi: "10.5555/a1" },
      { ref: "W102", doi: "10.5555/a2" },
      ...["W901", "W904", "W905", "W999", "W103"].map((ref) => ({ ref, doi: null })),
      { ref: "W104", doi: "10.5555/a4" },
    ]);
    return {};
  });
  return library;
}

const filesOf = (folder: string) => [
  "corpus.parquet",
  ...readdirSync(join(folder, "tables")).map((one) => `tables/${one}`),
];

test("RL-155, RL-179: a snapshot restored into an empty library and made again has the same bytes", async () => {
  using temp = tempFolder();
  const [one, two] = [temp.file("one"), temp.file("two")];
  mkdirSync(one);
  mkdirSync(two);
  const first = await chainedIn(one);
  await first.change("curate.reject", async (change) => {
    await decide(change, [
      { paper: "doi:be5ab312c7aebbec", decision: "rejected", kind: "manual", reason: "off" },
    ]);
    return {};
  });
  const made = await createSnapshot(first.ctx(), temp.file("out-one"));
  const second = libraryIn(two);
  const restored = await restoreSnapshot(second.ctx(), { from: made.snapshot_dir });
  expect(restored).toMatchObject({
    papers_loaded: 8,
    papers_new: 8,
    total_papers: 8,
    corpus_hash: made.corpus_hash,
    state: "FILTERED",
    round: 1,
  });
  const again = await createSnapshot(second.ctx(), temp.file("out-two"));
  const differing = filesOf(made.snapshot_dir).filter(
    (path) =>
      !readFileSync(join(made.snapshot_dir, path)).equals(readFileSync(join(again.snapshot_dir, path))),
  );
  expect(differing).toEqual(["tables/loop_state_log.parquet", "tables/meta.parquet", "tables/runs.parquet"]);
  const db = await Database.open({ file: ":memory:" });
  const runs = (folder: string) =>
    db.rows<{ run_id: string }>(`SELECT run_id FROM read_parquet('${folder}/tables/runs.parquet')`);
  const [before, after] = [await runs(made.snapshot_dir), await runs(again.snapshot_dir)];
  db.close();
  expect(after.slice(0, before.length)).toEqual(before);
  expect(await validateLibrary(second.ctx(), { full: true })).toMatchObject({ valid: true, checked: 8 });
});

test("RL-155: what fills several groups of rows is sorted throughout, each group full but the last", async () => {
  using temp = tempFolder();
  const one = temp.file("one");
  mkdirSync(one);
  const { ctx, add } = libraryIn(one);
  await add(alphaSeeds);
  const library = await Database.open({ file: join(one, ".writ/research/library.duckdb") });
  await library.run(`INSERT INTO records BY NAME SELECT * EXCLUDE (k) REPLACE (printf('X%09d', (k * 77777) % 122880) AS source_key)
    FROM (FROM records ORDER BY source_key LIMIT 1) CROSS JOIN (SELECT unnest(range(122880)) AS k)`);
  library.close();
  const made = await createSnapshot(ctx(), temp.file("out"));
  const file = join(made.snapshot_dir, "tables/records.parquet");
  const db = await Database.open({ file: ":memory:" });
  const groups = await db.rows<{ rows: number }>(
    `SELECT DISTINCT row_group_id, row_group_num_rows AS rows FROM parquet_metadata('${file}') ORDER BY ALL`,
  );
  const sorted = await db.row<{ misplaced: number }>(
    `SELECT count(*) AS misplaced FROM (
       SELECT {a: source, b: source_key} AS key, lag({a: source, b: source_key}) OVER () AS before FROM read_parquet('${file}'))
     WHERE before > key`,
  );
  db.close();
  expect(groups.map(({ rows }) => rows)).toEqual([122_880, alphaSeeds.length]);
  expect(sorted).toEqual({ misplaced: 0 });
});

test("RL-156: what is not as the manifest says is damaged, and nothing is restored", async () => {
  using temp = tempFolder();
  const one = temp.file("one");
  mkdirSync(one);
  const { ctx, add } = libraryIn(one);
  await add(alphaSeeds);
  const made = await createSnapshot(ctx(), temp.file("out"));
  writeFileSync(join(made.snapshot_dir, "tables/records.parquet"), "no");
  const error = await restoreSnapshot(ctx(), { from: made.snapshot_dir }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    code: "E_SNAPSHOT_DAMAGED",
    failure: { details: { file: "tables/records.parquet" } },
  });
});

test("RL-156: a file of the right hash that holds something else is damage, not a defect", async () => {
  using temp = tempFolder();
  const one = temp.file("one");
  mkdirSync(one);
  const { ctx, add } = libraryIn(one);
  await add(alphaSeeds);
  const made = await createSnapshot(ctx(), temp.file("out"));
  const path = "tables/records.parquet";
  const [file, index] = [join(made.snapshot_dir, path), join(made.snapshot_dir, "manifest.json")];
  const before = readFileSync(index, "utf8");
  const found = createHash("sha256").update(readFileSync(file)).digest("hex");
  writeFileSync(file, "no table at all");
  writeFileSync(index, before.replace(found, createHash("sha256").update("no table at all").digest("hex")));
  const error = await restoreSnapshot(ctx(), { from: made.snapshot_dir }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: "E_SNAPSHOT_DAMAGED", failure: { details: { file: path } } });
  expect(await validateLibrary(ctx(), { full: true })).toMatchObject({ valid: true, checked: 4 });
});

test("RL-156, RL-157: a corpus file alone is taken as it stands, with its decisions, and its hash is kept", async () => {
  using temp = tempFolder();
  const [one, two] = [temp.file("one"), temp.file("two")];
  mkdirSync(one);
  mkdirSync(two);
  const first = await chainedIn(one);
  await first.change("curate.accept", async (change) => {
    await decide(change, [
      { paper: "doi:be5ab312c7aebbec", decision: "accepted", kind: "manual", by: "ana" },
    ]);
    await decide(change, [
      { paper: "src:53951d1cb4b71667", decision: "rejected", kind: "filter", reason: "filter:year:gte:2022" },
    ]);
    return {};
  });
  const made = await createSnapshot(first.ctx(), temp.file("out"));
  const file = temp.file("corpus.parquet");
  copyFileSync(join(made.snapshot_dir, "corpus.parquet"), file);
  const second = libraryIn(two);
  const restored = await restoreSnapshot(second.ctx(), { fromCorpus: file });
  expect(restored).toMatchObject({ papers_new: 8, corpus_hash: made.corpus_hash });
  const decided = await readLibrary(second.ctx(), (db) =>
    db.rows(`SELECT paper_id, decision, kind, "by" FROM decisions ORDER BY paper_id`),
  );
  expect(decided).toEqual([
    { paper_id: "doi:be5ab312c7aebbec", decision: "accepted", kind: "import", by: "ana" },
    { paper_id: "src:53951d1cb4b71667", decision: "rejected", kind: "filter", by: "prisma_filter" },
  ]);
  const again = await createSnapshot(second.ctx(), temp.file("again"));
  expect(readFileSync(join(again.snapshot_dir, "corpus.parquet")).equals(readFileSync(file))).toBe(true);
  // The same works from their source join the corpus's papers.
  expect(await second.add(alphaSeeds)).toMatchObject({ added: 0 });
});

test("RL-156: a corpus without a canonical column is refused by name, and extra columns are left alone", async () => {
  using temp = tempFolder();
  const one = temp.file("one");
  mkdirSync(one);
  const { ctx, add } = libraryIn(one);
  await add(alphaSeeds);
  const made = await createSnapshot(ctx(), temp.file("out"));
  const db = await Database.open({ file: ":memory:" });
  const from = `read_parquet('${join(made.snapshot_dir, "corpus.parquet")}')`;
  await db.run(
    `COPY (SELECT * EXCLUDE (publisher) FROM ${from}) TO '${temp.file("less.parquet")}' (FORMAT parquet)`,
  );
  await db.run(`COPY (SELECT *, 1 AS more FROM ${from}) TO '${temp.file("more.parquet")}' (FORMAT parquet)`);
  await db.run(
    `COPY (SELECT * REPLACE (CAST(year AS VARCHAR) AS year) FROM ${from}) TO '${temp.file("odd.parquet")}' (FORMAT parquet)`,
  );
  db.close();
  const refused = (file: string) =>
    restoreSnapshot(ctx(), { fromCorpus: temp.file(file) }).catch((thrown: unknown) => thrown);
  expect(await refused("less.parquet")).toMatchObject({
    code: "E_SCHEMA_MISMATCH",
    failure: { details: { column: "publisher" } },
  });
  expect(await refused("odd.parquet")).toMatchObject({
    code: "E_SCHEMA_MISMATCH",
    failure: { details: { column: "year" } },
  });
  const it = ctx();
  expect(await restoreSnapshot(it, { fromCorpus: temp.file("more.parquet") })).toMatchObject({
    papers_new: 0,
    total_papers: 4,
  });
  expect(it.warnings.map(({ code }) => code)).toContain("W_EXTRA_COLUMNS");
});

test("RL-162: a status that another program wrote is found", async () => {
  using temp = tempFolder();
  const { ctx, add } = libraryIn(temp.path);
  await add(alphaSeeds);
  const db = await Database.open({ file: temp.file(".writ/research/library.duckdb") });
  await db.run("UPDATE papers SET curation_status = 'foo' WHERE source_id = 'W104'");
  db.close();
  const error = await validateLibrary(ctx(), { full: false }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    code: "E_LIBRARY_INVALID",
    failure: {
      data: {
        valid: false,
        issues: expect.arrayContaining([
          expect.objectContaining({ code: "word", paper: "doi:1af31fe42096bfaf" }),
        ]),
      },
    },
  });
});

test.skipIf(!canMount())("RL-181: a disk that fills up during a snapshot leaves nothing of it", async () => {
  using temp = tempFolder();
  const { ctx, add } = libraryIn(temp.path);
  const noise = (n: number) =>
    Array.from({ length: 400 }, (_, k) => (((n * 7919 + k) * 2654435761) % 4294967296).toString(36)).join(
      " ",
    );
  await add(
    Array.from({ length: 1500 }, (_, n) =>
      workOf({ title: `T ${n}`, sourceId: `W${n}`, abstract: noise(n) }),
    ),
  );
  const folder = temp.file("disk");
  using disk = smallDisk(folder);
  const error = await createSnapshot(ctx(), folder).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: "STORE_ERROR", failure: { cause: "No space is left on the disk." } });
  expect(readdirSync(folder)).toEqual([]);
  void disk;
});
