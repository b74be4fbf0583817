import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  identityOf,
  identityOfRemote,
  labelOf,
  labelsOf,
  normalisePath,
  normaliseUrl,
  parseBase,
  parseRepoText,
  parseSource,
  parseToken,
  repoText,
  resolveShortcut,
  siblingOf,
  urlOf,
  type Source,
} from "./sources.ts";
import { parseProtocols } from "./urls.ts";

const base = "https://github.com";
const mine = { allowFile: true };

describe("WS-24: source forms", () => {
  test.each<[string, Source]>([
    ["core", { kind: "shortcut", name: "core" }],
    ["acme/agent-stack", { kind: "repo", org: "acme", repo: "agent-stack" }],
    ["acme/.github", { kind: "repo", org: "acme", repo: ".github" }],
    ["https://h.example/a/b.git", { kind: "url", url: "https://h.example/a/b.git" }],
    ["git@h.example:a/b", { kind: "url", url: "git@h.example:a/b" }],
    ["ssh://git@h.example:2222/a/b", { kind: "url", url: "ssh://git@h.example:2222/a/b" }],
    ["http://127.0.0.1:8080/a/b", { kind: "url", url: "http://127.0.0.1:8080/a/b" }],
    ["file:///srv/a/b", { kind: "url", url: "file:///srv/a/b" }],
  ])("%s is understood", (text, source) => {
    expect(parseSource(text, mine).value).toEqual(source);
  });

  test.each<[string, string]>([
    ["", "value"],
    ["-x", "value"],
    ["--upload-pack=touch CANARY", "value"],
    ["-x/agent-stack", "value"],
    ["a/b/c", "value"],
    ["a/", "value"],
    ["a/b.git", "value"],
    ["a/b.lock", "value"],
    ["a b/c", "value"],
    ["/a/b", "unsafe_path"],
    ["../b", "unsafe_path"],
    ["./b", "unsafe_path"],
    ["a/..", "unsafe_path"],
    ["a\\b", "unsafe_path"],
    ["a/b\u0000", "unsafe_path"],
    ["a/con", "unsafe_path"],
    ["..", "unsafe_path"],
    ["C:\\x", "unsafe_url"],
    ["host:path", "unsafe_url"],
  ])("%j is refused", (text, kind) => {
    expect(parseSource(text, mine).fault?.kind).toBe(kind);
  });
});

describe("WS-26, WC-F2: hostile URLs", () => {
  test.each<[string, string]>([
    ["ext::sh -c touch% CANARY", "whitespace"],
    ["ext::sh", "protocol"],
    ["fd::3", "protocol"],
    ["git://h/a/b", "protocol"],
    ["ftp://h/a/b", "protocol"],
    ["http://h.example/a/b", "protocol"],
    ["http://127.0.0.1.evil.example/a/b", "protocol"],
    ["https://user:pass@h/a/b", "credentials"],
    ["https://ghp_token@h/a/b", "credentials"],
    ["https://h@evil/a/b", "credentials"],
    ["ssh://git:pass@h/a/b", "credentials"],
    ["https://h/a/b?x=1", "query"],
    ["https://h/a/b#x", "fragment"],
    ["https://h/a/b\nHost: evil", "control"],
    ["https://h/a/b\u0000", "control"],
    ["https://h/a b", "whitespace"],
    ["https://-h/a/b", "leading_dash"],
    ["ssh://-oProxyCommand=x/a", "leading_dash"],
    ["ssh://-u@h/a/b", "leading_dash"],
    ["git@-h:a/b", "leading_dash"],
    ["git@h:-a/b", "leading_dash"],
    ["https://h/-a/b", "leading_dash"],
    ["-u@h:a/b", "leading_dash"],
    ["https://h/a/../b", "path"],
    ["https://h/a/%2e%2e/b", "path"],
    ["https://h/a%0ab", "path"],
    ["https://h/a\\b", "path"],
    ["https://h/", "path"],
    ["https://h/.git", "path"],
    ["https://h/a/...git", "path"],
    ["https://h/a//-b", "path"],
    ["https://h%2fx/a", "host"],
    ["https://h:x/a", "host"],
    ["https:///a/b", "host"],
    ["file://host/a/b", "host"],
    ["host:path", "form"],
    ["https://h/a::b", "path"],
  ])("%j is refused as %s", (text, reason) => {
    const parsed = parseSource(text, mine);
    expect(parsed.fault).toMatchObject({ kind: "unsafe_url", facts: { reason } });
  });

  test("a file URL needs to be the user's own", () => {
    expect(parseSource("file:///srv/a", {}).fault?.facts).toEqual({ reason: "file" });
    expect(parseSource("file:///srv/a", mine).fault).toBeUndefined();
  });

  test("WRIT_GIT_PROTOCOLS narrows, and cannot widen", () => {
    expect(parseProtocols(undefined)).toEqual(["https", "ssh", "file"]);
    expect(parseProtocols("git, ext,ssh")).toEqual(["ssh"]);
    const protocols = parseProtocols("https,ssh");
    expect(parseSource("file:///srv/a", { ...mine, protocols }).fault?.facts).toEqual({ reason: "narrowed" });
    expect(parseSource("http://localhost/a/b", { protocols }).fault).toBeUndefined();
  });

  const pieces = fc.constantFrom(
    "https://",
    "ssh://",
    "git@",
    "file:///",
    "http://",
    "::",
    "-",
    "a",
    "b",
    "/",
    ".git",
    ":",
    "@",
    "..",
    "%2e",
    "?",
    "#",
    " ",
    "\n",
    "localhost",
    "H.example",
    ".",
    "22",
  );
  const texts = fc.oneof(
    fc.array(pieces, { maxLength: 10 }).map((parts) => parts.join("")),
    fc.string({ unit: "binary", maxLength: 20 }),
  );

  test("accepted text never begins with - and never leaves its grammar", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const { value } = parseSource(text, mine);
        if (!value) return;
        expect(text).not.toMatch(/^-|[\u0000-\u0020\u007f\\?#]|::|(?:^|\/)\.{1,2}(?:\/|$)/);
        // What is understood is the text itself, nothing more and nothing less.
        expect(value.kind === "shortcut" ? value.name : repoText(value)).toBe(text);
        expect(value.kind === "shortcut" ? "" : urlOf(value, base)).not.toMatch(
          /^(?:[a-z]+:\/\/)?(?:[^/@:]*@)?-/,
        );
      }),
      { numRuns: 1000 },
    );
  });

  test("normalising twice is the same as once, and keeps the identity", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const { value } = parseSource(text, mine);
        if (value?.kind !== "url") return;
        const once = normaliseUrl(text);
        expect(normaliseUrl(once)).toBe(once);
        expect(identityOfRemote(once)).toBe(identityOfRemote(text));
      }),
      { numRuns: 1000 },
    );
  });

  test("normaliseUrl refuses what parseSource refuses", () => {
    expect(() => normaliseUrl("ext::sh")).toThrow(/E_UNSAFE_URL/);
  });
});

describe("WS-27: identity", () => {
  test("https, ssh and scp-like forms of one host and path are one", () => {
    const texts = [
      "https://GitHub.com/acme/api",
      "https://github.com/acme/api.git/",
      "https://github.com:443/acme/api",
      "ssh://git@github.com/acme/api.git",
      "git@github.com:acme/api.git",
      "git@github.com:/acme/api",
    ];
    expect(new Set(texts.map(identityOfRemote))).toEqual(new Set(["github.com/acme/api"]));
    expect(identityOf({ kind: "repo", org: "acme", repo: "api" }, base)).toBe("github.com/acme/api");
  });
  test("another port, host or letter case of the path is another repository", () => {
    const texts = ["https://h/a/b", "https://h:8443/a/b", "https://i/a/b", "https://h/A/b", "file:///a/b"];
    expect(new Set(texts.map(identityOfRemote)).size).toBe(5);
  });
  test("a local folder and a shortcut have identities of their own", () => {
    expect(identityOf({ kind: "path", path: "./../s/" }, base)).toBe("path:../s");
    expect(identityOf({ kind: "shortcut", name: "core" }, base)).toBe("shortcut:core");
    expect(normalisePath("a/./b//../c/")).toBe("a/c");
  });
});

describe("WS-28: org/repo and its base", () => {
  test.each([
    ["https://github.com", "https://github.com/a/b.git"],
    ["https://git.example/prefix/", "https://git.example/prefix/a/b.git"],
    ["file:///srv/git", "file:///srv/git/a/b.git"],
    ["git@git.example:", "git@git.example:a/b.git"],
    ["", "https://github.com/a/b.git"],
  ])("%j gives %s", (text, url) => {
    const parsed = parseBase(text).value ?? "";
    expect(urlOf({ kind: "repo", org: "a", repo: "b" }, parsed)).toBe(url);
  });
  test("a base is held to the rules of URLs", () => {
    expect(parseBase("ext::sh").fault?.kind).toBe("unsafe_url");
    expect(parseBase("https://u:p@h").fault?.facts).toEqual({ reason: "credentials" });
  });
  test("the lock keeps org/repo, so a mirror does not change it", () => {
    const source = { kind: "repo", org: "a", repo: "b" } as const;
    expect(repoText(source)).toBe("a/b");
    expect(parseRepoText("a/b").value).toEqual(source);
    expect(parseRepoText("path:../s").value).toEqual({ kind: "path", path: "../s" });
    expect(parseRepoText("core").fault?.kind).toBe("value");
  });
});

describe("WS-33: shortcuts", () => {
  const shortcuts = { core: "acme/core", aws: "acme/aws" };
  test("the registry says what a shortcut is", () => {
    expect(resolveShortcut({ kind: "shortcut", name: "core" }, shortcuts)).toEqual({
      kind: "repo",
      org: "acme",
      repo: "core",
    });
  });
  test("WS-14: {org: X} that is no shortcut is X/agent-stack", () => {
    const instead = { org: "erp", repo: "agent-stack" };
    expect(resolveShortcut({ kind: "shortcut", name: "erp", instead }, shortcuts)).toEqual({
      kind: "repo",
      ...instead,
    });
    expect(resolveShortcut({ kind: "shortcut", name: "aws", instead }, shortcuts)).toMatchObject({
      repo: "aws",
    });
  });
  test("an unknown one lists the known ones, sorted, and the nearest", () => {
    expect(() => resolveShortcut({ kind: "shortcut", name: "cor" }, shortcuts)).toThrow(
      expect.objectContaining({
        code: "E_UNKNOWN_SHORTCUT",
        failure: expect.objectContaining({
          details: { shortcut: "cor", available: ["aws", "core"], nearest: "core" },
        }),
      }),
    );
    expect(() => resolveShortcut({ kind: "shortcut", name: "constructor" }, {})).toThrow(
      /E_UNKNOWN_SHORTCUT/,
    );
  });
});

test("WS-35: labels", () => {
  expect(labelOf({ kind: "shortcut", name: "core" })).toBe("core");
  expect(labelOf({ kind: "repo", org: "a", repo: "b" })).toBe("a/b");
  expect(labelOf({ kind: "url", url: "git@h:g/sub/s.git" })).toBe("sub/s");
  expect(labelOf({ kind: "path", path: "../s/" })).toBe("../s");
});

test("WS-27: labels that are shared get the host in front", () => {
  const sources: Source[] = [
    { kind: "url", url: "https://one.example/a/b" },
    { kind: "url", url: "git@two.example:a/b.git" },
    { kind: "repo", org: "a", repo: "b" },
    { kind: "url", url: "https://one.example/a/c" },
  ];
  expect(labelsOf(sources)).toEqual(["one.example/a/b", "two.example/a/b", "a/b", "a/c"]);
});

describe("WS-21: repositories beside a stack", () => {
  const url = (text: string): Source & { kind: "url" } => ({ kind: "url", url: text });
  test.each([
    ["https://h/g/sub/stack.git", undefined, "https://h/g/sub/api.git"],
    ["https://h/g/sub/stack.git", "erp", "https://h/erp/api.git"],
    ["git@h:g/stack", undefined, "git@h:g/api"],
    ["git@h:g/stack", "erp", "git@h:erp/api"],
    ["ssh://git@h:22/g/stack", "erp", "ssh://git@h:22/erp/api"],
    ["file:///srv/git/g/stack.git", undefined, "file:///srv/git/g/api.git"],
    ["file:///srv/git/g/stack.git", "erp", "file:///srv/git/erp/api.git"],
  ])("%s with org %s", (stack, org, expected) => {
    expect(siblingOf(url(stack), { org, name: "api" }).value).toEqual(url(expected));
  });
  test("an org/repo stack keeps the base; a local one needs an org", () => {
    expect(siblingOf({ kind: "repo", org: "a", repo: "s" }, { name: "api" }).value).toEqual({
      kind: "repo",
      org: "a",
      repo: "api",
    });
    expect(siblingOf({ kind: "path", path: "../s" }, { org: "a", name: "api" }).value).toEqual({
      kind: "repo",
      org: "a",
      repo: "api",
    });
    expect(siblingOf({ kind: "path", path: "../s" }, { name: "api" }).fault?.kind).toBe("missing");
  });
});

test("WS-54: a name that becomes a segment is unsafe, not merely wrong, when it would leave its place", () => {
  expect(
    ["a/b", "..", "a\\b", "a\u0001", "nul", "a.", ".git"].map(
      (text) => parseToken(text, "the org").fault?.kind,
    ),
  ).toEqual(Array.from({ length: 7 }, () => "unsafe_path"));
  expect(
    ["-x", "", "a b", "x.git", "x".repeat(101)].map((text) => parseToken(text, "the org").fault?.kind),
  ).toEqual(Array.from({ length: 5 }, () => "value"));
});
