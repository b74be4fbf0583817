import { expect, test } from "vitest";
import type { LoopState } from "../../../packages/writ/src/research/model.ts";
import { after, type Standing } from "../../../packages/writ/src/research/library/states.ts";
import { scopeSql } from "../../../packages/writ/src/research/library/scope.ts";
import {
  availableOf,
  equationCommand,
  type Facts,
} from "../../../packages/writ/src/research/status/commands.ts";
import { resumeCommand } from "../../../packages/writ/src/research/status/resume.ts";

test.each([
  ["seed", { state: null, round: 0 }, { state: "SEEDED", round: 1 }],
  ["reseed", { state: "FORAGED", round: 1 }, { state: "SEEDED", round: 2 }],
  ["chain", { state: "SEEDED", round: 1 }, { state: "FORAGED", round: 1 }],
  ["monitor", { state: "BUILT", round: 2 }, { state: "MONITORED", round: 2 }],
  ["filter", { state: "FORAGED", round: 1 }, { state: "FILTERED", round: 1 }],
  ["build", { state: "FILTERED", round: 1 }, { state: "BUILT", round: 1 }],
  ["restore", { state: null, round: 0 }, { state: "FILTERED", round: 1 }],
  ["restore", { state: "BUILT", round: 3 }, { state: "FILTERED", round: 3 }],
] as const)("RL-43: %s moves the loop on", (action, from, to) => {
  expect(after(action, from as Standing)).toEqual(to);
});

const facts = (state: LoopState | null, more: Partial<Facts> = {}): Facts => ({
  standing: { state, round: state === null ? 0 : 1 },
  hasSpec: true,
  leastYear: 1999,
  hasNetworks: true,
  ...more,
});

test.each([
  [null, "seed"],
  ["SEEDED", "chain filter build snapshot read validate reseed"],
  ["FORAGED", "filter build chain snapshot read validate reseed"],
  ["FILTERED", "build filter chain snapshot read validate reseed"],
  ["BUILT", "monitor export build filter chain snapshot read validate reseed"],
  ["MONITORED", "monitor reseed build filter chain export snapshot read validate"],
] as const)("RL-45: in state %s the next steps are these, in this order", (state, words) => {
  const { transitions, commands } = availableOf(facts(state));
  expect(transitions.join(" ")).toBe(words);
  expect(commands.map((one) => one.transition)).toEqual(transitions);
  expect(commands.every((one) => one.command?.startsWith("writ research "))).toBe(true);
});

test("RL-45: what has no command says what it needs, and an export without networks is not offered", () => {
  const bare = availableOf(facts("BUILT", { hasSpec: false, leastYear: null, hasNetworks: false }));
  expect(bare.transitions).not.toContain("export");
  expect(bare.commands.filter((one) => one.command === undefined)).toMatchObject([
    { transition: "filter", needs: ["criterion"] },
    { transition: "reseed", needs: ["equation"] },
  ]);
});

test("RL-46: seeding again is the last equation in full", () => {
  const params = {
    equation: 'TI="coral reef"',
    native: false,
    exclude: ["review", "it's"],
    language: [],
    type: ["article"],
    minYear: 2010,
    max_results: 500,
    source: "crossref",
  };
  const command =
    "writ research seed --equation 'TI=\"coral reef\"' --source crossref --exclude review --exclude 'it'\\''s' --min-year 2010 --type article --max-results 500";
  expect(equationCommand(params)).toBe(command);
  expect(resumeCommand("seed", params)).toBe(command);
  expect(resumeCommand("seed", { resolve: true })).toBe("writ research seed --resolve");
  expect(resumeCommand("chain", { direction: "forward", max_citing: 50, max_candidates: null })).toBe(
    "writ research chain --direction forward --max-citing 50",
  );
});

test("RL-8: every scope leaves out what was rejected, unless it is asked for", () => {
  expect(scopeSql("seeds")).toBe(
    "(papers.active AND papers.curation_status <> 'rejected' AND papers.is_seed)",
  );
  expect(scopeSql("accepted", { includeRejected: true, as: "p" })).toBe(
    "(p.active AND (p.is_seed OR p.curation_status = 'accepted'))",
  );
});
