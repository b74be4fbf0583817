import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { bind } from "./bind.ts";
import { nodeSqlite } from "./node-sqlite.ts";

test("a Date becomes its instant, which node:sqlite would bind as NULL in first place", () => {
  using database = new DatabaseSync(":memory:");
  const statement = nodeSqlite(database).prepare("select ? as value");
  expect(statement.all([new Date(0)]).map((row) => ({ ...(row as object) }))).toEqual([
    { value: "1970-01-01T00:00:00.000Z" },
  ]);
});

test.for([
  [true, 1],
  [false, 0],
  [undefined, null],
  [null, null],
  ["", ""],
  [0, 0],
  [-1.5, -1.5],
  [2n ** 63n - 1n, 2n ** 63n - 1n],
] as const)("%s is bound as %s", ([given, bound]) => {
  expect(bind(given)).toBe(bound);
});

test("bytes are bound as they are", () => {
  const bytes = Uint8Array.of(1, 2);
  expect(bind(bytes)).toBe(bytes);
});

test.for([
  [[1, 2]],
  [{ a: 1 }],
  [Number.NaN],
  [Number.POSITIVE_INFINITY],
  [2n ** 63n],
  [() => 1],
  [Symbol("a")],
] as const)("%s is refused and never bound as something else", ([given]) => {
  expect(() => bind(given)).toThrow(TypeError);
});

test("an invalid Date is refused", () => {
  expect(() => bind(new Date(Number.NaN))).toThrow(RangeError);
});
