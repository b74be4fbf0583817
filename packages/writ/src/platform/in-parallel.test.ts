import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { inParallel } from "./in-parallel.ts";

test("results stand in the order of the items, and no more run at once than allowed", async () => {
  let running = 0;
  let most = 0;
  const results = await inParallel([3, 1, 2, 0], 2, async (turns) => {
    most = Math.max(most, ++running);
    for (let at = 0; at < turns; at++) await turn();
    running--;
    return turns * 10;
  });
  expect(results).toEqual([30, 10, 20, 0]);
  expect(most).toBe(2);
});

test("a failure begins nothing new and is thrown once all that runs has ended", async () => {
  const begun: number[] = [];
  const ended: number[] = [];
  const work = inParallel([0, 1, 2, 3], 2, async (item) => {
    begun.push(item);
    if (item === 0) throw new Error("broken");
    await turn();
    ended.push(item);
  });
  await expect(work).rejects.toThrow("broken");
  expect(begun).toEqual([0, 1]);
  expect(ended).toEqual([1]);
});
