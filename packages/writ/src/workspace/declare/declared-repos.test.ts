import { describe, expect, test } from "vitest";
import type { ResolvedStack } from "./declared.ts";
import { reposOf, requireDistinctPaths } from "./declared-repos.ts";
import { parseManifest } from "./manifest.fixture.ts";
import { problemsError } from "./problems.ts";
import { labelOf, resolveShortcut } from "./sources.ts";
import { checkAgainstStacks } from "./stack-checks.ts";
import { parseStackManifest } from "./stack-manifest.ts";

const base = "https://github.com";
const shortcuts = { core: "acme/core", acme: "acme/agent-stack", full: "acme/agent-stack" };

/** A workspace whose stacks have these awac.yml files, in order. */
function workspace(manifestText: string, awac: readonly string[]) {
  const { manifest } = parseManifest(`name: x\nschema: writ/1\n${manifestText}`, { base });
  const stacks = manifest.stacks.map((entry, at): ResolvedStack => {
    const label = labelOf(entry.source);
    return {
      entry,
      label,
      source: resolveShortcut(entry.source, shortcuts),
      manifest: parseStackManifest(awac[at] ?? "", { stack: label }).manifest,
    };
  });
  const problems = checkAgainstStacks(manifest, stacks, {
    base,
    contextFiles: ["CLAUDE.md", "docs/AGENTS.md"],
  });
  return { repos: reposOf(manifest, stacks), problems, stacks };
}

const pqr = "repos: [{name: p}, {name: q}, {name: r}]\n";
const paths = (entry: string, awac = pqr) =>
  workspace(`stacks:\n  - ${entry}\n`, [awac]).repos.map(({ path }) => path);

describe("WS-15, WC-C9: which repositories of a stack are cloned", () => {
  test("include, exclude, capabilities_only, and all of them", () => {
    expect(paths("{stack: acme, include: [p]}")).toEqual(["p"]);
    expect(paths("{stack: acme, exclude: [p]}")).toEqual(["q", "r"]);
    expect(paths("{stack: acme, capabilities_only: true}")).toEqual([]);
    expect(paths("acme")).toEqual(["p", "q", "r"]);
  });
  test("a name the stack does not declare names the known ones", () => {
    const { problems } = workspace("stacks:\n  - stack: acme\n    include:\n      - nosuch\n", [pqr]);
    expect(problems).toEqual([
      expect.objectContaining({
        kind: "value",
        pointer: "/stacks/0/include/0",
        line: 6,
        file: "workspace.yml",
      }),
    ]);
    expect(problems[0]?.message).toContain("p, q, r");
    expect(problemsError(problems, "E_INVALID_MANIFEST").code).toBe("E_INVALID_MANIFEST");
  });
});

describe("WS-16, WS-22, WC-C8: modules", () => {
  const erp =
    "repos: [{name: p}]\nmodule_convention: {path_prefix: addons/, branch_default: 19-dev, repo_pattern: 'mod_{module_name}'}\n";
  const wanted = [
    {
      path: "addons/a",
      source: { kind: "repo", org: "erp", repo: "mod_a" },
      want: "branch:19-dev",
      from: "modules",
      stack: "erp",
    },
    {
      path: "addons/b",
      source: { kind: "repo", org: "erp", repo: "mod_b" },
      want: "branch:19-dev",
      from: "modules",
      stack: "erp",
    },
  ];
  test.each([0, 1, 2])("come from the entry's own stack, at position %i", (position) => {
    const entries = ["core", "web/stack"];
    const awac = ["", "module_convention: {repo_pattern: 'x_{module_name}'}\n"];
    entries.splice(position, 0, "{org: erp, modules: [a, b]}");
    awac.splice(position, 0, erp);
    expect(workspace(`stacks: [${entries.join(", ")}]\n`, awac).repos).toMatchObject(wanted);
  });
  test("of the stack's repositories only those in include", () => {
    expect(paths("{org: erp, modules: [a], include: [p]}", erp)).toEqual(["addons/a", "p"]);
  });
  test("default_org goes before the org of the stack", () => {
    const { repos } = workspace("stacks: [{org: erp, modules: [a]}]\n", [
      "module_convention: {default_org: mods}\n",
    ]);
    expect(repos).toMatchObject([{ source: { org: "mods", repo: "a" }, want: "default" }]);
  });
  test("WS-18: top-level modules need exactly one convention", () => {
    const top = (awac: string[]) => workspace("modules: [a]\nstacks: [erp/agent-stack, erp/more]\n", awac);
    expect(top([erp, ""])).toMatchObject({ problems: [], repos: [{ path: "addons/a" }, { path: "p" }] });
    expect(top([erp, erp.replace("repos: [{name: p}]\n", "")]).problems).toEqual([]);
    expect(top(["", ""]).problems).toMatchObject([{ kind: "value", pointer: "/modules" }]);
    expect(top([erp, "module_convention: {path_prefix: other/}\n"]).problems).toMatchObject([
      { kind: "value", pointer: "/modules" },
    ]);
  });
  test("a module whose repository would have no valid name is a problem", () => {
    const { problems, repos } = workspace(`stacks: [{org: erp, modules: [a, ${"b".repeat(98)}]}]\n`, [erp]);
    expect(problems).toMatchObject([{ kind: "value", pointer: "/stacks/0/modules/1", line: 3 }]);
    expect(repos).toMatchObject([{ path: "addons/a" }]);
  });
});

test("WS-18, WC-F4: one stack by shortcut and by full name", () => {
  const { problems } = workspace("stacks:\n  - core\n  - acme\n  - acme/agent-stack\n", []);
  expect(problems).toMatchObject([{ kind: "duplicate", pointer: "/stacks/2", line: 6 }]);
  expect(problems[0]?.message).toContain("line 5");
});

test("WS-13: extra_repos are declared beside those of the stacks", () => {
  const { repos } = workspace(
    "extra_repos: [{org: a, repo: b, branch: dev, path: x/b/, mode: sparse, sparse_paths: [docs/]}]\nstacks: [acme]\n",
    [pqr],
  );
  expect(repos.map(({ path, from }) => [path, from])).toEqual([
    ["p", "acme"],
    ["q", "acme"],
    ["r", "acme"],
    ["x/b", "extra_repos"],
  ]);
  expect(repos[3]).toMatchObject({ want: "branch:dev", mode: "sparse", sparsePaths: ["docs"] });
});

test("WS-21: a local stack's repositories need an org", () => {
  const { repos, problems } = workspace("stacks: [{path: ../mine}]\n", [
    "repos: [{name: p}, {name: q, org: o}]\n",
  ]);
  expect(repos).toMatchObject([{ path: "q", source: { kind: "repo", org: "o", repo: "q" } }]);
  expect(problems).toMatchObject([{ kind: "missing", pointer: "/stacks/0" }]);
});

test("WS-55: a stack's repository may not stand on a context file", () => {
  const { problems } = workspace("stacks: [acme]\n", ["repos: [{name: p, path: docs}]\n"]);
  expect(problems).toMatchObject([{ kind: "unsafe_path", pointer: "/stacks/0" }]);
});

describe("WS-58, WC-E4: clones at one place", () => {
  test.each([
    ["the same path", "x", "x"],
    ["one inside the other", "x", "x/y"],
    ["one inside the other, declared first", "x/y", "x"],
    ["another letter case", "x", "X"],
  ])("%s is refused with both origins", (_title, one, two) => {
    const { repos } = workspace(
      `extra_repos: [{org: a, repo: b, path: ${one}}, {org: a, repo: c, path: ${two}}]\n`,
      [],
    );
    const origin = (repo: string) => expect.objectContaining({ repo, from: "extra_repos" });
    expect(() => requireDistinctPaths(repos)).toThrow(
      expect.objectContaining({
        code: "E_PATH_CONFLICT",
        failure: expect.objectContaining({
          details: expect.objectContaining({
            origins: expect.arrayContaining([origin("a/b"), origin("a/c")]),
          }),
        }),
      }),
    );
  });
  test("neighbours are not", () => {
    const { repos } = workspace(
      "extra_repos: [{org: a, repo: b, path: x}, {org: a, repo: c, path: xy}]\n",
      [],
    );
    expect(() => requireDistinctPaths(repos)).not.toThrow();
  });
});
