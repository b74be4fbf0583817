import { expect, test } from "vitest";
import { seededRandom } from "../../../packages/writ/src/research/analysis/random.ts";
import { linksOf } from "../../../packages/writ/src/research/library/links.ts";
import { citationsSql, scentSql } from "../../../packages/writ/src/research/library/scent.ts";
import { libraryOf } from "../../../packages/writ/src/research/networks/papers.fixture.ts";

test("RL-87: what is told of one paper's citations is what is told of all papers'", async () => {
  const random = seededRandom(5);
  const below = (n: number) => Math.floor(random() * n);
  const some = <T>(count: number, draw: () => T): T[] => Array.from({ length: count }, draw);
  const db = await libraryOf(
    some(60, () => below(60)).map((_, at) => ({
      title: `T${at}`,
      ...(at % 7 > 0 && { sourceId: at % 5 === 0 ? `s2:p${at}` : `W${at}` }),
      ...(at % 3 > 0 && { doi: `10.1/p${at}` }),
      references: some(below(6), () => `W${below(70)}`),
      otherReferences: some(below(4), () => ({
        doi: below(2) === 0 ? `10.1/p${below(70)}` : null,
        id: below(3) > 0 ? `s2:p${below(70)}` : null,
        raw: null,
      })),
      seed: at % 4 > 0,
      status: at % 11 === 0 ? "rejected" : "candidate",
    })),
  );
  try {
    await db.run(
      "INSERT INTO external_ids SELECT 's2', substr(source_id, 4), id FROM papers WHERE source_id LIKE 's2:%'",
    );
    const papers = await db.rows<{ id: string }>("SELECT id FROM papers ORDER BY id");
    const pairs = await db.rows<{ citing: string; cited: string }>(
      `SELECT DISTINCT citing, cited FROM (${citationsSql()}) WHERE cited <> citing`,
    );
    const scents = new Map(
      (await db.rows<{ id: string; scent: number }>(`SELECT id, scent FROM (${scentSql()})`)).map((one) => [
        one.id,
        one.scent,
      ]),
    );
    expect(pairs.length).toBeGreaterThan(50);
    for (const { id } of papers) {
      const { citedBy, cites, scent } = await linksOf(db, id);
      const ids = (list: { id: string }[]) => list.map((one) => one.id).toSorted();
      expect(ids(citedBy)).toEqual(pairs.flatMap((one) => (one.cited === id ? one.citing : [])).toSorted());
      expect(ids(cites)).toEqual(pairs.flatMap((one) => (one.citing === id ? one.cited : [])).toSorted());
      expect(scent).toBe(scents.get(id) ?? 0);
    }
  } finally {
    db.close();
  }
});
