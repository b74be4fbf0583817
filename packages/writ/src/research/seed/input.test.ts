import { expect, test } from "vitest";
import { z } from "zod";
import { originOf, seedInput } from "./input.ts";

const origin = (given: Record<string, unknown>) => originOf(z.object(seedInput).parse(given));

test("RL-77, RL-84: an estimate is of a search; beside a look-up of DOIs it would be none", () => {
  expect(origin({ resolve: true })).toEqual({ kind: "resolve" });
  expect(() => origin({ resolve: true, estimate: true })).toThrow(/--resolve alone and --estimate exclude/);
  expect(() => origin({ from_file: "a.bib", resolve: true, estimate: true })).toThrow(/--estimate exclude/);
});
