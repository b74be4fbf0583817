import { expect, test } from "vitest";
import { Database, type Value } from "./database.ts";

/** More rows than two chunks hold, of every shape that a table takes: texts long and short, lists of any length, nulls. */
function rows(): Value[][] {
  return Array.from({ length: 5000 }, (_, i): Value[] => [
    i,
    i % 7 === 0 ? null : `${"long ".repeat(i % 40)}${i}`,
    i % 5 === 0 ? null : Array.from({ length: (i * 31) % 90 }, (__, k) => `${i}.${k}${"x".repeat(k % 20)}`),
    i % 3 === 0 ? null : i % 2 === 0,
    i / 8,
  ]);
}

test("RL-24: rows come back as they were appended, however many chunks carried them", async () => {
  const db = await Database.open({ file: ":memory:" });
  await db.run("CREATE TABLE t (n INTEGER, text VARCHAR, list VARCHAR[], yes BOOLEAN, number DOUBLE)");
  const given = rows();
  expect(await db.append("t", ["n", "text", "list", "yes", "number"], given)).toBe(given.length);
  const found: Value[][] = [];
  for await (const columns of db.columns("SELECT n, text, list, yes, number FROM t ORDER BY n"))
    for (let row = 0; row < (columns[0]?.length ?? 0); row += 1)
      found.push(columns.map((column) => column[row] ?? null));
  expect(found).toEqual(given);
  const streamed: number[] = [];
  for await (const [n = [], number = []] of db.numbers("SELECT n, number FROM t ORDER BY n"))
    n.forEach((value, at) => streamed.push(value, number[at] ?? -1));
  expect(streamed).toEqual(given.flatMap(([n, , , , number]) => [n, number]));
  db.close();
});

test("RL-24: columns that are not named are null in every row, after rows that had them", async () => {
  const db = await Database.open({ file: ":memory:" });
  await db.run("CREATE TABLE t (n INTEGER, list VARCHAR[])");
  const given = Array.from({ length: 3000 }, (_, i): Value[] => [i, i < 2048 ? [`${i}`] : null]);
  await db.append("t", ["n", "list"], given);
  await db.append("t", ["n"], [[3000]]);
  expect(await db.row("SELECT count(list) AS lists, min(len(list)) AS least, count(*) AS n FROM t")).toEqual({
    lists: 2048,
    least: 1,
    n: 3001,
  });
  db.close();
});
