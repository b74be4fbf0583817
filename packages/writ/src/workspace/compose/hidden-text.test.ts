import { describe, expect, test } from "vitest";
import { findHiddenText, hiddenTextWarnings, refuseHiddenText } from "./hidden-text.ts";
import { asset } from "./layers.fixture.ts";

const found = (text: string) => findHiddenText(Buffer.from(text));

describe("WS-67: hidden Unicode", () => {
  test.each([
    ["a bidirectional control", "a\u202Eb", "U+202E"],
    ["an isolate", "a\u2066b", "U+2066"],
    ["a right-to-left mark", "a\u200Fb", "U+200F"],
    ["a zero-width space", "a\u200Bb", "U+200B"],
    ["a joiner outside emoji", "a\u200Db", "U+200D"],
    ["a byte-order mark inside", "a\uFEFFb", "U+FEFF"],
    ["a tag character", "a\u{E0041}b", "U+E0041"],
    ["a variation selector behind a letter", "a\uFE0Fb", "U+FE0F"],
    ["an early variation selector", "\u2764\uFE00", "U+FE00"],
    ["a supplementary variation selector", "a\u{E0100}b", "U+E0100"],
  ])("%s is found", (_, text, codePoint) => {
    expect(found(`first\n${text}\n`)).toEqual([{ line: 2, codePoint }]);
  });

  test.each([
    ["plain text with accents", "ñ—✓ 漢字"],
    ["a family of emoji", "\u{1F468}\u200D\u{1F469}\u200D\u{1F467}"],
    ["an emoji with a skin tone and a joiner", "\u{1F469}\u{1F3FD}\u200D\u{1F4BB}"],
    ["a heart in colour", "\u2764\uFE0F and 1\uFE0F\u20E3"],
    ["a byte-order mark at the start", "\uFEFFtext"],
  ])("%s is innocent", (_, text) => {
    expect(found(text)).toEqual([]);
  });

  test("a file made of nothing else gives a bounded list", () => {
    expect(found("\u200B".repeat(100_000))).toHaveLength(20);
  });

  test("findings warn with file, line and code point, and --strict makes them E_HIDDEN_TEXT", () => {
    const assets = [asset("core", "rules/a.md", "fine"), asset("core", "rules/b.md", "x\ny\u202E")];
    expect(hiddenTextWarnings(assets).map(({ message }) => message)).toEqual([
      "rules/b.md holds characters a reader cannot see: U+202E at line 2.",
    ]);
    expect(() => refuseHiddenText(assets)).toThrowError(expect.objectContaining({ code: "E_HIDDEN_TEXT" }));
    expect(() => refuseHiddenText(assets.slice(0, 1))).not.toThrow();
  });
});
