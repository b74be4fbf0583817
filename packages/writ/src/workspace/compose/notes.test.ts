import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mergeNotes, notesHash } from "./notes.ts";

const value = (text: string | null) => (text === null ? null : Buffer.from(text));
const base = (text: string) => notesHash(Buffer.from(text));

function merge(copies: Record<string, string | null>, recorded?: string) {
  const merged = mergeNotes({
    copies: Object.entries(copies).map(([path, text]) => ({ path, value: value(text) })),
    ...(recorded !== undefined && { base: base(recorded) }),
  });
  const values = Object.fromEntries([...merged.values].map(([path, bytes]) => [path, bytes.toString()]));
  return { ...merged, values, states: Object.fromEntries(merged.states) };
}

describe("WS-80: the notes are one value, merged three-way", () => {
  test("no file differs: all keep it", () => {
    expect(merge({ c: "N\n", a: "N\n" }, "N\n")).toMatchObject({
      values: { c: "N\n", a: "N\n" },
      conflict: [],
    });
  });

  test("what one file says goes to all", () => {
    const merged = merge({ c: "N\n", a: "new\n", g: "N\n" }, "N\n");
    expect(merged.values).toEqual({ c: "new\n", a: "new\n", g: "new\n" });
    expect(merged.states).toEqual({ c: "behind", a: "edited", g: "behind" });
    expect(merged.base).toBe(base("new\n"));
  });

  test("emptied notes are emptied everywhere", () => {
    expect(merge({ c: "", a: "N\n" }, "N\n").values).toEqual({ c: "", a: "" });
  });

  test("files that disagree keep their own, the others get the canonical's, and the base stays", () => {
    const merged = merge({ c: "one\n", a: "two\n", g: "N\n" }, "N\n");
    expect(merged.values).toEqual({ c: "one\n", a: "two\n", g: "one\n" });
    expect(merged.conflict).toEqual(["c", "a"]);
    expect(merged.base).toBe(base("N\n"));
    expect(merge(merged.values, "N\n").values).toEqual(merged.values);
  });

  test("without a recorded value an empty region competes with none", () => {
    expect(merge({ c: "", a: "N\n" }).values).toEqual({ c: "N\n", a: "N\n" });
    expect(merge({ c: "x\n", a: "N\n" }).conflict).toEqual(["c", "a"]);
  });

  test("a file that lacks a region, or is gone, gets the current value", () => {
    expect(merge({ c: null, a: "N\n" }, "N\n").values).toEqual({ c: "N\n", a: "N\n" });
  });

  test("the recorded value comes back when every file lost it", () => {
    const merged = mergeNotes({
      copies: [{ path: "c", value: null }],
      base: base("N\n"),
      baseValue: Buffer.from("N\n"),
    });
    expect(merged.values.get("c")?.toString()).toBe("N\n");
  });

  test("turned line endings are no edit, and the bytes stay", () => {
    const merged = merge({ c: "N\r\n", a: "N\n" }, "N\n");
    expect(merged.values).toEqual({ c: "N\r\n", a: "N\n" });
    expect(merged.conflict).toEqual([]);
  });

  test("a file no longer declared gives its notes to new ones, and is not asked otherwise", () => {
    const retired = [{ path: "old", value: Buffer.from("N\n") }];
    const moved = mergeNotes({ copies: [{ path: "c", value: null }], retired, base: base("N\n") });
    expect(moved.values.get("c")?.toString()).toBe("N\n");
    const ignored = mergeNotes({
      copies: [{ path: "c", value: Buffer.from("M\n") }],
      retired,
      base: base("M\n"),
    });
    expect(ignored.values.get("c")?.toString()).toBe("M\n");
  });
});

const text = fc.constantFrom("", "a\n", "b\n", "c\n");

test("WS-80: no note is lost, and merging again changes nothing", () => {
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), text, (list, recorded) => {
      const copies = Object.fromEntries(list.map((one, i) => [`f${i}`, one]));
      const merged = merge(copies, recorded);
      const written = list.filter((one) => one !== recorded);
      expect(Object.values(merged.values)).toEqual(expect.arrayContaining(written));
      const again = mergeNotes({
        copies: Object.entries(merged.values).map(([path, one]) => ({ path, value: Buffer.from(one) })),
        base: merged.base,
      });
      expect([...again.values.values()].map(String)).toEqual(Object.values(merged.values));
    }),
  );
});
