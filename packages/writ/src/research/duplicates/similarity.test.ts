import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { commonLength, letterCounts, ratio, ratioBound, sortedTokens } from "./similarity.ts";
import { givenDiffer, vetoOf } from "./vetoes.ts";

/** The longest common subsequence by the table everybody knows. */
function byTable(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, () => 0);
  for (const letter of a.split("")) {
    const next = [0];
    for (let at = 0; at < b.length; at += 1) {
      next.push(letter === b[at] ? (row[at] ?? 0) + 1 : Math.max(row[at + 1] ?? 0, next[at] ?? 0));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

describe("similarity", () => {
  test("RL-112, RL-178: the two examples", () => {
    expect(commonLength("network neural", "networks neural")).toBe(14);
    expect(ratio(sortedTokens("neural-network"), sortedTokens("neural-networks"))).toBeCloseTo(96.55, 2);
    expect(ratio(sortedTokens("graph-theory"), sortedTokens("graph-theories"))).toBeCloseTo(84.6, 1);
  });

  test("RL-112: word for word it equals the table, however long and in any script", () => {
    const letters = fc.oneof(fc.constantFrom("a", "b", "c", " "), fc.constantFrom("ä", "ß", "漢", "\ud835"));
    const text = fc.oneof(
      fc.array(letters, { maxLength: 40 }).map((all) => all.join("")),
      fc.array(fc.constantFrom("a", "b"), { minLength: 28, maxLength: 140 }).map((all) => all.join("")),
    );
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(commonLength(a, b)).toBe(byTable(a, b));
        expect(commonLength(b, a)).toBe(commonLength(a, b));
        expect(ratioBound(letterCounts(a), letterCounts(b))).toBeGreaterThanOrEqual(ratio(a, b));
      }),
    );
  });

  test.each([
    ["type-1-diabetes", "type-2-diabetes", "number"],
    ["part ii of the study", "part iii of the study", "number"],
    ["vitamin c", "vitamin d", "number"],
    ["covid-19", "covid", "number"],
    ["الجزء ١", "الجزء ٢", "number"],
    ["supervised-learning", "unsupervised-learning", "prefix"],
    ["hypertension", "hypotension", "prefix"],
    ["non-linear model", "linear model", "prefix"],
    ["symmetric key", "asymmetric key", "prefix"],
    ["low income country", "high income country", "word"],
    ["male athletes", "athletes", "word"],
    ["neural-network", "neural-networks", undefined],
    ["behavior", "behaviour", undefined],
    ["a study of things", "study of things", undefined],
  ])("RL-114: %s and %s: %s", (a, b, veto) => {
    expect(vetoOf(a, b)).toBe(veto);
    expect(vetoOf(b, a)).toBe(veto);
  });

  test("RL-114: given names and initials tell authors apart", () => {
    expect(givenDiffer(["carla"], ["carlo"])).toBe(true);
    expect(givenDiffer(["c"], ["d"])).toBe(true);
    expect(givenDiffer(["c"], ["carla"])).toBe(false);
    expect(givenDiffer(["carla", "m"], ["carla"])).toBe(false);
    expect(givenDiffer(["carla", "m"], ["carla", "maria"])).toBe(false);
    expect(givenDiffer([], ["carla"])).toBe(false);
    expect(vetoOf("smith, c", "smith, carla", { names: true })).toBeUndefined();
    expect(vetoOf("smith, john ii", "smith, john iii", { names: true })).toBe("number");
  });
});
