import fc from "fast-check";
import { expect, test } from "vitest";
import { findObject } from "./find-object.ts";

/** The same by looking from each beginning anew, as the rule says it. */
function plainly(text: string): unknown {
  let from = -1;
  for (let starts = 0; starts < 200; starts++) {
    from = text.indexOf("{", from + 1);
    if (from < 0) return undefined;
    const end = endOf(text, from);
    try {
      const value = JSON.parse(text.slice(from, end + 1)) as Record<string, unknown>;
      if (end >= 0 && typeof value.c === "string") return value;
    } catch {
      continue;
    }
  }
  return undefined;
}

function endOf(text: string, start: number): number {
  let depth = 0;
  let inString = false;
  for (let i = start; i < text.length; i++) {
    if (inString) {
      if (text[i] === "\\") i++;
      else if (text[i] === '"') inString = false;
    } else if (text[i] === '"') inString = true;
    else if (text[i] === "{") depth++;
    else if (text[i] === "}" && --depth === 0) return i;
  }
  return -1;
}

test("RS-91: what was seen of a text before changes nothing of what is found in it", () => {
  const part = fc.constantFrom("{", "}", '"', "\\", '{"c":"x"}', '{"a":', '"c":"y"', " ", ",", '\\"', "x");
  fc.assert(
    fc.property(fc.array(part, { maxLength: 60 }), (parts) => {
      const text = parts.join("");
      expect(findObject(text, ({ c }) => typeof c === "string")).toEqual(plainly(text));
    }),
    { numRuns: 2000 },
  );
});
