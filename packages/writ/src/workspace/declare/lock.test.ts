import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { WritError } from "../../contract/index.ts";
import { readYaml } from "../../platform/index.ts";
import { answers, differences, type Asked } from "./lock-answers.ts";
import { parseLock, printLock } from "./lock.ts";
import type { Lock } from "./model/lock.ts";
import { printScalar } from "./yaml-scalar.ts";

const commit = "4f0c6f0d0b7c1d2e3f405162738495a6b7c8d9e0";
const digits = "1".repeat(40);
const content = `sha256:${"9b".repeat(32)}`;
const base = "https://github.com";

const golden = `# Written by writ. Do not edit; \`writ bootstrap --update\` moves it.
schema: writ/1
registry:
  repo: getGanemo/agent-stack-core-oss
  want: default
  ref: refs/heads/main
  commit: ${commit}
stacks:
  - id: core
    repo: getGanemo/agent-stack-core-oss
    want: default
    ref: refs/heads/main
    commit: "${digits}"
    content: ${content}
  - id: ../mine
    repo: path:../mine
    want: default
    content: ${content}
repos:
  - path: addons/a
    repo: git@h.example:erp/mod_a.git
    want: branch:19-dev
    ref: refs/heads/19-dev
    commit: ${commit}
    from: modules
  - path: "true"
    repo: acme/true
    want: tag:v1
    ref: refs/tags/v1
    commit: ${commit}
    from: core
`;

const lock: Lock = {
  schema: "writ/1",
  registry: { repo: "getGanemo/agent-stack-core-oss", want: "default", ref: "refs/heads/main", commit },
  stacks: [
    {
      id: "core",
      repo: "getGanemo/agent-stack-core-oss",
      want: "default",
      ref: "refs/heads/main",
      commit: digits,
      content,
    },
    { id: "../mine", repo: "path:../mine", want: "default", content },
  ],
  repos: [
    { path: "true", repo: "acme/true", want: "tag:v1", ref: "refs/tags/v1", commit, from: "core" },
    {
      path: "addons/a",
      repo: "git@h.example:erp/mod_a.git",
      want: "branch:19-dev",
      ref: "refs/heads/19-dev",
      commit,
      from: "modules",
    },
  ],
};

function codeOf(work: () => unknown): WritError {
  try {
    work();
  } catch (error) {
    if (error instanceof WritError) return error;
  }
  throw new Error("nothing was refused");
}

describe("WS-38: the bytes of a lock", () => {
  test("they are these", () => {
    expect(printLock(lock)).toBe(golden);
    expect(printLock({ schema: "writ/1", stacks: [], repos: [] })).toBe(
      "# Written by writ. Do not edit; `writ bootstrap --update` moves it.\nschema: writ/1\nstacks: []\nrepos: []\n",
    );
  });

  test("the order in which keys and repositories were put together does not show", () => {
    const stacks = lock.stacks.map(
      (stack) => Object.fromEntries(Object.entries(stack).reverse()) as unknown as Lock["stacks"][number],
    );
    expect(
      printLock({ repos: lock.repos.toReversed(), stacks, registry: lock.registry, schema: "writ/1" }),
    ).toBe(golden);
  });

  test("reading gives back what was written, and writing that gives the same bytes", () => {
    const { lock: read, upgraded } = parseLock(golden);
    expect(upgraded).toBe(false);
    expect(read).toEqual({ ...lock, repos: lock.repos.toReversed() });
    expect(printLock(read)).toBe(golden);
  });

  const word = fc.stringMatching(/^[A-Za-z0-9_][A-Za-z0-9_-]{0,12}$/);
  const hex = fc.stringMatching(/^[0-9a-f]{40}$|^[0-9]{30}e[0-9]{9}$/);
  const repo = fc.tuple(word, word).map((parts) => parts.join("/"));
  const want = fc.oneof(
    fc.constant("default" as const),
    word.map((name) => `branch:${name}` as const),
    hex.map((id) => `commit:${id}` as const),
  );
  const label = fc
    .string({ unit: "grapheme", minLength: 1, maxLength: 12 })
    .filter((text) => !/[\u0000-\u001f\u007f-\u009f]/.test(text) && text.isWellFormed());
  const stack = fc.record({
    id: label,
    repo,
    want,
    ref: word.map((name) => `refs/heads/${name}`),
    commit: hex,
    content: fc.constant(content),
  });
  const product = fc.record({
    path: word.filter((name) => !/^(?:con|prn|aux|nul|com\d|lpt\d)$/i.test(name)),
    repo,
    want,
    ref: word.map((name) => `refs/tags/${name}`),
    commit: hex,
    from: label,
  });
  const reserved = /(?:^|\/)(?:con|prn|aux|nul|com\d|lpt\d)(?:\/|$)/i;

  test("parse after print is the identity for any lock", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(stack, { selector: ({ id }) => id, maxLength: 4 }),
        fc.uniqueArray(product, { selector: ({ path }) => path.toLowerCase(), maxLength: 4 }),
        (stacks, repos) => {
          fc.pre(![...stacks, ...repos].some((entry) => reserved.test(entry.repo)));
          const sorted = repos.toSorted((a, b) => (a.path < b.path ? -1 : 1));
          const any: Lock = { schema: "writ/1", stacks, repos: sorted };
          const text = printLock(any);
          expect(parseLock(text).lock).toEqual(any);
          expect(printLock(parseLock(text).lock)).toBe(text);
        },
      ),
    );
  });

  test("any one line of text is read back as itself", () => {
    const hostile = fc.constantFrom(
      "~",
      "null",
      "True",
      "1e3",
      "0x1f",
      ".inf",
      "-",
      "- a",
      "a: b",
      "a #b",
      "#",
      "*a",
      "&a",
      "!t",
      "|",
      ">",
      "%",
      "@",
      "`",
      "---",
      "...",
      " a",
      "a ",
      "a:",
      "?",
      ": x",
      "\u2028",
      "\u0085",
      "\ufeff",
      "'",
      '"',
      "\\",
      "{",
      "yes",
      "12:30",
      "=",
      "<<",
    );
    fc.assert(
      fc.property(
        fc.oneof(
          hostile,
          fc.string({ unit: "binary", maxLength: 12 }).filter((text) => text.isWellFormed()),
        ),
        (text) => {
          expect(readYaml(`key: ${printScalar(text)}\n`)).toMatchObject({
            value: { key: text },
            problems: [],
          });
        },
      ),
      { numRuns: 1000 },
    );
  });
  test("plain where YAML allows it, in double quotes elsewhere", () => {
    expect(
      ["a", "refs/heads/x", "sha256:0a", "path:../s", "a#b", "yes", "@x", "19.0", "on: x", ""].map(
        printScalar,
      ),
    ).toEqual([
      "a",
      "refs/heads/x",
      "sha256:0a",
      "path:../s",
      "a#b",
      "yes",
      '"@x"',
      '"19.0"',
      '"on: x"',
      '""',
    ]);
  });
});

describe("WS-41: a lock that is not valid is refused, and never taken for absent", () => {
  test.each([
    ["broken YAML", "schema: writ/1\nstacks: [\n"],
    ["wrong types", "schema: writ/1\nstacks: 3\nrepos: []\n"],
    ["an unknown key", `${golden}time: now\n`],
    [
      "conflict markers",
      golden.replace("schema: writ/1", "<<<<<<< HEAD\nschema: writ/1\n=======\nschema: writ/1\n>>>>>>> main"),
    ],
    ["a later schema", golden.replace("writ/1", "writ/2")],
    ["no schema", "stacks: []\nrepos: []\n"],
    ["a missing key", golden.replace("    want: default\n    ref: refs/heads/main\n", "")],
    ["a short commit", golden.replace(`  commit: ${commit}`, "  commit: 4f0c6f0")],
    ["a null", golden.replace("from: modules", "from: null")],
    ["one path twice", golden.replace("path: addons/a", 'path: "TRUE"')],
    ["an empty file", ""],
  ])("%s", (_title, text) => {
    const error = codeOf(() => parseLock(text));
    expect(error.code).toBe("E_INVALID_LOCK");
    expect(error.failure.remediation).toContain("writ bootstrap");
    expect(error.failure.details).toMatchObject({ file: "workspace.lock.yml" });
  });
  test("conflict markers are named with their line", () => {
    const { details } = codeOf(() => parseLock("schema: writ/1\n<<<<<<< HEAD\n")).failure;
    expect(details?.["problems"]).toEqual([
      expect.objectContaining({ line: 2, message: expect.stringContaining("merge conflict") }),
    ]);
  });
});

describe("WS-44: no secret reaches the lock", () => {
  test("the writer refuses credentials", () => {
    const leaking: Lock = { ...lock, stacks: [{ ...lock.stacks[0]!, repo: "https://ana:s3cret@h/a/b" }] };
    const error = codeOf(() => printLock(leaking));
    expect(error.code).toBe("E_UNSAFE_URL");
    expect(JSON.stringify(error.toObject())).not.toContain("s3cret");
  });
  test("and so does the reader", () => {
    expect(codeOf(() => parseLock(golden.replace("acme/true", "https://tok3n@h/a/b"))).code).toBe(
      "E_UNSAFE_URL",
    );
  });
  test("an AWaC lock cannot be printed as it is", () => {
    expect(() => printLock({ ...lock, schema: "awac/1" })).toThrow(TypeError);
  });
});

describe("WS-42: an AWaC lock", () => {
  const awac = `schema: awac/1
generated_at: 2025-01-01T00:00:00Z
wsp_version: 0.9.0
stacks:
  - repo: acme/agent-stack
    ref: main
    commit: ${commit}
repos:
  - repo: acme/api
    ref: develop
    commit: ${commit}
    path: api/
stack_metadata: []
`;
  const { lock: read, upgraded } = parseLock(awac);
  const options = { base, schema: read.schema };
  const asked = (want: Asked["want"]): Asked => ({
    source: { kind: "repo", org: "acme", repo: "agent-stack" },
    want,
  });

  test("is read, and is to be upgraded", () => {
    expect(upgraded).toBe(true);
    expect(read.repos).toMatchObject([{ path: "api", repo: "acme/api", ref: "refs/heads/develop", commit }]);
  });
  test("answers an entry whose branch is absent or equal to its ref", () => {
    const [stack] = read.stacks;
    const wants = ["default", "branch:main", "branch:dev", "tag:main"] as const;
    expect(wants.map((want) => answers(stack!, asked(want), options))).toEqual([true, true, false, false]);
  });
  test("does not differ for want of a registry", () => {
    const registry: Asked = { source: { kind: "repo", org: "r", repo: "r" }, want: "default" };
    expect(differences(read, { registry, stacks: [asked("default")] }, base)).toEqual([]);
  });
});

describe("WS-37: which entry answers which", () => {
  const [core] = lock.stacks;
  const [product] = lock.repos;
  const options = { base, schema: "writ/1" } as const;
  const ask = (name: string, want: Asked["want"], path?: string): Asked => {
    const [org = "", repo = ""] = name.split("/");
    return { source: { kind: "repo", org, repo }, want, path };
  };

  test("the same repository by identity, and the same want", () => {
    const url: Asked = {
      source: { kind: "url", url: "git@github.com:getGanemo/agent-stack-core-oss" },
      want: "default",
    };
    expect(answers(core!, url, options)).toBe(true);
    expect(answers(core!, { ...url, want: "branch:main" }, options)).toBe(false);
    expect(answers(core!, ask("other/agent-stack-core-oss", "default"), options)).toBe(false);
  });
  test("and for product repositories the same path", () => {
    expect(answers(product!, ask("acme/true", "tag:v1", "true"), options)).toBe(true);
    expect(answers(product!, ask("acme/true", "tag:v1", "elsewhere"), options)).toBe(false);
  });

  test("WS-40: differences name kind and pointer", () => {
    const declaredAt = (pointer: string) => ({ pointer, line: 1 });
    expect(differences(undefined, { stacks: [] }, base)).toMatchObject([
      { kind: "missing_lock", pointer: "" },
    ]);
    const found = differences(
      lock,
      {
        registry: ask("getGanemo/agent-stack-core-oss", "branch:dev"),
        stacks: [
          { ...ask("getGanemo/agent-stack-core-oss", "branch:dev"), declaredAt: declaredAt("/stacks/0") },
          { ...ask("acme/agent-stack", "default"), declaredAt: declaredAt("/stacks/1") },
        ],
        repos: [{ ...ask("acme/other", "tag:v1", "true"), declaredAt: declaredAt("/extra_repos/0") }],
      },
      base,
    );
    expect(found.map(({ kind, file, pointer, name }) => [kind, file, pointer, name])).toEqual([
      ["changed", "workspace.yml", "/registry", "getGanemo/agent-stack-core-oss"],
      ["changed", "workspace.yml", "/stacks/0", "getGanemo/agent-stack-core-oss"],
      ["added", "workspace.yml", "/stacks/1", "acme/agent-stack"],
      ["removed", "workspace.lock.yml", "/stacks/1", "../mine"],
      ["changed", "workspace.yml", "/extra_repos/0", "true"],
      ["removed", "workspace.lock.yml", "/repos/1", "addons/a"],
    ]);
  });
  test("WS-40: a lock that answers everything differs in nothing", () => {
    const all = {
      registry: ask("getGanemo/agent-stack-core-oss", "default"),
      stacks: [
        { source: { kind: "path", path: "../mine/" }, want: "default" },
        ask("getGanemo/agent-stack-core-oss", "default"),
      ] as Asked[],
    };
    expect(differences(lock, all, base)).toEqual([]);
  });
});
