import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeEdges } from "../../../packages/writ/src/research/builds/edge-file.ts";
import { Database } from "../../../packages/writ/src/research/library/database.ts";
import { makePairs, type Weighting } from "../../../packages/writ/src/research/networks/pairs.ts";
import type { NetworkSpec } from "../../../packages/writ/src/research/networks/spec.ts";
import { tempFolder } from "../../fixtures/temp-folder.ts";

const spec = { counting: "full", normalisation: "none" } as NetworkSpec;

/** A network of 600 nodes and every second of their pairs, laid down sorted or from its end. */
async function network(order: "s, t" | "s DESC, t DESC"): Promise<Database> {
  const db = await Database.open({ file: ":memory:" });
  await db.run(`
    CREATE TEMP TABLE net_nodes AS SELECT 'n' || lpad(CAST(i AS VARCHAR), 4, '0') AS id, i AS n FROM range(600) t(i);
    CREATE TEMP TABLE net_edges AS SELECT a.n AS s, b.n AS t, CAST(1 + (a.n * b.n) % 7 AS INTEGER) AS weight
    FROM net_nodes a JOIN net_nodes b ON a.n < b.n AND (a.n + b.n) % 2 = 0 ORDER BY ${order}`);
  return db;
}

test.each(["s, t", "s DESC, t DESC"] as const)(
  "RL-123: edges are written in their order however many there are and however they lie (%s)",
  async (order) => {
    using temp = tempFolder();
    const db = await network(order);
    const [few, many] = [join(temp.path, "few.parquet"), join(temp.path, "many.parquet")];
    await writeEdges(db, few, { spec, edges: 89_700 });
    await writeEdges(db, many, { spec, edges: 89_700, most: 0 });
    const sorted = await db.rows<{ rows: number; misplaced: number }>(`
      SELECT count(*) AS rows, count(*) FILTER (before >= source || target) AS misplaced
      FROM (SELECT *, lag(source || target) OVER (ORDER BY file_row_number) AS before FROM read_parquet('${many}', file_row_number = true))`);
    expect(sorted).toEqual([{ rows: 89_700, misplaced: 0 }]);
    expect(readFileSync(many).equals(readFileSync(few))).toBe(true);
    db.close();
  },
);

test.each(["full", "fractional"] as const)(
  "RL-123, RL-124: pairs counted a few at a time are those counted at once (%s)",
  async (counting) => {
    const db = await Database.open({ file: ":memory:" });
    await db.run(`
      CREATE TEMP TABLE net_inc AS
      SELECT CAST(n AS INTEGER) AS node, CAST((n * k * 7919) % 83 AS INTEGER) AS item FROM range(120) a(n), range(1, 9) b(k) GROUP BY ALL;
      CREATE TEMP TABLE net_items AS SELECT item, CAST(count(*) AS INTEGER) AS size FROM net_inc GROUP BY item HAVING count(*) > 1;
      CREATE TEMP TABLE net_alone (node INTEGER, items BIGINT)`);
    const weighting: Weighting = { counting, normalisation: "none", minWeight: 0 };
    const made = async (atOnce?: number) => {
      await makePairs(db, weighting, atOnce);
      return db.rows("SELECT * FROM net_edges ORDER BY s, t");
    };
    const whole = await made();
    expect(whole.length).toBeGreaterThan(1000);
    for (const atOnce of [100, 1000]) expect(await made(atOnce)).toEqual(whole);
    db.close();
  },
);

test("rows appended by columns lie in their order, and a join told so keeps it", async () => {
  const db = await Database.open({ file: ":memory:" });
  await db.run("CREATE TEMP TABLE names AS SELECT 'n' || i AS name, i AS n FROM range(1000) t(i)");
  await db.run("CREATE TEMP TABLE rows (place INTEGER, n INTEGER, big BIGINT)");
  const size = 400_000;
  await db.appendColumns(
    "temp.rows",
    (function* () {
      for (let from = 0; from < size; from += 2000) {
        const at = Int32Array.from({ length: 2000 }, (_, row) => from + row);
        yield [at, at.map((one) => (one * 7919) % 1000), BigInt64Array.from(at, (one) => BigInt(one) << 32n)];
      }
    })(),
  );
  await db.inOrder("CREATE TEMP TABLE joined AS SELECT place, name, big FROM rows JOIN names USING (n)");
  const found = await db.row(`
    SELECT count(*) AS rows, count(*) FILTER (before >= place) AS misplaced, count(*) FILTER (big <> CAST(place AS BIGINT) << 32) AS wrong
    FROM (SELECT *, lag(place) OVER () AS before FROM joined)`);
  expect(found).toEqual({ rows: size, misplaced: 0, wrong: 0 });
  db.close();
});
