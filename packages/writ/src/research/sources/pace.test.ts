import { expect, test } from "vitest";
import { crossref } from "./crossref/source.ts";
import { Pace } from "./pace.ts";
import { createPhases } from "./progress.ts";

test("RL-61: requests keep their distance, as the service asks", () => {
  const pace = new Pace(1000);
  expect([pace.take(0), pace.take(0), pace.take(500), pace.take(9000)]).toEqual([0, 1000, 1500, 0]);
  pace.ask(crossref.pace.asked?.({ "x-rate-limit-limit": "50", "x-rate-limit-interval": "1s" }));
  expect([pace.take(20_000), pace.take(20_000), pace.take(20_000)]).toEqual([0, 20, 40]);
  pace.ask(crossref.pace.asked?.({}));
  expect(pace.take(20_000)).toBe(60);
});

test("RL-163: a phase is told at once, then four times a second, and once at its end", () => {
  const told: unknown[] = [];
  let now = 0;
  const phases = createPhases({ emit: (event) => void told.push(event), clock: { now: () => now } });
  for (let done = 1; done <= 100; done++, now += 10) phases.tell("fetch", { done });
  phases.tell("map");
  phases.end();
  expect(told).toEqual([
    { phase: "fetch", done: 1 },
    { phase: "fetch", done: 26 },
    { phase: "fetch", done: 51 },
    { phase: "fetch", done: 76 },
    { phase: "fetch", done: 100 },
    { phase: "map" },
  ]);
});
