import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { WritError } from "../../../packages/writ/src/contract/index.ts";
import { parseEquation } from "../../../packages/writ/src/research/equation/parse.ts";
import { printEquation } from "../../../packages/writ/src/research/equation/print.ts";
import { encodedBytes } from "../../../packages/writ/src/research/equation/split.ts";
import { translateEquation } from "../../../packages/writ/src/research/equation/translate.ts";
import type {
  TranslateOptions,
  Translation,
} from "../../../packages/writ/src/research/equation/translation.ts";
import type { SourceId } from "../../../packages/writ/src/research/model.ts";
import { parseSearch } from "../../fakes/openalex/search.ts";
import { type Document, documents, finds, says } from "./documents.ts";
import { bare, equations } from "./equations.ts";
import { isAmbiguous, lies, withOwnWords } from "./truth.ts";

const words = ["ant", "bee", "cat", "dog"];
const everything = ["ti", "ab", "ts", "tak", "tiab", "ak", "au", "so", "py", "la", "dt", "do", "wc"] as const;
const sources: SourceId[] = ["openalex", "crossref", "semanticscholar"];

/** The translation, or null where the equation asks for nothing that can be asked. */
function attempt(source: SourceId, text: string, options: TranslateOptions = {}): Translation | null {
  try {
    return translateEquation(source, text, options);
  } catch (error) {
    if (error instanceof WritError && error.code === "E_EQUATION_UNSUPPORTED") return null;
    throw error;
  }
}

/** Whether a document is found by one of the requests. */
function isFound({ requests }: Translation, document: Document): boolean {
  return requests.some(({ filter }) => finds(filter ?? "", document));
}

describe("laws of equations", () => {
  test("RL-47: reading what was printed gives the same tree", () => {
    fc.assert(
      fc.property(equations({ words, odd: true, fields: everything, near: true }), (tree) => {
        expect(bare(parseEquation(printEquation(tree)).root)).toEqual(bare(tree));
      }),
      { numRuns: 250 },
    );
  });

  const pieces = `( ) " “ [ti] [ ] , ~ AND or NOT - TI= PY= LA= * ? $ 2015 NEAR/2 | ! é עב \u202e 🐟 \ud83d \u0000 a bc`;
  const soup = fc
    .array(fc.constantFrom(...pieces.split(" ")), { maxLength: 25 })
    .map((parts) => parts.join(" ".repeat(parts.length % 2)));

  test("RL-47, RL-48: any text is asked in a form that is accepted, or refused by one of three codes", () => {
    const anything = fc.oneof(soup, fc.string({ unit: "binary", maxLength: 60 }));
    fc.assert(
      fc.property(anything, fc.constantFrom(...sources), (text, source) => {
        expect(["asked", "E_EQUATION_EMPTY", "E_EQUATION_SYNTAX", "E_EQUATION_UNSUPPORTED"]).toContain(
          outcomeOf(source, text),
        );
      }),
      { numRuns: 500 },
    );
  });

  test("RL-50, RL-51: the report names what is not asked as typed, and nothing else", () => {
    const trees = equations({ words, odd: true, fields: everything, near: true }).map(withOwnWords);
    fc.assert(
      fc.property(trees, fc.constantFrom(...sources), (tree, source) => {
        const text = printEquation(tree);
        const translation = attempt(source, text);
        expect(translation && lies(text, translation), `${text}\n${translation?.executedQuery}`).toBeOneOf([
          null,
          [],
        ]);
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ["in fields alone", { words, odd: false, fields: ["ti", "ab", "tiab"] }],
    [
      "with restrictions and proximity",
      { words, odd: false, fields: ["ti", "ab", "ts", "ak", "au", "py", "la"], near: true },
    ],
    [
      "with wildcards",
      { words: [...words, "ant*", "be?", "ca$t", "*at", "beehive"], odd: false, fields: ["au", "ti", "py"] },
    ],
  ] as const)(
    "RL-51, RL-55: what is found differs from what is meant only as the effects say, %s",
    (_, material) => {
      fc.assert(
        fc.property(equations(material), documents([...words, "beehive", "antler"], 6), (tree, works) => {
          const text = printEquation(tree);
          const translation = attempt("openalex", text);
          const effects = new Set(translation?.report.map(({ effect }) => effect));
          const wrong = works.filter((work) => {
            if (!translation || effects.has("unknown")) return false;
            const meant = says(parseEquation(text).root, work);
            const found = isFound(translation, work);
            return meant !== found && !effects.has(found ? "broader" : "narrower");
          });
          expect(wrong, `${text}\n${translation?.executedQuery}`).toEqual([]);
        }),
        { numRuns: 300 },
      );
    },
  );

  test("RL-55: AND, OR and NOT meet only in brackets, because the service gives them no precedence", () => {
    expect(["a OR b AND c", "(a OR b c)", "x AND (a OR NOT b)"].map(isAmbiguous)).toEqual([true, true, true]);
    expect(isAmbiguous('(a OR (b AND "c OR d") OR (NOT e)) AND NOT "f"')).toBe(false);
    const trees = equations({ words, odd: true, fields: everything, near: true });
    fc.assert(
      fc.property(trees, fc.subarray(["fox", "elk gnu", "a* b"]), (tree, exclude) => {
        const translation = attempt("openalex", printEquation(tree), { exclude });
        const filters = translation?.requests.map(({ filter }) => filter ?? "") ?? [];
        const searches = filters
          .flatMap((filter) => filter.split(","))
          .filter((one) => one.includes(".search"));
        expect(searches.filter((one) => isAmbiguous(one.slice(one.indexOf(":") + 1)))).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  test("RL-51: exclusions and years do what they say", () => {
    const options = fc.record({
      exclude: fc.subarray(["ant", "bee cat"]),
      minYear: fc.integer({ min: 2000, max: 2004 }),
    });
    const trees = equations({ words, odd: false, fields: [] });
    fc.assert(
      fc.property(trees, documents(words, 6), options, (tree, works, { exclude, minYear }) => {
        const text = printEquation(tree);
        const translation = attempt("openalex", text, { exclude, minYear });
        const nots = exclude.map((term) => parseEquation(`"${term}"`).root);
        const wrong = works.filter((work) => {
          if (!translation) return false;
          const isExcluded = work.year < minYear || nots.some((not) => says(not, work));
          return isFound(translation, work) !== (says(parseEquation(text).root, work) && !isExcluded);
        });
        expect(wrong, `${text}\n${translation?.executedQuery}`).toEqual([]);
      }),
      { numRuns: 250 },
    );
  });

  test("RL-56: the parts of a long query fit, and find together what the whole finds", () => {
    const trees = equations({ words: [...words, "elk", "fox", "gnu"], odd: false, fields: ["ti", "au"] });
    const room = fc.integer({ min: 45, max: 120 });
    fc.assert(
      fc.property(trees, documents(words, 6), room, (tree, works, urlBytes) => {
        const text = printEquation(tree);
        const whole = attempt("openalex", text, { urlBytes: 1_000_000 });
        const parts = attempt("openalex", text, { urlBytes });
        const pair = whole && parts ? { whole, parts } : null;
        const filters = pair?.parts.requests.map(({ filter }) => filter ?? "") ?? [];
        expect(filters.filter((filter) => encodedBytes(filter) > urlBytes)).toEqual([]);
        const wrong = works.filter((work) => pair && isFound(pair.parts, work) !== isFound(pair.whole, work));
        expect(wrong, `${text}\n${filters.join("\n")}`).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});

/** The code of a refusal, or that every request is one that the service would take. */
function outcomeOf(source: SourceId, text: string): string {
  try {
    for (const { filter } of translateEquation(source, text).requests)
      for (const clause of filter?.split(",") ?? []) readClause(clause);
    return "asked";
  } catch (error) {
    if (error instanceof WritError) return error.code;
    throw error;
  }
}

function readClause(clause: string): void {
  const [, key, value = ""] = /^([a-z_.]+):(.*)$/s.exec(clause) ?? [];
  if (key === undefined) throw new Error(`The service reads “${clause}” as a clause of its own.`);
  if (key.includes("search")) parseSearch(value, { stemmed: !key.endsWith(".exact") });
}
