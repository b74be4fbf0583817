import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { exchangeStatuses } from "../model/words.ts";
import { circuitOf, type OutcomeEntry } from "./circuit.ts";

let n = 0;
const at = (
  seconds: number,
  outcome: OutcomeEntry["outcome"],
  retry_after_seconds?: number,
): OutcomeEntry => ({
  id: `c${++n}`,
  at: seconds * 1000,
  outcome,
  ...(retry_after_seconds !== undefined && { retry_after_seconds }),
});
const see = (entries: OutcomeEntry[], seconds: number, cooldownSeconds?: number) =>
  circuitOf(entries, { now: seconds * 1000, ...(cooldownSeconds !== undefined && { cooldownSeconds }) });

describe("the worked examples", () => {
  test("RS-41: one timeout holds nobody back, and a second one does (RC-18)", () => {
    const one = [at(0, "timeout")];
    expect(see(one, 1)).toEqual({ recovering: false });
    const two = [...one, at(40, "timeout")];
    expect(see(two, 639).open).toMatchObject({
      class: "transient",
      failures: 2,
      until: 640_000,
      opened_by: two[1]?.id,
    });
    expect(see(two, 640)).toEqual({ recovering: true });
  });
  test("RS-41: a failed probe is held twice as long, an answer forgets everything (RC-20)", () => {
    const probed = [at(0, "timeout"), at(40, "timeout"), at(700, "timeout")];
    expect(see(probed, 701).open).toMatchObject({ failures: 3, until: 1_900_000 });
    expect(see([...probed, at(2000, "completed"), at(2001, "timeout")], 2002)).toEqual({ recovering: false });
  });
  test.for([
    ["with a wait asked for", [at(0, "rate_limited", 30)], 29.9, 30],
    ["without one", [at(0, "rate_limited")], 899, 900],
    [
      "a second one after the first is over",
      [at(0, "rate_limited", 60), at(100, "rate_limited", 60)],
      219,
      220,
    ],
    ["thirty days are a day", [at(0, "rate_limited", 86_400)], 86_399, 86_400],
    ["a wrong key", [at(0, "auth_failed")], 3599, 3600],
    ["an exhausted quota", [at(0, "quota_exhausted", 60)], 21_599, 21_600],
  ] as const)("RS-40: %s (RC-19)", ([, entries, closed, open]) => {
    expect(see([...entries], closed).open).toBeDefined();
    expect(see([...entries], open)).toEqual({ recovering: true });
  });
  test("RS-41: of two holds the one that ends last is shown, and a reset lifts all", () => {
    expect(see([at(0, "auth_failed"), at(10, "rate_limited", 7200)], 20).open).toMatchObject({
      class: "rate",
      until: 7_210_000,
    });
    expect(see([at(0, "auth_failed"), at(60, "circuit_reset")], 60)).toEqual({ recovering: false });
    expect(see([at(0, "auth_failed"), at(3700, "timeout")], 3701).open).toBeUndefined();
  });
  test("RS-40: what says nothing of an advisor's health changes nothing", () => {
    const silent = ["malformed", "empty", "cancelled", "not_configured"] as const;
    const entries = silent.flatMap((one, i) => [at(i, one), at(i, one)]);
    expect(see(entries, 10)).toEqual({ recovering: false });
    expect(see([at(0, "timeout"), ...entries, at(40, "timeout")], 41).open?.failures).toBe(2);
  });
  test("RS-27: the setting replaces the length of every hold, and zero is no hold (RC-24)", () => {
    expect(see([at(0, "rate_limited", 7200)], 5, 5)).toEqual({ recovering: true });
    expect(see([at(0, "timeout"), at(1, "timeout")], 2, 0)).toEqual({ recovering: false });
  });
  test("RS-40: a record stamped far ahead is left out", () => {
    expect(see([at(1000, "auth_failed")], 699)).toEqual({ recovering: false });
    expect(see([at(999, "auth_failed")], 699).open).toBeDefined();
  });
});

test("RS-123: one more failure never ends a hold earlier", () => {
  const entry = fc.record({
    id: fc.constant("x"),
    at: fc.nat(200_000).map((s) => s * 1000),
    outcome: fc.constantFrom(...exchangeStatuses.filter((one) => one !== "completed")),
    retry_after_seconds: fc.option(fc.integer({ min: 1, max: 86_400 }), { nil: undefined }),
  });
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 12 }), entry, fc.nat(300_000), (entries, more, seconds) => {
      const known = entries.toSorted((a, b) => a.at - b.at) as OutcomeEntry[];
      const last = Math.max(0, ...known.map((one) => one.at));
      const later = { ...more, at: last + more.at } as OutcomeEntry;
      const now = { now: Math.max(later.at, seconds * 1000) };
      const before = circuitOf(known, now).open?.until ?? 0;
      expect(circuitOf([...known, later], now).open?.until ?? 0).toBeGreaterThanOrEqual(before);
    }),
  );
});
