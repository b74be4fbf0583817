import fc from "fast-check";
import { expect, test } from "vitest";
import { clean, cleanForeign, cleanTree, oneLined, subjectKey } from "./clean.ts";

test.for([
  ["a colour", "a\u001b[1;31mb\u001b[0mc", "abc"],
  ["a title", "a\u001b]0;evil\u0007b", "ab"],
  ["a link of a terminal", "a\u001b]8;;http://x\u001b\\b", "ab"],
  ["a device string", "a\u001bPq;1\u001b\\b", "ab"],
  ["the 8-bit forms", "a\u009b31mb\u009d0;t\u009cc", "abc"],
  ["a short one", "a\u001bcb\u001b(Bd", "abd"],
  ["one that a removal joins", "a\u001b\u001b[0m[31mb", "ab"],
  ["line ends", "a\r\nb\rc\u2028d\u2029e", "a\nb\nc\nd\ne"],
  ["a tab", "a\tb", "a b"],
  ["a bell and a NUL", "a\u0007b\u0000c", "abc"],
  ["what cannot be seen", "a\u200bb\u202ec\u00add\u{e0041}e", "abcde"],
] as const)("RS-79: %s", ([, text, expected]) => {
  expect(clean(text)).toBe(expected);
});

test("RS-79: what was cleaned is clean, and has no control character but the line end", () => {
  const awkward = fc.string({
    unit: fc.constantFrom("\u001b", "[", "]", "\u009b", "\u0007", "m", "\\", "\r", "\t", "a", "\u202e"),
  });
  fc.assert(
    fc.property(fc.oneof(awkward, fc.string({ unit: "binary" })), (text) => {
      const once = clean(text);
      expect(clean(once)).toBe(once);
      expect(once).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\p{Cf}]/u);
    }),
  );
});

test("RS-79: what is nested deeper than anybody writes leaves text, and no control character", () => {
  const nested = clean(`a${"\u001b".repeat(2000)}${"[A".repeat(2000)}${"\u009d".repeat(2000)}b`);
  expect(nested).toMatch(/^a(\[A)*b$/);
});

test("RS-80: every string of a tree is redacted where it stands, and the shapes are named", () => {
  const key = `sk-ant-${"a".repeat(20)}`;
  const { value, redacted } = cleanTree({ a: [`x ${key}`], b: { c: `password=${"p".repeat(20)}` }, n: 1 });
  expect(value).toEqual({
    a: ["x [redacted:anthropic-key]"],
    b: { c: "password=[redacted:assignment]" },
    n: 1,
  });
  expect(redacted).toEqual(["anthropic-key", "assignment"]);
});

test("RS-81: a link in an advisor's text shows only its host", () => {
  expect(cleanForeign("see https://user:pw@evil.example:8443/a?b=c now")).toBe(
    "see [link: evil.example:8443] now",
  );
});

test("RS-68: subjects are equal but for case and white space", () => {
  expect(subjectKey("  Keep\n Sessions ")).toBe(subjectKey("keep  sessions"));
  expect(oneLined(" a \n b ")).toBe("a b");
});
