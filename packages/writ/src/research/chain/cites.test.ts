import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../library/database.ts";
import { libraryOf, type PaperFixture, refill } from "../networks/papers.fixture.ts";
import { prepareCites } from "./cites.ts";
import { isReference } from "./observe.ts";

let db: Database;
beforeAll(async () => {
  db = await libraryOf([]);
});
afterAll(() => db.close());

async function citesOf(papers: readonly PaperFixture[]): Promise<string[]> {
  await refill(db, papers);
  await prepareCites(db);
  const rows = await db.rows<{ title: string; work: string }>(
    "SELECT p.title, coalesce(w.title, c.work) AS work FROM chain_refs c JOIN papers p ON p.id = c.paper LEFT JOIN papers w ON w.id = c.work ORDER BY ALL",
  );
  return rows.map(({ title, work }) => `${title} ${work}`);
}

const one: PaperFixture = {
  title: "A",
  sourceId: "W1",
  doi: "10.5555/a",
  references: ["W9", "W2", "W9", "W1"],
};
const other: PaperFixture = { title: "B", sourceId: "W2", doi: "10.5555/b", references: ["W9"] };

test("RL-87: a paper points at a work once, however often it lists it, and never at itself", async () => {
  expect(await citesOf([one, other])).toEqual(["A B", "A W9", "B W9"]);
});

test("RL-87: the id and the DOI of one work are one reference", async () => {
  const otherReferences = [{ doi: "10.5555/b", id: null, raw: null }];
  expect(await citesOf([{ ...one, otherReferences }, other])).toEqual(["A B", "A W9", "B W9"]);
});

test("RL-87: papers are told from what is no paper", async () => {
  await citesOf([one, other]);
  expect(await db.rows(`SELECT DISTINCT work FROM chain_refs WHERE ${isReference}`)).toEqual([
    { work: "W9" },
  ]);
});
