import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readLibrary } from "../../../packages/writ/src/research/library/use.ts";
import { createSnapshot } from "../../../packages/writ/src/research/snapshot/create.ts";
import { restoreSnapshot } from "../../../packages/writ/src/research/snapshot/restore.ts";
import { validateLibrary } from "../../../packages/writ/src/research/validate/validate.ts";
import { tempFolder } from "../../fixtures/temp-folder.ts";
import { alphaCiters, alphaSeeds, libraryIn } from "../library/works.ts";

// Made by bib2graph itself: see the README there.
const fixtures = join(import.meta.dirname, "fixtures");
const corpora = readdirSync(fixtures, { withFileTypes: true })
  .filter((one) => one.isDirectory())
  .map(({ name }) => name);

const corpusOf = (name: string) => join(fixtures, name, "corpus.parquet");
const told = (name: string) =>
  JSON.parse(readFileSync(join(fixtures, name, "manifest.json"), "utf8")) as { corpus_hash: string };

test.each(corpora)(
  "RL-180: in an empty library the corpus %s has the hash that its own program gave it",
  async (name) => {
    using temp = tempFolder();
    const library = libraryIn(temp.path);
    const ctx = library.ctx();
    const { corpus_hash: hash } = told(name);
    expect(await restoreSnapshot(ctx, { fromCorpus: corpusOf(name) })).toMatchObject({ corpus_hash: hash });
    expect(ctx.warnings).toEqual([]);
    expect(await validateLibrary(library.ctx(), { full: true })).toMatchObject({ valid: true });
  },
);

test("RL-180: a snapshot of what another program wrote has its hash, by its papers alone and by all that it holds", async () => {
  using temp = tempFolder();
  const [one, two] = [temp.file("one"), temp.file("two")];
  mkdirSync(one);
  mkdirSync(two);
  const [first, second] = [libraryIn(one), libraryIn(two)];
  const { corpus_hash: hash } = told("awkward");
  await restoreSnapshot(first.ctx(), { fromCorpus: corpusOf("awkward") });
  const made = await createSnapshot(first.ctx(), temp.file("out"));
  expect(made.corpus_hash).toBe(hash);
  for (const from of [{ fromCorpus: join(made.snapshot_dir, "corpus.parquet") }, { from: made.snapshot_dir }])
    expect(await restoreSnapshot(second.ctx(), from)).toMatchObject({ corpus_hash: hash });
});

test("RL-180: the corpora of the cases have the hashes that the cases give them", () => {
  expect(told("alpha").corpus_hash).toBe("9d1d3044c97e893484382d8409e535d7f3731ea264e72df738e369cf5b439efb");
  expect(told("chained").corpus_hash).toBe(
    "756f670d51adef9c8bf0640f7e366c703ab6b9584c26f51279d89a9459591927",
  );
});

test("RL-180, RL-157: what bib2graph decided is decided here by the same name at the same time", async () => {
  using temp = tempFolder();
  const { ctx } = libraryIn(temp.path);
  await restoreSnapshot(ctx(), { fromCorpus: corpusOf("curated") });
  const decisions = await readLibrary(ctx(), (db) =>
    db.rows(`SELECT p.source_id, d.decision, d.kind, d."by", d.reason, d.decided_at FROM decisions d
      JOIN papers p ON p.id = d.paper_id ORDER BY d.seq`),
  );
  expect(decisions).toMatchObject([
    { source_id: "W104", decision: "rejected", kind: "filter", reason: "filter:year:gte:2010" },
    {
      source_id: "W104",
      decision: "accepted",
      kind: "import",
      by: "ana",
      decided_at: new Date("2026-03-02"),
    },
    { decision: "accepted", kind: "import", by: "bo ñandú" },
    { decision: "accepted", kind: "import", by: "bo ñandú" },
    {
      source_id: "W201",
      decision: "rejected",
      kind: "import",
      by: "ana",
      decided_at: new Date("2026-03-04"),
    },
  ]);
});

test("RL-180: papers of bib2graph and the same works from their source are one", async () => {
  using temp = tempFolder();
  const { ctx, add } = libraryIn(temp.path);
  await restoreSnapshot(ctx(), { fromCorpus: corpusOf("chained") });
  expect(await add([...alphaSeeds, ...alphaCiters])).toMatchObject({ added: 0 });
  expect(await validateLibrary(ctx(), { full: true })).toMatchObject({ valid: true, total_papers: 8 });
});

test("RL-180, RL-157: a manifest that is older than its file is told of, and the file counts", async () => {
  using temp = tempFolder();
  const { ctx } = libraryIn(temp.path);
  copyFileSync(corpusOf("chained"), temp.file("corpus.parquet"));
  writeFileSync(temp.file("manifest.json"), JSON.stringify(told("alpha")));
  const it = ctx();
  const { corpus_hash: hash } = told("chained");
  expect(await restoreSnapshot(it, { fromCorpus: temp.file("corpus.parquet") })).toMatchObject({
    corpus_hash: hash,
  });
  expect(it.warnings.map(({ code }) => code)).toEqual(["W_HASH"]);
});
