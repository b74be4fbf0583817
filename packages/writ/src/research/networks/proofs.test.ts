import { expect, test } from "vitest";
import { libraryOf } from "./papers.fixture.ts";
import { buildPreview } from "./preview.ts";
import { provenAmongFirst } from "./proofs.ts";

const authors = [{ openalex: "A7" }, { openalex: "A8" }];
const keywords = [
  { id: "keywords/a", raw: "a" },
  { id: "keywords/b", raw: "b" },
];

test("RL-130: ids that two papers share, or one paper holds, prove that a network is not empty", async () => {
  const db = await libraryOf([
    { sourceId: "W1", references: ["W9"], citedBy: ["W8"], authors, keywords },
    {
      sourceId: "W2",
      otherReferences: [{ doi: "10.1/x", id: null, raw: null }],
      citedBy: ["W8"],
      seed: false,
    },
    { sourceId: "W3", otherReferences: [{ doi: "10.1/x", id: null, raw: null }], seed: false },
  ]);
  const proven = async (thesaurus = false) =>
    (await provenAmongFirst(db, "all", { thesaurus })).toSorted((a, b) => (a < b ? -1 : 1));
  expect(await proven()).toEqual([
    "author_collab",
    "bibliographic_coupling",
    "cocitation",
    "keyword_cooccurrence",
  ]);
  expect(await proven(true)).not.toContain("keyword_cooccurrence");
  expect(await provenAmongFirst(db, "seeds", { thesaurus: false })).toEqual([
    "author_collab",
    "keyword_cooccurrence",
  ]);
  db.close();
});

test("RL-130: names, other ids and what people have merged prove nothing by themselves", async () => {
  const db = await libraryOf([
    { sourceId: "W1", references: ["W9"], authors, keywords: [{ raw: "A" }, { raw: "a" }] },
    { sourceId: "W2", otherReferences: [{ doi: null, id: "s2:9", raw: null }], authors: [{ name: "n/" }] },
  ]);
  await db.run(`INSERT INTO runs (run_id, seq, verb, state, started_at, writ_version) VALUES ('rr_2', 1, 'curate.merge', 'done', now(), '1');
    INSERT INTO entity_map VALUES ('author', 'a7', 'a8', 'rr_2')`);
  expect(await provenAmongFirst(db, "all", { thesaurus: false })).toEqual([]);
  const previews = await buildPreview(db);
  expect(previews.every((one) => one.would_be_empty)).toBe(true);
  await db.run("UPDATE runs SET revoked_by = 'rr_3'");
  expect(await provenAmongFirst(db, "all", { thesaurus: false })).toEqual(["author_collab"]);
  db.close();
});
