import fc from "fast-check";
import { expect, test } from "vitest";
import type { WritError } from "../contract/index.ts";
import { readJsonOrYaml } from "./input-text.ts";

function refusalOf(input: string | Uint8Array) {
  try {
    readJsonOrYaml(input, "in.yml");
  } catch (error) {
    return (error as WritError).toObject();
  }
  throw new Error("it was read");
}

test("CT-21: an input is read as JSON or as YAML, and means the same", () => {
  expect(readJsonOrYaml('{\n\t"a": [1, "x"]\n}', "in")).toEqual({ a: [1, "x"] });
  expect(readJsonOrYaml("a: [1, x]", "in")).toEqual({ a: [1, "x"] });
  expect(readJsonOrYaml("{a: [1, x]}", "in")).toEqual({ a: [1, "x"] });
  expect(readJsonOrYaml(Buffer.from('\uFEFF{"a": 1}'), "in")).toEqual({ a: 1 });
});

test("CT-21: any JSON is read as JSON reads it", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
      const text = JSON.stringify(value, null, "\t");
      expect(readJsonOrYaml(text, "in")).toEqual(JSON.parse(text));
    }),
  );
});

test("CT-21: what is neither is USAGE_ERROR with its name, line and all problems", () => {
  const error = refusalOf("a: 1\na: 2\nb: !x 1\n");
  expect(error).toMatchObject({ code: "USAGE_ERROR", exit_code: 1 });
  expect(error.message).toContain("in.yml cannot be read: line 2, column 1");
  expect(error.details?.problems).toMatchObject([{ kind: "duplicate" }, { kind: "syntax" }]);
});

test("CT-23: what is too deep is E_LIMIT with limit and found, in both forms", () => {
  const deep = "[".repeat(33) + "]".repeat(33);
  const bomb = "[".repeat(100_000) + "]".repeat(100_000);
  for (const text of [deep, `{a: ${deep}}`, bomb, `x: ${bomb}`]) {
    expect(refusalOf(text)).toMatchObject({ code: "E_LIMIT", exit_code: 2, details: { limit: 32 } });
  }
  expect(readJsonOrYaml("[".repeat(32) + "]".repeat(32), "in")).toBeDefined();
});
