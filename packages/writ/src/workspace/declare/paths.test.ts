import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  checkClonePath,
  checkRelativePath,
  foldedPath,
  isInside,
  parseLocalFolder,
  parsePath,
} from "./paths.ts";

describe("WS-54: a path from a file is relative and harmless everywhere", () => {
  test.each([
    ["a", "a"],
    ["a/b.md", "a/b.md"],
    ["./a/", "a"],
    [".github/x", ".github/x"],
    [".gitignore", ".gitignore"],
    [".git.md", ".git.md"],
    ["auxiliary/console", "auxiliary/console"],
    ["日本/é.md", "日本/é.md"],
    ["a".repeat(240), "a".repeat(240)],
    [Array.from({ length: 16 }, () => "d").join("/"), Array.from({ length: 16 }, () => "d").join("/")],
  ])("%s is accepted", (text, path) => {
    expect(checkRelativePath(text)).toEqual({ path });
  });

  test.each([
    ["", "empty"],
    ["./", "empty"],
    ["a//b", "empty"],
    ["/a", "absolute"],
    ["C:/a", "drive"],
    ["c:a", "drive"],
    ["./C:", "drive"],
    ["\\\\host\\share", "unc"],
    ["//host/share", "unc"],
    ["a\\b", "backslash"],
    [".", "dot_segment"],
    ["..", "dot_segment"],
    ["a/../b", "dot_segment"],
    ["././a", "dot_segment"],
    ["a\nb", "control"],
    ["a\u0000", "control"],
    ["a\u0085b", "control"],
    ["a\ud800", "encoding"],
    ["a ", "trailing"],
    ["a./b", "trailing"],
    ["CON", "reserved"],
    ["a/aux.md", "reserved"],
    ["nul .txt", "reserved"],
    ["Lpt1", "reserved"],
    ["com¹.x", "reserved"],
    ["CONOUT$", "reserved"],
    [".git", "git"],
    ["a/.GiT/hooks", "git"],
    ["GIT~1", "git"],
    [".git::$INDEX_ALLOCATION", "git"],
    [".git .", "git"],
    [".g\u200cit", "ignorable"],
    ["a\ufeffb", "ignorable"],
    ["a\u00adb", "ignorable"],
    ["a".repeat(241), "too_long"],
    ["é".repeat(121), "too_long"],
    [Array.from({ length: 17 }, () => "d").join("/"), "too_deep"],
  ])("%j is refused as %s", (text, reason) => {
    expect(checkRelativePath(text)).toEqual({ reason });
    expect(parsePath(text).fault?.kind).toBe("unsafe_path");
  });

  const texts = fc.oneof(
    fc
      .array(
        fc.constantFrom("a", ".", "..", "/", "\\", ".git", "GIT~1", " ", "\u200d", "nul", "C:", "-", "é"),
        { maxLength: 8 },
      )
      .map((parts) => parts.join("")),
    fc.string({ unit: "binary", maxLength: 30 }),
  );
  test("what is accepted stays inside, and is accepted again unchanged", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const { path } = checkRelativePath(text);
        if (path === undefined) return;
        const segments = path.split("/");
        expect(path).not.toMatch(/^\/|\\|\/$/);
        expect(
          segments.some((segment) => ["", ".", ".."].includes(segment) || segment.toLowerCase() === ".git"),
        ).toBe(false);
        expect(checkRelativePath(path)).toEqual({ path });
      }),
      { numRuns: 1000 },
    );
  });
});

describe("WS-55: a clone never touches what Writ or git owns", () => {
  test.each([
    ".agents",
    ".agents/x",
    ".AGENTS/x",
    ".claude",
    ".claude/skills/x",
    ".stack",
    ".writ/x",
    "workspace.yml",
    "Workspace.Lock.yml",
    "AGENTS.md",
    "docs",
    "docs/A.md/x",
  ])("%s is refused", (text) => {
    expect(checkClonePath(text, ["AGENTS.md", "docs/A.md"])).toEqual({ reason: "owned" });
  });
  test.each(["api", ".claude/rules", "agents", "docs2", ".agentsx"])("%s is free", (text) => {
    expect(checkClonePath(text, ["AGENTS.md", "docs/A.md"])).toEqual({ path: text });
  });
  test("the folder of a local stack may lead outside, but is relative", () => {
    expect(["../s", "../../a/s", "s", "./s", "..", "."].map((text) => parseLocalFolder(text).value)).toEqual([
      "../s",
      "../../a/s",
      "s",
      "./s",
      "..",
      ".",
    ]);
    expect(
      ["/s", "C:/s", "../s\\x", "a/../../s", "", "../.git"].map((text) => parseLocalFolder(text).fault?.kind),
    ).toEqual(Array.from({ length: 6 }, () => "unsafe_path"));
  });
});

describe("WS-58: keys of paths that some file system holds for equal", () => {
  test("letter case and composition do not count", () => {
    expect(foldedPath("API/É")).toBe(foldedPath("api/e\u0301"));
    expect(foldedPath("straße")).toBe(foldedPath("STRASSE"));
    expect(foldedPath("a")).not.toBe(foldedPath("b"));
  });
  test("folding twice is the same as once", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(foldedPath(foldedPath(text))).toBe(foldedPath(text));
      }),
      { numRuns: 1000 },
    );
  });
  test("a folder holds what lies in it, and no neighbour with the same beginning", () => {
    expect([isInside("X/y", "x"), isInside("x", "x"), isInside("xy", "x"), isInside("x", "x/y")]).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});
