import { describe, expect, test } from "vitest";
import { WritError } from "../../contract/index.ts";
import { parseStackManifest, readStackManifest } from "./stack-manifest.ts";

const commit = "ab".repeat(20);
const origin = { stack: "acme", commit };

function refusal(text: string | undefined, registry = false): WritError {
  try {
    parseStackManifest(text, { ...origin, registry });
  } catch (error) {
    if (error instanceof WritError) return error;
  }
  throw new Error("awac.yml was accepted");
}

test("WS-19: awac.yml with its defaults filled in", () => {
  const text = [
    "### a comment before the first key",
    "",
    "product: Acme",
    "scope: erp",
    "repos:",
    "  - name: api",
    '  - {name: web, org: other, branch_default: "19.0", path: ./sites/web/}',
    "module_convention: {branch_default: 19-dev, repo_pattern: 'mod_{module_name}'}",
    "shortcuts: {core: acme/core}",
    "templates: [{name: blank, path: acme/core/templates/blank.yml}]",
    "agent_context: {canonical: CLAUDE.md, mirrors: [./AGENTS.md]}",
    "org_scaffold: {any: {thing: 1}}",
  ].join("\n");
  const { manifest, warnings } = parseStackManifest(text, origin);
  expect(warnings).toEqual([]);
  expect(manifest).toEqual({
    product: "Acme",
    scope: "erp",
    repos: [
      { name: "api", path: "api", line: 6 },
      { name: "web", org: "other", branchDefault: "19.0", path: "sites/web", line: 7 },
    ],
    moduleConvention: { pathPrefix: "addons/", branchDefault: "19-dev", repoPattern: "mod_{module_name}" },
    shortcuts: { core: "acme/core" },
    templates: [{ name: "blank", path: "acme/core/templates/blank.yml" }],
    agentContext: { canonical: "CLAUDE.md", mirrors: ["AGENTS.md"] },
    orgScaffold: { any: { thing: 1 } },
  });
});

test("WS-19: a stack without awac.yml, or with comments only, has assets only", () => {
  const empty = { repos: [], shortcuts: {}, templates: [] };
  expect(parseStackManifest(undefined, origin).manifest).toEqual(empty);
  expect(parseStackManifest("# nothing\n", origin).manifest).toEqual(empty);
});

test("WS-9: unknown keys are passed over at any depth and listed in one warning", () => {
  const text =
    "hooks: [a]\nx-free: 1\nrepos:\n  - {name: api, description: d, x-own: 2}\nagent_context: {mirrors: [{path: A.md, why: w}]}\n";
  const { manifest, warnings } = parseStackManifest(text, origin);
  expect(manifest.repos).toMatchObject([{ name: "api", path: "api" }]);
  expect(manifest.agentContext).toEqual({ mirrors: [{ path: "A.md" }] });
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toMatchObject({ code: "W_STACK_UNKNOWN_KEY" });
  expect(warnings[0]?.message).toBe(
    "awac.yml of acme has keys that Writ does not know: agent_context.mirrors.0.why, hooks, repos.0.description.",
  );
});

describe("WS-20, WC-F6: a broken awac.yml names stack, commit and file", () => {
  test.each([
    ["a repository without name", "repos:\n  - org: acme\n", "missing /repos/0/name"],
    [
      "a number for a branch",
      "repos:\n  - {name: a, branch_default: 19.0}\n",
      "type /repos/0/branch_default",
    ],
    ["a list for a mapping", "- a\n", "type "],
    ["broken YAML", "repos: [\n", "syntax "],
    [
      "a pattern without its placeholder",
      "module_convention: {repo_pattern: x}\n",
      "value /module_convention/repo_pattern",
    ],
    [
      "a pattern with it twice",
      "module_convention: {repo_pattern: '{module_name}{module_name}'}\n",
      "value /module_convention/repo_pattern",
    ],
    [
      "a template outside a repository",
      "templates: [{name: a, path: a/b}]\n",
      "unsafe_path /templates/0/path",
    ],
  ])("%s", (_title, text, problem) => {
    const [found] = readStackManifest(text, origin).problems;
    expect(`${found?.kind} ${found?.pointer}`).toBe(problem);
    const error = refusal(text);
    expect(error.code).toBe(problem.startsWith("unsafe_path") ? "E_UNSAFE_PATH" : "E_INVALID_STACK");
    expect(error.failure.details).toMatchObject({ stack: "acme", commit, file: "awac.yml" });
    expect(error.failure.message).toContain("acme");
  });
  test("an alias bomb is E_LIMIT", () => {
    const bomb = Array.from(
      { length: 12 },
      (_, at) =>
        `k${at}: &a${at} [${at === 0 ? "x" : Array.from({ length: 9 }, () => `*a${at - 1}`).join(", ")}]`,
    ).join("\n");
    expect(refusal(bomb).code).toBe("E_LIMIT");
  });
  test("a repository where Writ keeps its own is E_UNSAFE_PATH", () => {
    expect(refusal("repos: [{name: a, path: .agents/a}]\n").code).toBe("E_UNSAFE_PATH");
  });
});

describe("WS-20, WC-F8: the registry's awac.yml", () => {
  test.each([
    ["missing", undefined],
    ["broken YAML", "shortcuts: {\n"],
    ["a shortcut without /", "shortcuts: {core: acme}\n"],
  ])("%s", (_title, text) => {
    const error = refusal(text, true);
    expect(error.code).toBe("E_INVALID_REGISTRY");
    expect(error.failure.details).toMatchObject({ stack: "acme", file: "awac.yml" });
  });
});
