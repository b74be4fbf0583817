import { describe, expect, test } from "vitest";
import { WritError } from "../../contract/index.ts";
import type { SourceId } from "../model.ts";
import type { ReportItem } from "./report.ts";
import { translateEquation, translationWarning } from "./translate.ts";
import type { TranslateOptions } from "./translation.ts";

type Brief = [construct: string, text: string, action: string, effect: string];

function brief(items: readonly ReportItem[]): Brief[] {
  return items.map(({ construct, text, action, effect }) => [construct, text, action, effect]);
}

function openAlex(text: string, options: TranslateOptions = {}): [string, Brief[]] {
  const { executedQuery, report } = translateEquation("openalex", text, options);
  return [executedQuery, brief(report)];
}

function refusal(text: string, options: TranslateOptions = {}, source: SourceId = "openalex") {
  try {
    translateEquation(source, text, options);
  } catch (error) {
    if (error instanceof WritError) return { code: error.code, ...error.failure };
    throw error;
  }
  throw new Error(`${text} was translated`);
}

/** The expression, in its field, and nothing else. */
const both = (expression: string): string => `title_and_abstract.search:(${expression})`;
const exact = (expression: string): string => `title_and_abstract.search.exact:(${expression})`;

describe("an equation as OpenAlex is asked", () => {
  test.each<[string, TranslateOptions, string, Brief[]]>([
    ["alpha AND beta", {}, "title_and_abstract.search:(alpha AND beta)", []],
    [
      'alpha OR "beta gamma"',
      { exclude: ["delta"], minYear: 2010 },
      'title_and_abstract.search:(alpha OR "beta gamma") AND NOT "delta",from_publication_date:2010-01-01',
      [
        ["exclusion", "delta", "kept", "same"],
        ["year", "from 2010", "kept", "same"],
      ],
    ],
    [
      'TI=(coral NEAR/2 reef) AND PY=2015-2020 AND SO="Marine Biology"',
      {},
      'title.search:("coral reef"~2),from_publication_date:2015-01-01,to_publication_date:2020-12-31',
      [
        ["field", "TI=(coral NEAR/2 reef)", "rewritten", "same"],
        ["proximity", "coral NEAR/2 reef", "rewritten", "unknown"],
        ["field", "PY=2015-2020", "rewritten", "same"],
        ["field", 'SO="Marine Biology"', "dropped", "broader"],
      ],
    ],
    [
      "fish* AND (lake or pond)",
      {},
      "title_and_abstract.search.exact:(fish* AND (lake OR pond))",
      [
        ["wildcard", "fish*", "rewritten", "narrower"],
        ["case", "or", "kept", "same"],
      ],
    ],
    ["soil, carbon", {}, "title_and_abstract.search:(soil carbon)", [["comma", ",", "rewritten", "same"]]],
    ["type:review", { native: true }, "type:review", [["native", "type:review", "kept", "same"]]],
  ])("RL-56, RL-50, RL-49, RL-178: the worked example %s", (text, options, ...answer) => {
    expect(openAlex(text, options)).toEqual(answer);
  });

  test.each<[string, string, Brief[]]>([
    ["alpha", both("alpha"), []],
    ["(alpha OR beta)", both("alpha OR beta"), []],
    ["a OR b AND c", both("a OR (b AND c)"), []],
    ["a OR NOT b", both("a OR (NOT b)"), []],
    ["a AND (b c)", both("a AND (b c)"), []],
    ["a -b", both("a NOT b"), [["case", "-", "rewritten", "same"]]],
    ['word~1 "a b"~3', both('word~1 "a b"~3'), []],
    ["TS=(a NOT b)", both("a NOT b"), [["field", "TS=(a NOT b)", "rewritten", "unknown"]]],
    ["TS=coral", both("coral"), [["field", "TS=coral", "rewritten", "narrower"]]],
    ["TITLE-ABS-KEY(coral)", both("coral"), [["field", "TITLE-ABS-KEY(coral)", "rewritten", "narrower"]]],
    ["coral[tiab]", both("coral"), [["field", "coral[tiab]", "rewritten", "same"]]],
    ["coral[ti]", "title.search:(coral)", [["field", "coral[ti]", "rewritten", "same"]]],
    ["AB=(a b)", "abstract.search:(a b)", [["field", "AB=(a b)", "rewritten", "same"]]],
    ["coral[mh]", both("coral"), [["field", "coral[mh]", "rewritten", "unknown"]]],
    ["KW=coral", both("coral"), [["field", "KW=coral", "rewritten", "unknown"]]],
    [
      "a AND PUBYEAR > 2010",
      `${both("a")},from_publication_date:2011-01-01`,
      [["field", "PUBYEAR > 2010", "rewritten", "same"]],
    ],
    ["a OR PY=2010", both("a"), [["field", "PY=2010", "dropped", "narrower"]]],
    ["a AND PY=(2010 OR 2012)", both("a"), [["field", "PY=(2010 OR 2012)", "dropped", "broader"]]],
    [
      "a AND LA=(English OR Spanish)",
      `${both("a")},language:en|es`,
      [["field", "LA=(English OR Spanish)", "rewritten", "same"]],
    ],
    [
      "a AND (LA=eng or LA=klingon)",
      both("a"),
      [
        ["field", "LA=eng", "dropped", "broader"],
        ["field", "LA=klingon", "dropped", "broader"],
      ],
    ],
    ["a AND LA=klingon", both("a"), [["field", "LA=klingon", "dropped", "broader"]]],
    [
      "a AND DT=(article OR conference OR thesis)",
      `${both("a")},type:article|proceedings-article|dissertation`,
      [["field", "DT=(article OR conference OR thesis)", "rewritten", "same"]],
    ],
    ["DO=10.1234/AbC", "doi:10.1234/abc", [["field", "DO=10.1234/AbC", "rewritten", "same"]]],
    [
      "a AND SO=1234567x",
      `${both("a")},primary_location.source.issn:1234-567X`,
      [["field", "SO=1234567x", "rewritten", "same"]],
    ],
    ["a AND AU=Smith", both("a"), [["field", "AU=Smith", "dropped", "broader"]]],
    ["a AND WC=(x OR y)", both("a"), [["field", "WC=(x OR y)", "dropped", "broader"]]],
    ["a W/3 b", both('"a b"~3'), [["proximity", "a W/3 b", "rewritten", "unknown"]]],
    ["a NEAR b", both('"a b"~15'), [["proximity", "a NEAR b", "rewritten", "unknown"]]],
    ["a PRE/3 b", both('"a b"~3'), [["proximity", "a PRE/3 b", "rewritten", "broader"]]],
    [
      "(a OR b) NEAR/3 c",
      both('"a c"~3 OR "b c"~3'),
      [["proximity", "(a OR b) NEAR/3 c", "rewritten", "unknown"]],
    ],
    ['a NEAR/3 "b c"', both('a AND "b c"'), [["proximity", 'a NEAR/3 "b c"', "rewritten", "broader"]]],
    [
      "a NEAR/3 (b AND c)",
      both("a AND (b AND c)"),
      [["proximity", "a NEAR/3 (b AND c)", "rewritten", "broader"]],
    ],
    [
      "a NEAR/3 fish*",
      exact("a AND fish*"),
      [
        ["proximity", "a NEAR/3 fish*", "rewritten", "broader"],
        ["wildcard", "fish*", "rewritten", "narrower"],
      ],
    ],
    ["wo?d", exact("wo?d"), [["wildcard", "wo?d", "rewritten", "narrower"]]],
    ["colo$r", exact("color OR colo?r"), [["wildcard", "colo$r", "rewritten", "narrower"]]],
    ["a AND colo$r", exact("a AND (color OR colo?r)"), [["wildcard", "colo$r", "rewritten", "narrower"]]],
    ["*ology OR a", both("a"), [["wildcard", "*ology", "dropped", "narrower"]]],
    ["ab* AND a", both("a"), [["wildcard", "ab*", "dropped", "broader"]]],
    ['"smart* phone"', exact('"smart* phone"'), [["wildcard", '"smart* phone"', "kept", "narrower"]]],
    [
      '"smart* phone" OR a',
      exact("(smart* AND phone) OR a"),
      [
        ["wildcard", '"smart* phone"', "rewritten", "broader"],
        ["wildcard", "smart*", "rewritten", "narrower"],
      ],
    ],
    ["a:b", both("a b"), [["comma", "a:b", "rewritten", "unknown"]]],
    ["a AND b!c|d", both("a AND (b c d)"), [["comma", "b!c|d", "rewritten", "unknown"]]],
    ['"a, b"', both('"a b"'), [["comma", '"a, b"', "rewritten", "same"]]],
    ["either:OR", both('either "OR"'), [["comma", "either:OR", "rewritten", "unknown"]]],
  ])("RL-55, RL-54: %s becomes %s", (text, executed, report) => {
    expect(openAlex(text)).toEqual([executed, report]);
  });

  test("RL-55: more than fifty pairs of words are joined by AND", () => {
    const words = (letter: string, count: number): string =>
      Array.from({ length: count }, (_, i) => `${letter}${i}`).join(" OR ");
    expect(openAlex(`(${words("a", 10)}) NEAR/3 (${words("b", 5)})`)[1][0]?.[3]).toBe("unknown");
    const [executed, report] = openAlex(`(${words("a", 10)}) NEAR/3 (${words("b", 6)})`);
    expect(executed).toBe(both(`(${words("a", 10)}) AND (${words("b", 6)})`));
    expect(report[0]?.slice(2)).toEqual(["rewritten", "broader"]);
  });

  test.each<[string, string[]]>([
    ["TI=a AND b AND TI=c", ["title.search:(a AND c),title_and_abstract.search:(b)"]],
    ["TI=a AND NOT AB=b", ["title.search:(a),abstract.search:(NOT b)"]],
    ["TI=a OR b OR TI=c", ["title.search:(a OR c)", "title_and_abstract.search:(b)"]],
    [
      "x AND (TI=a OR AB=b)",
      ["title_and_abstract.search:(x),title.search:(a)", "title_and_abstract.search:(x),abstract.search:(b)"],
    ],
    [
      "c NOT (TI=a AND b)",
      ["title_and_abstract.search:(c),title.search:(NOT a)", "title_and_abstract.search:(c NOT b)"],
    ],
    ["c NOT (TI=a OR b)", ["title_and_abstract.search:(c AND NOT b),title.search:(NOT a)"]],
  ])("RL-55: %s takes a clause a scope, and a series an alternative", (text, filters) => {
    const { requests, report } = translateEquation("openalex", text);
    expect(requests.map(({ filter }) => filter)).toEqual(filters);
    expect(report.filter(({ construct }) => construct === "split")).toHaveLength(filters.length > 1 ? 1 : 0);
  });

  test("RL-55: more than eight alternatives of fields are asked in the widest", () => {
    const pair = (i: number): string => `(TI=a${i} OR AB=b${i})`;
    const four = translateEquation("openalex", [0, 1, 2].map(pair).join(" AND "));
    expect(four.requests).toHaveLength(8);
    const { executedQuery, report } = translateEquation("openalex", [0, 1, 2, 3].map(pair).join(" AND "));
    expect(executedQuery).toBe(both("(a0 OR b0) AND (a1 OR b1) AND (a2 OR b2) AND (a3 OR b3)"));
    expect(new Set(report.map(({ effect }) => effect))).toEqual(new Set(["broader"]));
    expect(report).toHaveLength(8);
  });

  test("RL-55: options add clauses, in their words", () => {
    const options = {
      exclude: ['say "x y"', "delt*", "a,b"],
      maxYear: 2020,
      language: ["Spanish", "en"],
      type: ["review"],
    };
    expect(openAlex("TI=a", options)).toEqual([
      'title.search.exact:(a) AND NOT "say x y" AND NOT delt* AND NOT "a b",to_publication_date:2020-12-31,language:es|en,type:review',
      [
        ["field", "TI=a", "rewritten", "same"],
        ["exclusion", 'say "x y", delt*, a,b', "kept", "same"],
        ["wildcard", "delt*", "rewritten", "unknown"],
        ["comma", '"a,b"', "rewritten", "same"],
        ["year", "to 2020", "kept", "same"],
        ["language", "Spanish, en", "rewritten", "same"],
        ["type", "review", "kept", "same"],
      ],
    ]);
    expect(refusal("a", { language: ["englsih"] })).toMatchObject({
      code: "E_INVALID_VALUE",
      details: { nearest: "english" },
    });
    expect(refusal("a", { type: ["poem"] }).code).toBe("E_INVALID_VALUE");
    expect(refusal("a", { minYear: 2020, maxYear: 2010 }).code).toBe("E_INVALID_VALUE");
    expect(refusal("a", { exclude: [' "" '] }).code).toBe("E_INVALID_VALUE");
  });

  test.each<[string, string, string]>([
    ["a AND NOT AU=x", "AU=x", "broader"],
    ["a AND NOT (b AND AU=x)", "AU=x", "narrower"],
    ["a AND NOT (b OR AU=x)", "AU=x", "broader"],
    ["a OR NOT AU=x", "AU=x", "narrower"],
    ["a AND (AU=x OR AU=y)", "AU=y", "broader"],
    ["a OR (AU=x AND AU=y)", "AU=y", "narrower"],
    ["a AND NOT (b AND NOT (c AND AU=x))", "AU=x", "broader"],
    ["a NOT TS=b", "TS=b", "broader"],
    ["a NOT b PRE/2 c", "b PRE/2 c", "narrower"],
  ])("RL-51: in %s the loss of %s makes the results %s", (text, lost, effect) => {
    expect(openAlex(text)[1].find((item) => item[1] === lost)?.[3]).toBe(effect);
  });

  test("RL-51: what is dropped takes along what was said of its inside", () => {
    expect(openAlex("a AND AU=(x or y, z*)")).toEqual([
      both("a"),
      [["field", "AU=(x or y, z*)", "dropped", "broader"]],
    ]);
  });

  test("RL-52: strict refuses what is not the same, with the items, and lets the rest pass", () => {
    const { code, details } = refusal("fish* AND AU=x", { strict: true });
    expect(code).toBe("E_EQUATION_UNSUPPORTED");
    expect(details?.["items"]).toMatchObject([{ construct: "wildcard" }, { construct: "field" }]);
    expect(openAlex("a or b, c", { strict: true, minYear: 2000 })[0]).toContain(both("a OR (b c)"));
  });

  test.each(["AU=x", "AU=x AND NOT b", "PY=2015 AND AU=x", "*x", "NOT b"])(
    "RL-52: %s leaves nothing to look for, and is refused with or without strict",
    (text) => {
      expect(refusal(text).code).toBe("E_EQUATION_UNSUPPORTED");
    },
  );

  test("RL-49: a native filter is not read, goes to OpenAlex only, and takes no additions", () => {
    expect(openAlex(' title.search:((a,"\n', { native: true })[0]).toBe('title.search:((a,"');
    expect(refusal("a", { native: true, exclude: ["b"], minYear: 1 })).toMatchObject({
      code: "E_CONFLICTING_INPUT",
      details: { inputs: ["--native", "--exclude", "--min-year"] },
    });
    expect(refusal("a", { native: true }, "crossref").code).toBe("E_CONFLICTING_INPUT");
    expect(refusal("  ", { native: true }).code).toBe("E_EQUATION_EMPTY");
    expect(refusal("a".repeat(16 * 1024 + 1), { native: true }).code).toBe("E_LIMIT");
    expect(refusal("a".repeat(5000), { native: true }).code).toBe("E_EQUATION_UNSUPPORTED");
  });
});

describe("an equation as the others are asked", () => {
  test("RL-58: Crossref gets the words that are wanted, and every operator is reported as lost", () => {
    const text =
      'fish* AND ("lake trout" or pond) NOT salmon AND TI=(a NEAR/2 b) AND AU=Smith AND PY=2015-2020 AND DT=article';
    const { requests, report } = translateEquation("crossref", text);
    expect(requests).toEqual([
      {
        params: {
          "query.bibliographic": "fish lake trout pond a b",
          filter: "from-pub-date:2015-01-01,until-pub-date:2020-12-31,type:journal-article",
        },
      },
    ]);
    const lost = report.filter(({ action }) => action === "dropped");
    expect(lost.map(({ text: typed }) => typed)).toEqual([
      "fish*",
      "AND",
      '"lake trout"',
      "or",
      "NOT salmon",
      "AND",
      "TI=",
      "a NEAR/2 b",
      "AND",
      "AU=Smith",
      "AND",
      "AND",
    ]);
    const [reason] = new Set(lost.map((item) => item.reason));
    expect(reason).toBe("Crossref ranks by words; it does not evaluate Boolean expressions");
    expect(new Set(lost.map(({ effect }) => effect))).toEqual(new Set(["unknown"]));
  });

  test("RL-58: the warning about Crossref begins with that sentence", () => {
    const sentence = "Crossref ranks by words; it does not evaluate Boolean expressions";
    for (const text of ["a AND b", "a b", "AU=x OR y"]) {
      const warning = translationWarning(translateEquation("crossref", text));
      expect(warning?.code).toBe("W_TRANSLATION");
      expect(warning?.message.startsWith(sentence), text).toBe(true);
    }
    expect(translationWarning(translateEquation("crossref", "alpha"))).toBeNull();
    expect(translationWarning(translateEquation("openalex", "a AND b", { minYear: 2010 }))).toBeNull();
    expect(translationWarning(translateEquation("openalex", "fish*"))?.code).toBe("W_TRANSLATION");
  });

  test("RL-58: options that Crossref has no word for are lost", () => {
    const options = { exclude: ["b"], language: ["en"], type: ["article", "review"], minYear: 2010 };
    const { executedQuery, report } = translateEquation("crossref", "a", options);
    expect(executedQuery).toBe("query.bibliographic=a&filter=from-pub-date:2010-01-01,type:journal-article");
    expect(brief(report)).toEqual([
      ["exclusion", "b", "dropped", "unknown"],
      ["year", "from 2010", "kept", "same"],
      ["language", "en", "dropped", "broader"],
      ["type", "article", "rewritten", "same"],
      ["type", "review", "dropped", "narrower"],
    ]);
  });

  test.each<[string, TranslateOptions, Record<string, string>, Brief[]]>([
    ["a b", {}, { query: "a b" }, []],
    [
      'a AND (b OR "c d"~2) NOT e~1',
      {},
      { query: 'a + (b | "c d"~2) -e~1' },
      [
        ["case", "AND", "rewritten", "same"],
        ["case", "OR", "rewritten", "same"],
        ["case", "NOT", "rewritten", "same"],
      ],
    ],
    ["a -b", {}, { query: "a -b" }, []],
    ["fi*", {}, { query: "fi*" }, []],
    ["fi?h OR a", {}, { query: "a" }, [["wildcard", "fi?h", "dropped", "narrower"]]],
    ["a NEAR/3 b", {}, { query: '"a b"~3' }, [["proximity", "a NEAR/3 b", "rewritten", "unknown"]]],
    [
      "C++ TS=a",
      {},
      { query: "C a" },
      [
        ["comma", "C++", "rewritten", "unknown"],
        ["field", "TS=a", "rewritten", "narrower"],
      ],
    ],
    ["a TI=b", {}, { query: "a" }, [["field", "TI=b", "dropped", "broader"]]],
    [
      "a PY=2015-2020 SO=Nature WC=biology",
      { minYear: 2018, exclude: ["x y"] },
      { query: 'a + -"x y"', year: "2018-2020", venue: "Nature", fieldsOfStudy: "Biology" },
      [
        ["field", "PY=2015-2020", "rewritten", "same"],
        ["field", "SO=Nature", "rewritten", "same"],
        ["field", "WC=biology", "rewritten", "same"],
        ["exclusion", "x y", "kept", "same"],
        ["year", "from 2018", "kept", "same"],
      ],
    ],
    [
      "a",
      { maxYear: 2010, language: ["en"] },
      { query: "a", year: "-2010" },
      [
        ["year", "to 2010", "kept", "same"],
        ["language", "en", "dropped", "broader"],
      ],
    ],
  ])("RL-59: Semantic Scholar is asked %s with %j", (text, options, ...answer) => {
    const { requests, report } = translateEquation("semanticscholar", text, options);
    expect([requests[0]?.params, brief(report)]).toEqual(answer);
    expect(requests).toHaveLength(1);
  });

  test("RL-59: years and venues that exclude each other are refused, as is a query without words", () => {
    expect(refusal("a PY=2010 PY=2011", {}, "semanticscholar").code).toBe("E_EQUATION_UNSUPPORTED");
    expect(refusal("a SO=x SO=y", {}, "semanticscholar").code).toBe("E_EQUATION_UNSUPPORTED");
    expect(refusal("PY=2010", {}, "semanticscholar").code).toBe("E_EQUATION_UNSUPPORTED");
  });
});
