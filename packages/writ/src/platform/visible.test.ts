import fc from "fast-check";
import { expect, test } from "vitest";
import { visible, visibleIn, visibleLine } from "./visible.ts";

test("CT-14: what could drive a terminal or turn a text around is shown as an escape", () => {
  expect(visible("\u001b]0;own\u0007a\u009b31m\u202egpj\u2066\u{e0041}\u2028")).toBe(
    "\\u001b]0;own\\u0007a\\u009b31m\\u202egpj\\u2066\\u{e0041}\\u2028",
  );
  expect(visible("a\tb\r\nc\nd\re")).toBe("a\tb\r\nc\nd\\re");
  expect(visibleLine("a\nb")).toBe("a\\nb");
});

test("CT-14: text that people write stays as it is", () => {
  const texts = ["añ – “x” 漢字 👩‍👩‍👧 ❤️", "שלום", "می‌خواهم", '{"a":"\\u001b"}'];
  expect(texts.map(visible)).toEqual(texts);
});

test("CT-14: it reaches every text of a value, keys too, and twice changes nothing more", () => {
  expect(visibleIn({ "k\u001b": ["\u0007", { a: null, b: 1, c: true }] })).toEqual({
    "k\\u001b": ["\\u0007", { a: null, b: 1, c: true }],
  });
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(visible(visible(text))).toBe(visible(text));
      expect(visibleLine(text)).not.toMatch(/(?!\t)[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u);
    }),
  );
});
