import fc from "fast-check";
import { expect, test } from "vitest";
import { grouped } from "./grouped.ts";

test("a number is grouped as it is in English", () => {
  fc.assert(
    fc.property(fc.nat(2 ** 40), (count) => {
      expect(grouped(count)).toBe(count.toLocaleString("en-US"));
    }),
  );
});
