import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isMet, measured } from "../../bench/harness.ts";
import { goal, goals } from "../../bench/support/reasoning-goals.ts";

const bench = join(import.meta.dirname, "../../bench");

test("RS-125: each goal of reasoning is measured by one bench, beside a peer, at the 95th percentile", () => {
  const sources = globSync("reasoning/*.bench.ts", { cwd: bench }).map((file) =>
    readFileSync(join(bench, file), "utf8"),
  );
  // The check of a store names its goal in a table of sizes.
  const uses = (name: string) => sources.filter((text) => text.includes(`"${name}"`)).length;
  expect(goals.map((name) => [name, uses(name)])).toEqual(goals.map((name) => [name, 1]));
  expect(goals.length).toBe(13);
  expect(sources.filter((text) => !/peer/.test(text))).toEqual([]);
});

test("RS-125: a goal is held against the slow end, not against the median", () => {
  const writ = [...Array.from({ length: 18 }, () => 1), 300, 300];
  const finding = { what: "x", unit: "ms", writ, target: goal("derive") } as const;
  expect(measured(finding)).toBe(300);
  expect(isMet(finding)).toBe(false);
  expect(isMet({ ...finding, writ: [1, 2, 3] })).toBe(true);
});
