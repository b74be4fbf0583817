import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalJson } from "./json.ts";

function shuffled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shuffled);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, member]) => [key, shuffled(member)]),
  );
}

describe("canonicalJson", () => {
  test("CT-16: the order of keys does not enter the text, and the text says the same value", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value);
        expect(canonicalJson(shuffled(value))).toBe(text);
        // JSON has no -0.
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  test("follows the examples of RFC 8785", () => {
    expect(canonicalJson([56, { d: true, "10": null, "1": [] }])).toBe('[56,{"1":[],"10":null,"d":true}]');
    expect(canonicalJson([Number("333333333.33333329"), 1e30, 4.5, 2e-3, 1e-27, -0])).toBe(
      "[333333333.3333333,1e+30,4.5,0.002,1e-27,0]",
    );
    const keys = { "\u20ac": 1, "\r": 2, "\ufb33": 3, "1": 4, "\u{1f600}": 5, "\u0080": 6, "\u00f6": 7 };
    expect(Object.values(JSON.parse(canonicalJson(keys)) as object)).toEqual([4, 2, 6, 7, 1, 5, 3]);
    expect(canonicalJson('\u20ac$\u000f\nA\'B"\\"/')).toBe('"€$\\u000f\\nA\'B\\"\\\\\\"/"');
  });

  test("leaves out what is undefined, and refuses what JSON cannot say", () => {
    expect(canonicalJson({ a: undefined, b: 1 })).toBe('{"b":1}');
    for (const value of [
      Number.NaN,
      Number.POSITIVE_INFINITY,
      1n,
      undefined,
      [undefined],
      () => 1,
      Symbol("s"),
    ]) {
      expect(() => canonicalJson(value)).toThrow(TypeError);
    }
  });
});
