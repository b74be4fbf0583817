import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { WritError } from "../../contract/index.ts";
import type { ManifestReading } from "./manifest.ts";
import { parseManifest, readManifest } from "./manifest.fixture.ts";
import type { Manifest } from "./model/manifest.ts";
import { problemsError } from "./problems.ts";

const settings = { base: "https://github.com" };

function problemsOf(text: string): string[] {
  return readManifest(text, settings)
    .problems.map(({ kind, pointer, line }) => `${kind} ${pointer} ${line}`)
    .sort();
}

function refusal(text: string | Uint8Array): WritError {
  try {
    parseManifest(text, settings);
  } catch (error) {
    if (error instanceof WritError) return error;
  }
  throw new Error("the manifest was accepted");
}

function accepted(text: string): Manifest {
  return parseManifest(text, settings).manifest;
}

const writ = "name: x\nschema: writ/1\n";

describe("files with problems", () => {
  // Each file, and the problems it must give: kind, pointer, line.
  const table: [title: string, text: string, ...problems: string[]][] = [
    ["WS-11, WC-F4: a scalar for stacks", "name: x\nschema: awac/1\nstacks: core\n", "type /stacks 3"],
    ["WS-9, WC-F4: stack for stacks", "name: x\nschema: writ/1\nstack: [core]\n", "unknown_key /stack 3"],
    ["WS-13, WC-F4: no stack under awac/1", "name: x\nschema: awac/1\nstacks: []\n", "value /stacks 3"],
    ["WS-13: stacks missing under awac/2", "name: x\nschema: awac/2\n", "missing /stacks 1"],
    ["WS-5, WC-F4: a key twice", "name: x\nname: y\nschema: awac/1\nstacks: [core]\n", "duplicate /name 2"],
    ["WS-11, WC-F4: text for modules", `${writ}modules: "ab"\n`, "type /modules 3"],
    [
      "WS-13, WC-F4: an extra repository without repo",
      `${writ}extra_repos:\n  - org: acme\n`,
      "missing /extra_repos/0/repo 4",
    ],
    [
      "WS-10, WC-F4: a number for a branch",
      `${writ}stacks:\n  - ref: core\n    branch: 19.0\n`,
      "type /stacks/0/branch 5",
    ],
    [
      "WS-10: yes for true",
      `${writ}worktrees:\n  auto_sync_on_create: yes\n`,
      "type /worktrees/auto_sync_on_create 4",
    ],
    ["WS-18: one stack twice", `${writ}stacks:\n  - core\n  - stack: core\n`, "duplicate /stacks/1 5"],
    [
      "WS-27: one stack as org/repo and as URL",
      `${writ}stacks:\n  - a/b\n  - git@github.com:a/b.git\n`,
      "duplicate /stacks/1 5",
    ],
    ["WC-F5: no name", "schema: writ/1\n", "missing /name 1"],
    [
      "WC-F5: overrides under awac/1",
      "name: x\nschema: awac/1\nstacks: [core]\ndeploy_overrides: {}\n",
      "needs_schema /deploy_overrides 4",
    ],
    [
      "WC-F5: overrides of a wrong type",
      "name: x\nschema: awac/2\nstacks: [core]\ndeploy_overrides: [a]\n",
      "type /deploy_overrides 4",
    ],
    ["WC-C10: @ under awac/2", "name: x\nschema: awac/2\nstacks: [a/b@v1]\n", "needs_schema /stacks/0 3"],
    [
      "WS-14: a URL under awac/2",
      "name: x\nschema: awac/2\nstacks: ['https://h/a/b']\n",
      "needs_schema /stacks/0 3",
    ],
    [
      "WS-14: {stack} under awac/2",
      "name: x\nschema: awac/2\nstacks:\n  - {stack: core}\n",
      "needs_schema /stacks/0 4",
    ],
    [
      "WS-14: {path} under awac/1",
      "name: x\nschema: awac/1\nstacks:\n  - {path: ../s}\n",
      "needs_schema /stacks/0 4",
    ],
    [
      "WS-14: two pins",
      `${writ}stacks:\n  - stack: core\n    branch: a\n    tag: b\n`,
      "value /stacks/0/tag 6",
    ],
    [
      "WS-15: include with exclude",
      `${writ}stacks:\n  - stack: core\n    include: [a]\n    exclude: [b]\n`,
      "value /stacks/0/exclude 6",
    ],
    [
      "WS-15: capabilities_only with include",
      `${writ}stacks:\n  - org: a\n    capabilities_only: true\n    include: [a]\n`,
      "value /stacks/0/include 6",
    ],
    ["WS-17: a scalar in a reserved slot", `${writ}agents: 3\n`, "type /agents 3"],
    [
      "WS-18: a context file twice",
      `${writ}agent_context:\n  canonical: A.md\n  mirrors: [B.md, a.md]\n`,
      "duplicate /agent_context/mirrors/1 5",
    ],
    [
      "WS-13: sparse without paths",
      `${writ}extra_repos:\n  - {org: a, repo: b, mode: sparse}\n`,
      "missing /extra_repos/0/sparse_paths 4",
    ],
    ["WS-13: one module twice", `${writ}modules: [a, b, a]\n`, "duplicate /modules/2 3"],
    ["WS-13: a name that is not in style under writ/1", "name: My Name\nschema: writ/1\n", "value /name 1"],
    [
      "WS-25: a short commit",
      `${writ}stacks:\n  - {stack: core, commit: abc1234}\n`,
      "value /stacks/0/commit 4",
    ],
    [
      "WS-54: a path that leaves",
      `${writ}extra_repos:\n  - {org: a, repo: b, path: ../c}\n`,
      "unsafe_path /extra_repos/0/path 4",
    ],
    ["WS-54: a name with a separator", `${writ}product: a/b\n`, "unsafe_path /product 3"],
    [
      "WS-55: a clone over a context file",
      `${writ}extra_repos:\n  - {org: a, repo: b, path: agents.md}\n`,
      "unsafe_path /extra_repos/0/path 4",
    ],
    [
      "WS-55: worktrees in .writ",
      `${writ}worktrees: {base_dir: .writ/w}\n`,
      "unsafe_path /worktrees/base_dir 3",
    ],
    [
      "WS-55: a context file in .agents",
      `${writ}agent_context: {canonical: .agents/A.md}\n`,
      "unsafe_path /agent_context/canonical 3",
    ],
    ["WS-26: a helper as stack", `${writ}stacks: ["ext::sh -c x"]\n`, "unsafe_url /stacks/0 3"],
    [
      "WS-59: too many stacks",
      `${writ}stacks: [${Array.from({ length: 65 }, (_, at) => `a/s${at}`).join(", ")}]\n`,
      "limit /stacks 3",
    ],
    ["WS-24: a registry cannot be a shortcut", `${writ}registry: core\n`, "value /registry 3"],
    [
      "WS-71: an unknown client",
      `${writ}agent_context: {clients: [claude]}\n`,
      "value /agent_context/clients/0 3",
    ],
    ["an empty file", "", "type  1"],
    ["a list for a file", "- a\n", "type  1"],
  ];
  test.each(table)("%s", (_title, text, ...problems) => {
    expect(problemsOf(text)).toEqual(problems);
  });
});

test("WS-7, WC-F4: one file with many faults gives all of them at once, each with pointer, line and column", () => {
  const text = [
    "schema: awac/1",
    "schema: awac/1",
    "stack: [core]",
    "stacks: core",
    'modules: "ab"',
    "extra_repos:",
    "  - org: acme",
    "    branch: 19.0",
    "  - {org: acme, repo: true}",
    "worktrees:",
    "  auto_sync_on_create: no",
    "  bas_dir: x",
    "deploy_overrides: []",
  ].join("\n");
  const error = refusal(text);
  expect(error.code).toBe("E_INVALID_MANIFEST");
  expect(error.failure.details?.["problems"]).toEqual([
    expect.objectContaining({ kind: "missing", file: "workspace.yml", pointer: "/name", line: 1, column: 1 }),
    expect.objectContaining({ kind: "duplicate", pointer: "/schema", line: 2, column: 1 }),
    expect.objectContaining({
      kind: "unknown_key",
      pointer: "/stack",
      line: 3,
      hint: 'did you mean "stacks"?',
    }),
    expect.objectContaining({ kind: "type", pointer: "/stacks", line: 4, column: 9, hint: "stacks: [core]" }),
    expect.objectContaining({ kind: "type", pointer: "/modules", line: 5 }),
    expect.objectContaining({ kind: "missing", pointer: "/extra_repos/0/repo", line: 7 }),
    expect.objectContaining({
      kind: "type",
      pointer: "/extra_repos/0/branch",
      line: 8,
      hint: 'branch: "19.0"',
    }),
    expect.objectContaining({ kind: "type", pointer: "/extra_repos/1/repo", line: 9, hint: 'repo: "true"' }),
    expect.objectContaining({
      kind: "type",
      pointer: "/worktrees/auto_sync_on_create",
      line: 11,
      hint: "auto_sync_on_create: false",
    }),
    expect.objectContaining({
      kind: "unknown_key",
      pointer: "/worktrees/bas_dir",
      line: 12,
      hint: 'did you mean "base_dir"?',
    }),
    expect.objectContaining({
      kind: "needs_schema",
      pointer: "/deploy_overrides",
      line: 13,
      hint: "schema: awac/2",
    }),
    expect.objectContaining({ kind: "type", pointer: "/deploy_overrides", line: 13 }),
  ]);
  expect(error.failure.message).toContain("workspace.yml");
  expect(error.failure.remediation).toContain("writ schema workspace");
});

test("WS-5, WC-F4: a tab as indentation is a syntax problem with its line", () => {
  const error = refusal("name: x\nstacks:\n\t- core\n");
  expect(error.code).toBe("E_INVALID_MANIFEST");
  expect(error.failure.details?.["problems"]).toEqual([expect.objectContaining({ kind: "syntax", line: 3 })]);
});

describe("WS-8: the code of a refusal", () => {
  const table: [title: string, text: string, code: string, details: Record<string, unknown>][] = [
    [
      "an unsafe path comes first",
      `${writ}extra_repos:\n  - {org: a, repo: b, path: ../c}\nstack: 1\nregistry: "https://u:p@h/a/b"\n`,
      "E_UNSAFE_PATH",
      { file: "workspace.yml", pointer: "/extra_repos/0/path", reason: "dot_segment" },
    ],
    [
      "an unsafe URL comes second",
      `${writ}registry: "https://u:p@h/a/b"\nstack: 1\n`,
      "E_UNSAFE_URL",
      { reason: "credentials" },
    ],
    [
      "a newer field alone asks for its schema",
      "name: x\nschema: awac/1\nstacks: [core]\ndeploy_overrides: {}\n",
      "E_SCHEMA_TOO_OLD",
      { needs: "awac/2", declared: "awac/1" },
    ],
    [
      "several newer fields ask for the latest",
      "name: x\nschema: awac/1\nstacks: [core@v1]\ndeploy_overrides: {}\n",
      "E_SCHEMA_TOO_OLD",
      { needs: "writ/1" },
    ],
    [
      "a bound alone is a limit",
      `${writ}modules: [${Array.from({ length: 201 }, (_, at) => `m${at}`).join(", ")}]\n`,
      "E_LIMIT",
      { limit: 200, found: 201, source: "workspace.yml" },
    ],
    ["all else is the file's own code", `${writ}deploy_overrides: 1\nnotify: []\n`, "E_INVALID_MANIFEST", {}],
  ];
  test.each(table)("%s", (_title, ...[text, code, details]) => {
    const error = refusal(text);
    expect(error.code).toBe(code);
    expect(error.failure.details).toMatchObject(details);
  });

  test("a password never stands in the error", () => {
    const error = refusal(`${writ}stacks: ["https://ana:s3cret@h/a/b", {stack: "https://tok3n@h/c/d"}]\n`);
    expect(JSON.stringify(error.toObject())).not.toMatch(/s3cret|tok3n/);
    expect(JSON.stringify(refusal(`${writ}stacks: https://ana:s3cret@h/a/b\n`).toObject())).not.toContain(
      "s3cret",
    );
  });

  test("WS-7: at most 200 problems leave, the rest is counted", () => {
    const strange = Array.from({ length: 230 }, (_, at) => `k${at}: 1`).join("\n");
    const { details } = refusal(`${writ}${strange}\n`).failure;
    expect(details?.["problems"]).toHaveLength(200);
    expect(details?.["more_problems"]).toBe(30);
  });

  test("problems of several files are ordered by file, then line", () => {
    const at = (file: string, line: number) => ({
      kind: "value" as const,
      file,
      pointer: "",
      line,
      column: 1,
      message: "m",
    });
    const { details } = problemsError([at("b", 1), at("a", 2), at("a", 1)], "E_INVALID_STACK").failure;
    expect(details?.["problems"]).toEqual([at("a", 1), at("a", 2), at("b", 1)]);
  });
});

describe("WS-12: the schema word", () => {
  test("WC-F5: an unknown word names the supported ones", () => {
    const error = refusal("name: x\nschema: awac/99\nstacks: [core]\n");
    expect(error.code).toBe("E_INVALID_SCHEMA");
    expect(error.failure.details?.["supported"]).toEqual(["awac/1", "awac/2", "writ/1", "workspace/1"]);
  });
  test("a missing one is awac/1, with a warning", () => {
    const { manifest, warnings } = parseManifest("name: x\nstacks: [core]\n", settings);
    expect(manifest.schema).toBe("awac/1");
    expect(warnings.map(({ code }) => code)).toEqual(["W_SCHEMA_MISSING"]);
  });
  test("workspace/1 is read as awac/1", () => {
    expect(accepted("name: x\nschema: workspace/1\nstacks: [core]\n").schema).toBe("awac/1");
  });
});

test("WS-13: under awac any other name is accepted with W_NAME_STYLE", () => {
  const { manifest, warnings } = parseManifest("name: My Name\nschema: awac/1\nstacks: [core]\n", settings);
  expect(manifest.name).toBe("My Name");
  expect(warnings.map(({ code }) => code)).toEqual(["W_NAME_STYLE"]);
});

test("WS-14: every form of a stack entry gives one shape, with its line", () => {
  const hex = "a".repeat(40);
  const { stacks } = accepted(
    [
      "name: x",
      "schema: writ/1",
      "stacks:",
      "  - core",
      "  - acme/agent-stack",
      "  - {ref: aws, branch: dev}",
      "  - {org: erp, modules: [a], include: [p]}",
      "  - {org: web, name: stack, branch: main, capabilities_only: true}",
      "  - mcp@v2",
      `  - acme/other@${hex.toUpperCase()}`,
      "  - https://git.example.org/g/s.git",
      "  - {stack: git@example.org:g/t, tag: v1, exclude: [q]}",
      "  - {path: ../mine}",
    ].join("\n"),
  );
  const plain = { capabilitiesOnly: false, modules: [] };
  expect(stacks.map(({ declaredAt, ...entry }) => ({ ...entry, line: declaredAt.line }))).toEqual([
    { source: { kind: "shortcut", name: "core" }, want: "default", ...plain, line: 4 },
    { source: { kind: "repo", org: "acme", repo: "agent-stack" }, want: "default", ...plain, line: 5 },
    { source: { kind: "shortcut", name: "aws" }, want: "branch:dev", ...plain, line: 6 },
    {
      source: { kind: "shortcut", name: "erp", instead: { org: "erp", repo: "agent-stack" } },
      want: "default",
      include: ["p"],
      capabilitiesOnly: false,
      modules: ["a"],
      line: 7,
    },
    {
      source: { kind: "repo", org: "web", repo: "stack" },
      want: "branch:main",
      capabilitiesOnly: true,
      modules: [],
      line: 8,
    },
    { source: { kind: "shortcut", name: "mcp" }, want: "ref:v2", ...plain, line: 9 },
    { source: { kind: "repo", org: "acme", repo: "other" }, want: `commit:${hex}`, ...plain, line: 10 },
    { source: { kind: "url", url: "https://git.example.org/g/s.git" }, want: "default", ...plain, line: 11 },
    {
      source: { kind: "url", url: "git@example.org:g/t" },
      want: "tag:v1",
      exclude: ["q"],
      ...plain,
      line: 12,
    },
    { source: { kind: "path", path: "../mine" }, want: "default", ...plain, line: 13 },
  ]);
});

test("WS-13: defaults are filled in", () => {
  expect(accepted(writ)).toMatchObject({
    stacks: [],
    modules: [],
    extraRepos: [],
    worktrees: { baseDir: ".worktrees", autoSyncOnCreate: true },
    workspaceRepo: { enabled: false, visibility: "private" },
    deployOverrides: {},
    devvaultOverrides: {},
    blocks: {},
  });
  expect(accepted(`${writ}extra_repos: [{org: a, repo: b}]\n`).extraRepos).toMatchObject([
    { path: "b", want: "default", mode: "clone" },
  ]);
});

test("WS-9: keys that begin x- are free at any depth, but a component's name is its own", () => {
  const text = `${writ}x-note: {any: [thing]}\nworktrees: {x-why: y}\nstacks: [{org: a, x-b: 1}]\ndeploy_overrides: {x-ray: {x-skip: true}}\n`;
  expect(accepted(text).deployOverrides).toEqual({ "x-ray": { "x-skip": true } });
});

test("WS-17: reserved blocks pass through unread", () => {
  const text = `${writ}agents: {x-any: {deep: [1]}}\nbrokers: [1, b]\nresearch: {}\nreasoning: []\nprofiles: {p: q}\n`;
  expect(accepted(text).blocks).toEqual({
    agents: { "x-any": { deep: [1] } },
    brokers: [1, "b"],
    research: {},
    reasoning: [],
    profiles: { p: "q" },
  });
});

test("WS-26: WRIT_GIT_PROTOCOLS narrows what workspace.yml may name", () => {
  const text = `${writ}registry: file:///srv/r\nstacks: [file:///srv/s]\n`;
  expect(readManifest(text, settings).problems).toEqual([]);
  const narrowed = readManifest(text, { ...settings, protocols: ["https", "ssh"] });
  expect(narrowed.problems.map(({ kind, pointer }) => [kind, pointer])).toEqual([
    ["unsafe_url", "/stacks/0"],
    ["unsafe_url", "/registry"],
  ]);
});

test("WS-10: 19 and 19.0 keep their spelling in the hint", () => {
  const { problems } = readManifest(`${writ}private_overlay: {org: a, repo: 19, branch: 19.10}\n`, settings);
  expect(problems.map(({ hint }) => hint)).toEqual(['repo: "19"', 'branch: "19.10"']);
});

describe("WS-9: the hint of an unknown key", () => {
  test.each([
    ["stacks: [{ref: core, brnch: x}]", "/stacks/0/brnch", 'did you mean "branch"?'],
    ["stacks: [{stak: core}]", "/stacks/0/stak", 'did you mean "stack"?'],
    [
      "stacks: [{org: a, capability_only: true}]",
      "/stacks/0/capability_only",
      'did you mean "capabilities_only"?',
    ],
    ["agent_context: {mirors: [A.md]}", "/agent_context/mirors", 'did you mean "mirrors"?'],
    [
      "agent_context: {mirrors: [{path: A.md, mod: copy}]}",
      "/agent_context/mirrors/0/mod",
      'did you mean "mode"?',
    ],
    ["registry: {source: a/b, comit: x}", "/registry/comit", 'did you mean "commit"?'],
  ])("%s", (line, pointer, hint) => {
    const { problems } = readManifest(`${writ}${line}\n`, settings);
    expect(problems).toContainEqual(expect.objectContaining({ kind: "unknown_key", pointer, hint, line: 3 }));
  });
});

/** A word that is no schema is thrown; it counts as a problem here. */
function readOrRefuse(text: string): Pick<ManifestReading, "manifest" | "problems"> {
  try {
    return readManifest(text, settings);
  } catch (error) {
    if (!(error instanceof WritError) || error.code !== "E_INVALID_SCHEMA") throw error;
    return { problems: [{ kind: "value", file: "", pointer: "", line: 1, column: 1, message: "" }] };
  }
}

test("WS-5, WS-7: any text gives a manifest or problems with a place, and is never a crash", () => {
  const keys = fc.constantFrom(
    "name",
    "schema",
    "stacks",
    "modules",
    "extra_repos",
    "agent_context",
    "mirrors",
    "extras",
    "registry",
    "org",
    "ref",
    "path",
    "x-a",
    "include",
    "__proto__",
  );
  const scalar = fc.oneof(
    fc.constantFrom("core", "a/b", "writ/1", "awac/1", "a@b", "../x", "ext::x", null, true, 19.5),
    fc.string({ maxLength: 5 }),
  );
  const { any } = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 4 },
      scalar,
      fc.array(tie("any"), { maxLength: 3 }),
      fc.dictionary(keys, tie("any"), { maxKeys: 5 }),
    ),
  }));
  const texts = fc.oneof(
    any.map((value) => JSON.stringify(value)),
    fc.string({ unit: "binary", maxLength: 60 }),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const { manifest, problems } = readOrRefuse(text);
      expect(manifest === undefined).toBe(problems.length > 0);
      expect(problems.every(({ line, column }) => line > 0 && column > 0)).toBe(true);
    }),
    { numRuns: 500 },
  );
});
