import { describe, expect, test } from "vitest";
import { WritError } from "../../contract/index.ts";
import { equationSchema, readEquationSpec } from "./spec.ts";

function refusal(text: string): WritError["failure"] & { code: string } {
  try {
    readEquationSpec(text, "equation.yml");
  } catch (error) {
    if (error instanceof WritError) return { code: error.code, ...error.failure };
    throw error;
  }
  throw new Error("it was read");
}

describe("the file of an equation", () => {
  test("RL-57: a query is enough, and the rest has defaults", () => {
    expect(readEquationSpec("equation: {query: alpha AND beta}", "e.yml")).toEqual({
      query: "alpha AND beta",
      exclude: [],
      maxResults: 200,
      native: false,
      language: [],
      type: [],
      source: [],
    });
  });

  test("RL-57: all of its fields are read", () => {
    const text = `
equation:
  query: >
    alpha OR
    "beta gamma"
  exclude: [delta]
  max_results: 50
  native: false
  min_year: 2010
  max_year: 2020
  language: [no, Spanish]
  type: [review]
  source: [crossref, openalex]
`;
    expect(readEquationSpec(new TextEncoder().encode(text), "e.yml")).toEqual({
      query: 'alpha OR "beta gamma"\n',
      exclude: ["delta"],
      maxResults: 50,
      native: false,
      minYear: 2010,
      maxYear: 2020,
      language: ["no", "Spanish"],
      type: ["review"],
      source: ["crossref", "openalex"],
    });
  });

  test("RL-57: an unknown key is named with its file, line and the nearest known one", () => {
    const { code, details, message } = refusal("equation:\n  query: alpha\n  max_result: 5\n");
    expect(code).toBe("E_UNKNOWN_FIELD");
    expect(details).toMatchObject({
      file: "equation.yml",
      key: "max_result",
      field: "equation.max_result",
      line: 3,
      nearest: "max_results",
    });
    expect(message).toContain("max_results");
    expect(refusal("equations: {query: a}").details).toMatchObject({ key: "equations", nearest: "equation" });
  });

  test.each([
    ["equation: {}", "equation.query"],
    ["equation: {query: a, max_results: 0}", "equation.max_results"],
    ["equation: {query: a, exclude: delta}", "equation.exclude"],
    ["equation: {query: a, source: [scopus]}", "equation.source.0"],
    ["equation: {query: a, min_year: soon}", "equation.min_year"],
    ["", "equation"],
    ["[]", ""],
  ])("RL-57: %j is refused at %j", (text, field) => {
    expect(refusal(text)).toMatchObject({ code: "E_INVALID_SPEC", details: { file: "equation.yml", field } });
  });

  test("RL-57: what is no YAML says where, and what is too large says how much", () => {
    expect(refusal("equation: {query: a").code).toBe("E_INVALID_SPEC");
    expect(refusal("equation: {query: a, query: b}").details).toMatchObject({ line: 1 });
    expect(refusal(`equation: {query: "${"a".repeat(1024 * 1024)}"}`).code).toBe("E_LIMIT");
  });

  test("RL-17: its schema is published from the object it is read with", () => {
    const schema = equationSchema();
    expect(schema).toMatchObject({ required: ["equation"], additionalProperties: false });
    expect(JSON.stringify(schema)).toContain("max_results");
  });
});
