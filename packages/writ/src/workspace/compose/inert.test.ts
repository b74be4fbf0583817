import fc from "fast-check";
import { expect, test } from "vitest";
import { inert } from "./inert.ts";
import { markerLine, parseMarkers } from "./markers.ts";

test.each([
  ["several lines and controls", "a\r\n\tb\u0007\u2028c", "a b c"],
  ["a marker", markerLine("header-end"), "<! -- @ awac:header-end -- >"],
  ["what turns into a marker when one is taken out", "<!<!----", "<!<! ----"],
  ["a path that a client would inline", "see @~/.ssh/id_rsa, mail a@b.c", "see @ ~/.ssh/id_rsa, mail a@b.c"],
  ["characters that steer unseen", "a\u202Eb\u{E0041}c\u200B", "abc"],
])("WS-74: %s is made inert", (_, text, expected) => {
  expect(inert(text)).toBe(expected);
});

test("WS-74: text is cut at 160 characters, and no character is cut in two", () => {
  expect(Array.from(inert("\u{1F600}".repeat(200)))).toHaveLength(160);
  expect(inert("x".repeat(160))).toBe("x".repeat(160));
  expect(inert("x".repeat(161))).toBe(`${"x".repeat(159)}…`);
});

test("WS-74: no text can forge a marker or end a comment", () => {
  const parts = fc.constantFrom(
    "<!",
    "--",
    "-",
    ">",
    "<",
    "!",
    "\n",
    " ",
    "@awac:",
    markerLine("editable-start"),
    "```",
  );
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 20 }), (list) => {
      const text = inert(list.join(""));
      expect(text).not.toMatch(/<!--|-->|\n/);
      expect(parseMarkers(Buffer.from(text)).state).toBe("unmarked");
    }),
  );
});
