import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { idOf, normaliseDoi, normaliseText, paperId, trim } from "./identity.ts";

const none = { doi: null, sourceId: null, title: "x", year: null };

describe("identity", () => {
  test.each([
    ["https://doi.org/10.5555/A1", "doi:be5ab312c7aebbec"],
    ["DOI: 10.7777/X.1.", "doi:c74d3bb2add00fb7"],
    ["10.1000/ÉCÔLE.1", "doi:5e532d0315731604"],
    ["10.1002/(SICI)1097-4571(199901)50:1<1::AID-ASI1>3.0.CO;2-A", "doi:6905adac88dff929"],
  ])("RL-33: a DOI written %s has one id", (doi, id) => {
    expect(paperId({ ...none, doi: normaliseDoi(doi) })).toBe(id);
  });

  test.each([
    ["W902", "src:e83a1abc4ba8de2d"],
    ["pmid:31452104", "src:9fb9fd9ad86e738c"],
  ])("RL-33: without a DOI the source's id %s counts, as it is written", (sourceId, id) => {
    expect(paperId({ ...none, sourceId })).toBe(id);
  });

  test.each([
    ["Untitled notes", 2001, "tt:a95bbfab54fe036e"],
    [" Über Alles ", 1999, "tt:b8dbefa0e9b138ef"],
    ["A study of things", null, "tt:00b422fe0e6985ae"],
  ])("RL-33: without any id %s is known by title and year", (title, year, id) => {
    expect(paperId({ ...none, title, year })).toBe(id);
  });

  test("RL-32: prefixes repeat, brackets close, and what is no DOI is none", () => {
    expect(normaliseDoi("https://doi.org/doi:10.1234/ab(c))")).toBe("10.1234/ab(c)");
    expect(normaliseDoi("http://dx.doi.org/10.1234/a%2Fb;")).toBe("10.1234/a/b");
    expect(normaliseDoi("10.1/short")).toBeNull();
    expect(normaliseDoi("no doi")).toBeNull();
    expect(normaliseDoi("")).toBeNull();
  });

  test("RL-179: identity does not depend on how a DOI is spelt", () => {
    const doi = fc.stringMatching(/^10\.[0-9]{4,6}\/[a-z0-9][a-z0-9/_-]{0,20}[a-z0-9]$/);
    const spelling = fc.constantFrom(
      (text: string) => text.toUpperCase(),
      (text: string) => `https://doi.org/${text}`,
      (text: string) => `doi:${text}.`,
      (text: string) => ` http://dx.doi.org/${text.toUpperCase()}, `,
    );
    fc.assert(
      fc.property(doi, spelling, (text, spelt) => {
        expect(normaliseDoi(spelt(text))).toBe(text);
        expect(paperId({ ...none, doi: normaliseDoi(spelt(text)) })).toBe(idOf("doi", text));
      }),
    );
  });

  test("RL-30: names are compared without case, marks and repeated spaces", () => {
    expect(normaliseText("  Ñandú \t Pérez ")).toBe("nandu perez");
    expect(normaliseText(normaliseText("Å  ß"))).toBe(normaliseText("Å  ß"));
  });

  test("RL-30: a text of plain letters is read as any other: a space from elsewhere makes no difference", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(trim(`\u00a0${text}\u00a0`)).toBe(trim(text));
        expect(normaliseText(`\u00a0${text}`)).toBe(normaliseText(text));
      }),
    );
  });
});
