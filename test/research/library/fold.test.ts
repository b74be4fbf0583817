import { expect, test } from "vitest";
import { commitLibrary } from "../../../packages/writ/src/research/library/change.ts";
import { ingest } from "../../../packages/writ/src/research/library/ingest.ts";
import { readLibrary } from "../../../packages/writ/src/research/library/use.ts";
import { tempFolder } from "../../fixtures/temp-folder.ts";
import { testContext } from "../../support/context.ts";
import { workOf } from "./works.ts";

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute));

const bib = workOf({
  source: "bibtex",
  sourceKey: "k7",
  title: "X",
  doi: "10.7777/x.9",
  abstract: "a1",
  authorships: [{ pos: 0, name: "Diaz, Carla", id: null, openalex: null, orcid: null, institutions: [] }],
});
const openalex = workOf({
  sourceId: "W7",
  title: "X.",
  doi: "10.7777/x.9",
  authorships: ["Carla Diaz", "Ana Ruiz"].map((name, pos) => ({
    pos,
    name,
    id: name.toLowerCase(),
    openalex: null,
    orcid: null,
    institutions: [],
  })),
});

test("RL-39: a citer and an imported entry of one DOI are one seed, believed column by column", async () => {
  using temp = tempFolder();
  const ctx = () => testContext({ root: temp.path });
  await commitLibrary(ctx(), { verb: "chain", params: {}, creates: true }, async (change) => {
    await ingest(change, [openalex], { via: "citer", seed: false, hop: 1, fetchedAt: at(1) });
    return {};
  });
  await commitLibrary(ctx(), { verb: "seed", params: {}, creates: true }, async (change) => {
    await ingest(change, [bib], { via: "import", seed: true, hop: 0, fetchedAt: at(2) });
    return { ...(await change.fold()) };
  });
  const papers = await readLibrary(ctx(), (db) => db.rows("SELECT * FROM papers"));
  expect(papers).toMatchObject([
    {
      source_id: "W7",
      doi: "10.7777/x.9",
      title: "X.",
      abstract: "a1",
      is_seed: true,
      hop: 0,
      authors_raw: ["Carla Diaz", "Ana Ruiz"],
      cited_by_id: [],
      active: true,
    },
  ]);
});
