import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseAtRef, parseCommit, parseRefName, parseWant, refFault } from "./refs.ts";

const hex40 = "0123456789abcdef0123456789abcdef01234567";

describe("WS-25: ref names obey git's rules", () => {
  test.each(["main", "feature/x", "v1.0.2", "19.0", "user@host", "ümlaut", "a".repeat(200)])(
    "%s is a name",
    (name) => {
      expect(refFault(name)).toBeUndefined();
    },
  );
  test.each([
    "",
    "@",
    "-f",
    "--upload-pack=touch CANARY",
    "--detach",
    "a..b",
    "a@{1}",
    "a b",
    "a~1",
    "a^",
    "a:b",
    "a?",
    "a*",
    "a[",
    "a\\b",
    "a\nb",
    "a\u0000",
    "a/",
    "/a",
    "a//b",
    "a.",
    "a.lock",
    "x.lock/y",
    ".a",
    "a/.b",
    "a".repeat(201),
    "é".repeat(101),
  ])("%j is none", (name) => {
    expect(parseRefName(name).fault?.kind).toBe("value");
  });
  test("an accepted name never begins with -, and holds nothing that git gives a meaning", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 30 }), (name) => {
        const { value = "" } = parseRefName(name);
        expect(value).not.toMatch(/^-|\.\.|@\{|[\u0000- ~^:?*[\\\u007f]|\/$|\.$|\.lock$/);
      }),
    );
  });
});

describe("WS-30: wants", () => {
  test.each(["default", "branch:main", "tag:v1", "ref:x/y", `commit:${hex40}`, `commit:${"ab".repeat(32)}`])(
    "%s reads as itself",
    (text) => {
      expect(parseWant(text).value).toBe(text);
    },
  );
  test.each(["", "main", "branch:", "branch:-f", "commit:abc", "commit:zz", "head:x", "tag:a\nb"])(
    "%j is refused",
    (text) => {
      expect(parseWant(text).value).toBeUndefined();
    },
  );
  test("WS-14: 40 or 64 hex digits behind @ are a commit, all else a ref", () => {
    expect(parseAtRef(hex40.toUpperCase()).value).toBe(`commit:${hex40}`);
    expect(parseAtRef("ab".repeat(32)).value).toBe(`commit:${"ab".repeat(32)}`);
    expect(parseAtRef(hex40.slice(1)).value).toBe(`ref:${hex40.slice(1)}`);
    expect(parseAtRef("-x").fault?.kind).toBe("value");
  });
  test("WS-25: short commits are refused", () => {
    expect(parseCommit("abc1234").fault?.hint).toContain("40");
  });
});
