import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { equalButForLineEndings, sha256 } from "../swap/hashes.ts";
import { decide, type Versions } from "./threeway.ts";

describe("WS-84: the thirteen rows", () => {
  test.each([
    [1, null, null, "n", "new", "create"],
    [2, null, "n", "n", "adopted", "record"],
    [3, null, "l", "n", "conflict", "keep"],
    [4, null, "l", null, "user", "none"],
    [5, "b", "b", "b", "clean", "none"],
    [6, "b", "b", "n", "outdated", "update"],
    [7, "b", "b", null, "stale", "delete"],
    [8, "b", "l", "b", "edited", "keep"],
    [9, "b", "n", "n", "converged", "record"],
    [10, "b", "l", "n", "conflict", "keep"],
    [11, "b", "l", null, "orphan_edited", "keep"],
    [12, "b", null, "n", "missing", "create"],
    [12, "b", null, "b", "missing", "create"],
    [13, "b", null, null, "gone", "forget"],
  ] as const)("row %i: base %s, local %s, next %s is %s", (...[row, base, local, next, state, action]) => {
    expect(decide({ base, local, next })).toMatchObject({ state, action });
    const reasons: Record<number, string> = { 3: "no_base", 10: "both_changed" };
    expect(decide({ base, local, next }).reason).toBe(reasons[row]);
  });
});

test("WS-84: a local file that differs from the base in line endings only counts as unedited", () => {
  const base = sha256("a\nb\n");
  const local = Buffer.from("a\r\nb\r\n");
  const textEqual = equalButForLineEndings(local, base);
  expect(textEqual).toBe(true);
  const versions = { base, local: sha256(local), textEqual };
  expect(decide({ ...versions, next: base }).state).toBe("clean");
  expect(decide({ ...versions, next: "n" }).state).toBe("outdated");
  expect(decide({ ...versions, next: null }).state).toBe("stale");
  expect(equalButForLineEndings(Buffer.from("a\r\nc\r\n"), base)).toBe(false);
});

/** What a run leaves behind: the file and the record. */
function apply(versions: Versions): Versions {
  const { base, local, next } = versions;
  const after = { base, local, next };
  const { action, state } = decide(versions);
  if (action === "create" || action === "update") Object.assign(after, { base: next, local: next });
  if (action === "delete") Object.assign(after, { base: null, local: null });
  if (action === "record") after.base = next;
  if (action === "forget" || state === "user") after.base = null;
  return after;
}

const hash = fc.option(fc.constantFrom("x", "y", "z"), { nil: null });

describe("WS-84: laws over any base, local and next", () => {
  test("local bytes that are neither the base's nor the new ones are never replaced or removed", () => {
    fc.assert(
      fc.property(hash, hash, hash, (base, local, next) => {
        fc.pre(local !== null && local !== base && local !== next);
        expect(apply({ base, local, next }).local).toBe(local);
      }),
    );
  });

  test("an unedited file becomes the new one, and where nothing new came the local one stays", () => {
    fc.assert(
      fc.property(hash, hash, (base, other) => {
        fc.pre(base !== null);
        expect(apply({ base, local: base, next: other }).local).toBe(other);
        const kept = apply({ base, local: other, next: base }).local;
        expect(kept).toBe(other ?? base);
      }),
    );
  });

  test("a second run finds nothing to do", () => {
    fc.assert(
      fc.property(hash, hash, hash, (base, local, next) => {
        const once = apply({ base, local, next });
        expect(apply(once)).toEqual(once);
        expect(["none", "keep", "forget"]).toContain(decide(once).action);
      }),
    );
  });
});
