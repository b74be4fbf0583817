import { expect, test } from "vitest";
import { citations, idsIn } from "../citations.ts";
import { proves } from "../proves.ts";
import { rules } from "../rules.ts";

test("every rule that a test cites is one that Writ has", async () => {
  const unknown = [...(await citations())].filter(([rule]) => !Object.hasOwn(rules, rule));
  expect(unknown).toEqual([]);
});

test("a rule is one line of at most 100 characters that ends in a full stop", () => {
  const odd = Object.entries(rules).filter(([, text]) => !/^[A-Za-z][^\n]{10,98}\.$/.test(text));
  expect(odd).toEqual([]);
});

test("no two rules say the same", () => {
  const texts = Object.values(rules);
  expect(new Set(texts).size).toBe(texts.length);
});

// Put together here, so that this file cites nothing by itself.
const first = `CT-${1}` as const;
const second = `CT-${2}` as const;

test.each([
  [`test("${first}: seven fields", run)`, [first]],
  [`test.runIf(available("postgres"))('${first} and ${second}: both', run)`, [first, second]],
  [`test.each([[f(g("(")), 2]])("${first}, ${second}: on %s", run)`, [first, second]],
  [`describe.each([[1], [2]])(\`${first}: on %s\`, run)`, [first]],
  [`test(\n  "${second}: on a line of its own",\n  run)`, [second]],
  [`test(proves("${first}", "x"), run)`, [first]],
  [`test(proves(["${first}", "${second}"], "x"), run)`, [first, second]],
  [`// ${first} in a comment\nconst text = "${second}";`, []],
])("citations are read from titles alone: %s", (source, ids) => {
  expect(idsIn(source)).toEqual(ids);
});

test("a title built from rules names them first", () => {
  expect(proves([first, second], "it holds")).toBe(`${first}, ${second}: it holds`);
});
