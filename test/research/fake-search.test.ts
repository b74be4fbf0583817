import { describe, expect, test } from "vitest";
import { matches, parseSearch, SearchError, type SearchField } from "../fakes/openalex/search.ts";

const work = {
  title: "Coral reefs of warm lakes",
  abstract: "The reef is a colour of its own; covid-19 waits.",
};

function finds(expression: string, where: Partial<SearchField> = {}): boolean {
  const field: SearchField = { field: "title_and_abstract", stemmed: true, ...where };
  return matches(parseSearch(expression, field), work, field);
}

describe("the search of the fake OpenAlex", () => {
  test.each([
    ["coral AND colour", true],
    ["coral colour", true],
    ["coral AND NOT colour", false],
    ["absent OR (coral AND lake)", true],
    ["NOT (absent OR missing)", true],
    ['"coral reef"', true],
    ['"reef coral"', false],
    ['"reef coral"~1', false],
    ['"reef coral"~2', true],
    ['"coral warm"~2', true],
    ['"coral warm"~1', false],
    ['"lakes reef"~9', true],
    ['"lakes colour"~50', false],
    ["covid-19", true],
    ["korall~2", true],
    ["korall~1", false],
  ])("RL-177: the fake finds by %s: %s", (expression, found) => {
    expect(finds(expression)).toBe(found);
  });

  test("RL-177: a field and a stem narrow what is found", () => {
    expect(finds("colour", { field: "title" })).toBe(false);
    expect(finds("coral", { field: "abstract" })).toBe(false);
    expect(finds("lake", { stemmed: false })).toBe(false);
    expect(finds("lak* AND colo?r", { stemmed: false })).toBe(true);
    expect(finds("colo?r AND color", { stemmed: false })).toBe(false);
  });

  test.each(["(coral", "coral)", '"coral', "AND coral", "coral OR", "a,b", "a|b", "cor*", "NOT", ""])(
    "RL-177: the fake refuses %s",
    (expression) => {
      expect(() => finds(expression)).toThrow(SearchError);
    },
  );

  test.each(["*ral", "co*", "?oral"])("RL-177: the fake refuses the wildcard of %s", (expression) => {
    expect(() => finds(expression, { stemmed: false })).toThrow(SearchError);
  });
});
