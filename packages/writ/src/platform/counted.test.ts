import { expect, test } from "vitest";
import { counted } from "./counted.ts";

test.each([
  [counted(0, "file"), "0 files"],
  [counted(1, "file"), "1 file"],
  [counted(2, "entry", "entries"), "2 entries"],
])("a number has its noun: %s", (told, expected) => {
  expect(told).toBe(expected);
});
