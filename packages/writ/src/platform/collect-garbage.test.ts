import { expect, test } from "vitest";
import { collectGarbage } from "./collect-garbage.ts";

test("RL-24: what is no longer used is given back when it is asked for", () => {
  let held: number[] | undefined = Array.from({ length: 4_000_000 }, (_, i) => i + 0.5);
  const before = process.memoryUsage().heapUsed;
  expect(held).toHaveLength(4_000_000);
  held = undefined;
  collectGarbage();
  expect(before - process.memoryUsage().heapUsed).toBeGreaterThan(16 * 1024 * 1024);
});
