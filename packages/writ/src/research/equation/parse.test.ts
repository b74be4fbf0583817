import { describe, expect, test } from "vitest";
import { WritError } from "../../contract/index.ts";
import { limits } from "../model.ts";
import { parseEquation } from "./parse.ts";
import { printEquation } from "./print.ts";

function read(text: string): string {
  return printEquation(parseEquation(text).root);
}

function refusal(text: string): { code: string; details: Record<string, unknown> } {
  try {
    parseEquation(text);
  } catch (error) {
    if (error instanceof WritError) return { code: error.code, details: error.failure.details ?? {} };
    throw error;
  }
  throw new Error(`${text} was read`);
}

describe("reading equations", () => {
  test.each([
    ["a or b and c", "a OR b AND c"],
    ["(a or b) and c", "(a OR b) AND c"],
    ["a Or b AnD nOt c", "a OR b AND NOT c"],
    ["NOT a NEAR/3 b AND c", "NOT a NEAR/3 b AND c"],
    ["(NOT a) NEAR/3 b", "(NOT a) NEAR/3 b"],
    ["a b c", "a b c"],
    ["a b OR c d", "a b OR c d"],
    ["((a))", "a"],
    ["(a OR b) OR c", "(a OR b) OR c"],
    ["AND NOT a", "NOT a"],
    ["a AND NOT b", "a AND NOT b"],
    ['a -b -"c d" -(e f)', 'a NOT b NOT "c d" NOT (e f)'],
    ["covid-19 e-mail", "covid-19 e-mail"],
  ])("RL-47: %s is read as %s", (typed, canonical) => {
    expect(read(typed)).toBe(canonical);
    expect(read(canonical)).toBe(canonical);
  });

  test.each([
    ["TI=coral", "TI=coral"],
    ["ti:coral", "TI=coral"],
    ["TI = coral", "TI=coral"],
    ["TITLE(coral OR reef)", "TI=(coral OR reef)"],
    ["TITLE-ABS-KEY ( coral )", "TITLE-ABS-KEY=coral"],
    ["TOPIC:coral", "TS=coral"],
    ['"heart attack"[Title/Abstract]', 'TITLE-ABS="heart attack"'],
    [
      "mi[mh] OR Doe[au] OR eng[la] OR review[pt] OR x[ti] OR y[ab]",
      "AK=mi OR AU=Doe OR LA=eng OR DT=review OR TI=x OR AB=y",
    ],
    ["AUTH(Smith) SRCTITLE(Nature) SU=Ecology", "AU=Smith SO=Nature WC=Ecology"],
    ["DOI(10.1234/x) do=10.1234/y:z", "DO=10.1234/x DO=10.1234/y:z"],
    ["TI=AND", "TI=AND"],
    ["title (coral)", "title coral"],
    ["language (coral)", "language coral"],
    ["constructor:x __proto__:y", "constructor:x __proto__:y"],
    ["TI=(a AND AB=b)", "TI=(a AND AB=b)"],
  ])("RL-47: the field of %s is read as %s", (typed, canonical) => {
    expect(read(typed)).toBe(canonical);
    expect(read(canonical)).toBe(canonical);
  });

  test.each([
    ["PY=2015", "PY=(2015)"],
    ["PY=2015-2020", "PY=(2015-2020)"],
    ["PY=(2015 OR 2017-2018)", "PY=(2015 OR 2017-2018)"],
    ["PUBYEAR > 2010", "PY=(>=2011)"],
    ["PUBYEAR < 2010", "PY=(<=2009)"],
    ["PUBYEAR = 2010", "PY=(2010)"],
    ["PY=>=2010", "PY=(>=2010)"],
    ["PY=(<= 2010)", "PY=(<=2010)"],
    ["2015:2020[dp]", "PY=(2015-2020)"],
  ])("RL-47: the years of %s are read as %s", (typed, canonical) => {
    expect(read(typed)).toBe(canonical);
    expect(read(canonical)).toBe(canonical);
  });

  test.each([
    ["a NEAR b", "a NEAR/15 b"],
    ["a near/2 b", "a NEAR/2 b"],
    ["a W/3 b", "a NEAR/3 b"],
    ["a pre/4 b", "a PRE/4 b"],
    ["a NEAR/2 b NEAR/3 c", "a NEAR/2 b NEAR/3 c"],
    ['"a b"~3 c~1 d*', '"a b"~3 c~1 d*'],
    ["“a b” OR „c d‟", '"a b" OR "c d"'],
  ])("RL-47: %s is read as %s", (typed, canonical) => {
    expect(read(typed)).toBe(canonical);
  });

  test("RL-47: commas outside quotes separate words, and are told", () => {
    const { root, commas } = parseEquation('a, b,c, "d, e"');
    expect(printEquation(root)).toBe('a b c "d, e"');
    expect(commas).toEqual([1, 4, 6]);
  });

  test("RL-47: places are offsets into the text as typed", () => {
    const { root, text } = parseEquation("  alpha OR\t“beta gamma”~2");
    expect(root.kind === "or" && root.parts.map(({ at }) => text.slice(at.from, at.to))).toEqual([
      "alpha",
      '"beta gamma"~2',
    ]);
  });

  test.each([
    ["(alpha", 0, "a bracket that is not closed"],
    ["alpha)", 5, "“)”"],
    ["()", 1, "“)”"],
    ["a AND ()", 7, "“)”"],
    ["OR b", 0, "“OR”"],
    ["a AND", 5, "the end of the equation"],
    ["a AND OR b", 6, "“OR”"],
    ["a NOT", 5, "the end of the equation"],
    ["NOT NOT a", 4, "“NOT”"],
    ["a NEAR/2", 8, "the end of the equation"],
    ["NEAR b", 0, "“NEAR”"],
    ['"alpha', 0, "a quote that is not closed"],
    ['alpha"', 5, "a quote that is not closed"],
    ['a """', 2, "an empty phrase"],
    ["TI=", 3, "the end of the equation"],
    ["TI=()", 4, "“)”"],
    ["PY=soon", 3, "“soon”"],
    ["PY=2020-2015", 3, "“2020-2015”"],
    ["a[zz]", 1, "[zz]"],
    ["[ti]", 0, "“[”"],
    ["a~3", 1, "~3"],
    ["a || b", 2, "“||”"],
    ["a - b", 2, "“-”"],
    ["a NEAR/1000 b", 2, "1000"],
  ])("RL-48: %s is broken at %i by %s", (text, position, found) => {
    const { code, details } = refusal(text);
    expect(code).toBe("E_EQUATION_SYNTAX");
    expect(details).toMatchObject({ position, found });
    expect(details["expected"]).toEqual(expect.any(String));
  });

  test.each(["", "  ", "\n\t", "\u00a0", " , ,"])("RL-48: %j is empty", (text) => {
    expect(refusal(text).code).toBe("E_EQUATION_EMPTY");
  });

  test("RL-14: an equation is bounded in bytes, terms and depth, and the bound is told", () => {
    const { equationBytes, equationTerms, equationNesting } = limits;
    const deep = (levels: number): string => "(".repeat(levels) + "a" + ")".repeat(levels);
    expect(read("é".repeat(equationBytes / 2))).toHaveLength(equationBytes / 2);
    expect(refusal("é".repeat(equationBytes / 2 + 1)).details).toEqual({
      limit: equationBytes,
      found: equationBytes + 2,
    });
    expect(parseEquation("a ".repeat(equationTerms)).root.kind).toBe("and");
    expect(refusal("a ".repeat(equationTerms + 1)).details).toEqual({ limit: equationTerms, found: 1001 });
    expect(read(deep(equationNesting))).toBe("a");
    expect(refusal(deep(equationNesting + 1)).details).toEqual({ limit: equationNesting, found: 65 });
    expect(refusal("(".repeat(equationBytes)).code).toBe("E_LIMIT");
    expect(refusal("TI=(".repeat(4000)).code).toBe("E_LIMIT");
    expect(refusal("NOT ".repeat(4000)).code).toBe("E_EQUATION_SYNTAX");
  });

  test.each([
    ["עברית AND العربية", "עברית AND العربية"],
    ["🐟 OR 深海", "🐟 OR 深海"],
    ["Ñandú~1 “naïve Bayes”", 'Ñandú~1 "naïve Bayes"'],
    ["a\u0000b\u0007c", "a b c"],
    ["\ud800x", "\ufffdx"],
  ])("RL-47: %j is read as it stands", (typed, canonical) => {
    expect(read(typed)).toBe(canonical);
  });
});
