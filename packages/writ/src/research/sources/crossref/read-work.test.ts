import { expect, test } from "vitest";
import type { Skipped, Work } from "../../model.ts";
import { crossrefWork } from "./read-work.ts";

const read = (given: Record<string, unknown>): Partial<Work & Skipped> =>
  crossrefWork({ DOI: "10.5555/x", title: ["Alpha"], ...given });

test("RL-42: a title of mark-up alone is none", () => {
  expect(read({ title: ["<i> </i>"] })).toEqual({ where: "10.5555/x", reason: "It has no title." });
  expect(read({ abstract: "<jats:p></jats:p>" }).abstract).toBeNull();
});

test("RL-60: mark-up is taken out of texts, and what only looks like it stays", () => {
  const { title, venue, publisher, abstract } = read({
    title: ['On <i>Salmo</i> &lt;5 cm, <a href="x">p</a> < 0.05 and q > 3'],
    "container-title": ["Science &amp; Life"],
    publisher: "Taylor &amp; Francis",
    abstract: '<jats:sec id="s"><jats:p>When a<b and c>d</jats:p></jats:sec>',
  });
  expect(title).toBe("On Salmo <5 cm, p < 0.05 and q > 3");
  expect([venue, publisher]).toEqual(["Science & Life", "Taylor & Francis"]);
  expect(abstract).toBe("When a<b and c>d");
});

test.each([
  [[2020, 5, 1], 2020, "2020-05-01"],
  [[2020, 13, 45], 2020, null],
  [[2021, 2, 29], 2021, null],
  [[2020], 2020, null],
  [[null], null, null],
])("RL-60: a day that the calendar does not have is none: %j", (parts, year, publicationDate) => {
  expect(read({ issued: { "date-parts": [parts] } })).toMatchObject({ year, publicationDate });
});
