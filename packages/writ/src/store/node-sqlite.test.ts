import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { nodeSqlite } from "./node-sqlite.ts";

test("a statement is prepared once, and a thousand texts do not fill the memory with theirs", () => {
  using database = new DatabaseSync(":memory:");
  const adapter = nodeSqlite(database);
  const first = adapter.prepare("select 0");
  expect(adapter.prepare("select 0")).toBe(first);
  for (let n = 1; n <= 500; n++) adapter.prepare(`select ${n}`);
  expect(adapter.prepare("select 0")).not.toBe(first);
});

test("a statement that returns rows is told from one that does not", () => {
  using database = new DatabaseSync(":memory:");
  database.exec("create table t (a)");
  const adapter = nodeSqlite(database);
  expect(adapter.prepare("insert into t values (?) returning a").reader).toBe(true);
  const insert = adapter.prepare("insert into t values (?)");
  expect(insert.reader).toBe(false);
  expect(insert.run([1]).changes).toBe(1);
});
