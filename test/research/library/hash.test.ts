import { afterAll, beforeAll, expect, test } from "vitest";
import { Database } from "../../../packages/writ/src/research/library/database.ts";
import {
  corpusHash,
  rowHash,
  smallEscapes,
  withText,
} from "../../../packages/writ/src/research/library/hash.ts";
import { createTables } from "../../../packages/writ/src/research/library/schema.ts";

let db: Database;

beforeAll(async () => {
  db = await Database.open({ file: ":memory:" });
  await createTables(db, new Date(0));
});
afterAll(() => db.close());

async function only(row: Record<string, unknown>): Promise<void> {
  await db.run("DELETE FROM papers");
  await db.run(
    `INSERT INTO papers BY NAME SELECT unnest(json_transform(?, '${shape}')), 'r' AS first_run,
    'r' AS last_run, '' AS row_hash, true AS active`,
    [JSON.stringify(row)],
  );
}

const texts = [
  "id",
  "source_id",
  "doi",
  "title",
  "abstract",
  "source",
  "language",
  "publisher",
  "curation_status",
];
const lists = [
  "research_areas",
  "authors_raw",
  "authors_id",
  "authors_affiliations",
  "keywords_raw",
  "keywords_id",
  "institutions_raw",
  "institutions_id",
  "references_id",
  "references_doi",
  "cited_by_id",
];
const shape = JSON.stringify({
  ...Object.fromEntries(texts.map((name) => [name, "VARCHAR"])),
  ...Object.fromEntries(lists.map((name) => [name, ["VARCHAR"]])),
  year: "INTEGER",
  is_seed: "BOOLEAN",
});

const plain = {
  id: "doi:1af31fe42096bfaf",
  source_id: "W104",
  doi: "10.5555/a4",
  title: "Alpha outlier",
  year: 2008,
  source: "J. Tests",
  language: "es",
  is_seed: true,
  curation_status: "candidate",
  authors_raw: ["Dan Eto"],
  authors_id: ["a4"],
  authors_affiliations: ["Solo Org (ES)"],
  keywords_raw: ["outlier"],
  keywords_id: ["outlier"],
  institutions_raw: ["Solo Org"],
  institutions_id: ["I4"],
  references_id: ["W999"],
  cited_by_id: [],
};

const awkward = {
  id: "doi:5e532d0315731604",
  doi: "10.1000/écôle.1",
  title: 'École "normale" \\ test',
  abstract: "Line one\nline two",
  language: "fr",
  publisher: "P",
  is_seed: false,
  curation_status: "accepted",
  authors_raw: ["Zoé, A", "Åse, B"],
  authors_id: ["zoe a", "ase b"],
  references_id: ["W2", "W10"],
  references_doi: [null, "10.1/b"],
  research_areas: [],
};

test("RL-35, RL-178: rows hash to the published numbers, however awkward their texts", async () => {
  await db.run("DELETE FROM papers");
  expect(await corpusHash(db)).toBe("4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945");
  await only(plain);
  expect(await corpusHash(db)).toBe("431c8d684aaf06504ec4077aa829ac32dcbc51a78c76dce4f897f33bf0dd7ca2");
  await only(awkward);
  expect(await corpusHash(db)).toBe("8687faea7bbf22e7b01e99b2a7924aaa6123d1530af33080218e2995b8c489ff");
});

test("RL-35: control characters have small letters, and all but quotes and backslashes stays as it is", async () => {
  const title = '\u0001\u000b\u001f\b\t\n\f\r / \u007f \u2028 \u{1f600} é \\u001F "';
  await only({ ...plain, title });
  const row = await db.row<{ text: string }>(
    `SELECT ${smallEscapes("text")} AS text FROM (${withText("papers")})`,
  );
  expect(row?.text).toContain(
    `"title": "\\u0001\\u000b\\u001f\\b\\t\\n\\f\\r / \u007f \u2028 \u{1f600} é \\\\u001F \\"", "year": 2008}`,
  );
});

test("RL-35: items of lists that look like what stands between items stay what they are", async () => {
  const authors_raw = [",", '","', "", ", ", '"', "\\"];
  const keywords_raw = ['b",', "a", '",'];
  await only({ ...plain, authors_raw, keywords_raw, research_areas: [null, null] });
  const row = await db.row<{ text: string }>(withText("papers"));
  const text = String(row?.text);
  expect((JSON.parse(text) as { authors_raw: string[] }).authors_raw).toEqual(authors_raw.toSorted());
  expect(text).toContain('"authors_raw": ["", "\\"", "\\",\\"", ",", ", ", "\\\\"]');
  expect(text).toContain('"keywords_raw": ["\\",", "a", "b\\","]');
  expect(text).toContain('"research_areas": []');
});

test("RL-28: a row's hash is of its canonical text, whatever the order of its lists", async () => {
  await only({ ...awkward, references_id: ["W10", "W2"] });
  const hash = `SELECT ${rowHash("text")} AS hash FROM (${withText("papers")})`;
  const one = await db.row(hash);
  await only(awkward);
  expect(await db.row(hash)).toEqual(one);
  expect(one?.hash).toMatch(/^[0-9a-f]{16}$/);
});
