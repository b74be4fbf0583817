import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeFixtureF, makeWorkspaceW, type FixtureF } from "../fixtures/fixture-f.ts";
import { tempFolder } from "../fixtures/temp-folder.ts";
import { bootstrap, snapshot } from "../support/workspace-runs.ts";

function workspace(f: FixtureF, text: string): string {
  const root = join(f.folder, "h");
  mkdirSync(root, { recursive: true });
  writeFileSync(join(root, "workspace.yml"), `name: demo\nschema: writ/1\n${text}\n`);
  return root;
}

/** A program that says that it was run, and then does what it was asked. */
function spy(folder: string): { program: string; canary: string } {
  const canary = join(folder, "canary");
  const program = join(folder, "spy.sh");
  writeFileSync(program, `#!/bin/sh\ntouch ${canary}\nexec "$@"\n`, { mode: 0o755 });
  return { program, canary };
}

describe("the user's own git settings", () => {
  test("WS-48: no program they name is run while a stack or a repository is fetched", async () => {
    using temp = tempFolder();
    const f = makeFixtureF(temp.path);
    const root = makeWorkspaceW(f);
    const { program, canary } = spy(temp.path);
    const settings = [
      `[core]\n\tfsmonitor = ${program}\n\thooksPath = ${temp.path}\n\tpager = ${program}\n\teditor = ${program}`,
      `\talternateRefsCommand = ${program}\n\tautocrlf = true\n[uploadpack]\n\tpackObjectsHook = ${program}`,
      `[diff]\n\texternal = ${program}\n[alias]\n\tfetch = !${program}\n\tstatus = !${program}`,
      `[protocol "ext"]\n\tallow = always\n[gpg]\n\tprogram = ${program}\n[commit]\n\tgpgSign = true\n`,
    ];
    writeFileSync(join(temp.path, "home/.gitconfig"), settings.join("\n"));
    await bootstrap(f, root);
    f.api.commit({ files: { "b.txt": "b\n" } });
    const { data } = await bootstrap(f, root, { update: true });
    expect(data.repos).toMatchObject([{ action: "fast_forwarded" }]);
    expect(existsSync(canary)).toBe(false);
  });

  test("WS-49: settings that git cannot read are told as such, without the place of the file", async () => {
    using temp = tempFolder();
    const f = makeFixtureF(temp.path);
    writeFileSync(join(temp.path, "home/.gitconfig"), "[core\n");
    await expect(bootstrap(f, makeWorkspaceW(f))).rejects.toMatchObject({
      code: "E_TOOL_MISSING",
      failure: { cause: expect.stringMatching(/^It answered: bad config line 1 in file \.gitconfig/) },
    });
  });

  test("WS-48: a rule that leads elsewhere cannot widen the protocols", async () => {
    using temp = tempFolder();
    const f = makeFixtureF(temp.path);
    const { program, canary } = spy(temp.path);
    writeFileSync(join(temp.path, "home/.gitconfig"), `[url "ext::${program} "]\n\tinsteadOf = file://\n`);
    await expect(bootstrap(f, makeWorkspaceW(f))).rejects.toMatchObject({ code: "E_UNSAFE_URL" });
    expect(existsSync(canary)).toBe(false);
  });
});

describe("a place that is taken", () => {
  test.for([
    "agent_context: {canonical: CLAUDE.local.md}",
    "agent_context: {canonical: .gitignore}",
    "agent_context: {canonical: WORKSPACE_PRIVATE.md}",
    "agent_context: {canonical: A.md, mirrors: [A.md/b.md]}",
    "agent_context: {canonical: A/b.md, extras: [{path: a}]}",
    "extra_repos: [{org: acme, repo: api, path: .gitignore}]",
    "extra_repos: [{org: acme, repo: api, path: claude.LOCAL.md}]",
  ])("WS-55, WS-1: %s is refused, and nothing is written", async (text) => {
    using temp = tempFolder();
    const f = makeFixtureF(temp.path);
    const root = workspace(f, `stacks: [core]\n${text}`);
    await expect(bootstrap(f, root)).rejects.toMatchObject({ code: "E_UNSAFE_PATH" });
    expect(Object.keys(snapshot(root))).toEqual(["workspace.yml"]);
  });

  test.for([".cursor", ".Cursor/rules", ".cursor/rules/r1.mdc"])(
    "WS-58: a repository at %s, where rules are composed, is E_PATH_CONFLICT before anything is cloned",
    async (path) => {
      using temp = tempFolder();
      const f = makeFixtureF(temp.path);
      const root = workspace(
        f,
        `stacks: [core]\nagent_context: {clients: [cursor]}\nextra_repos: [{org: acme, repo: api, path: ${path}}]`,
      );
      await expect(bootstrap(f, root)).rejects.toMatchObject({ code: "E_PATH_CONFLICT" });
      expect(Object.keys(snapshot(root))).toEqual(["workspace.yml"]);
    },
  );

  test("WS-58: two folders that differ only in letter case are E_PATH_CONFLICT", async () => {
    using temp = tempFolder();
    const f = makeFixtureF(temp.path);
    f.host.repo("a/agent-stack", { files: { "skills/Deploy/SKILL.md": "x\n" } });
    f.host.repo("b/agent-stack", { files: { "skills/deploy/run.sh": "y\n" } });
    const root = workspace(f, "stacks: [a/agent-stack, b/agent-stack]");
    await expect(bootstrap(f, root)).rejects.toMatchObject({ code: "E_PATH_CONFLICT" });
    expect(Object.keys(snapshot(root))).toEqual(["workspace.yml"]);
  });
});

describe("the names in a stack's tree", () => {
  const file = (name: string | Uint8Array) => [{ name: "rules", entries: [{ name, content: "x\n" }] }];
  const folder = (name: string) => [{ name: "rules", entries: [{ name, entries: [{ name: "f" }] }] }];
  test.for([
    [".git with an ignorable letter", folder(".g\u200cit")],
    ["..", folder("..")],
    ["a path that climbs", file("a/../../../evil.md")],
    ["an absolute path", file("/etc/evil")],
    ["bytes that are no text", file(Uint8Array.of(0x61, 0xff))],
  ] as const)("WS-54: %s is refused, and nothing is written", async ([, tree]) => {
    using temp = tempFolder();
    const f = makeFixtureF(temp.path);
    f.host.repo("bad/agent-stack").commitTree(tree);
    const root = workspace(f, "stacks: [bad/agent-stack]");
    const before = snapshot(f.host.folder);
    await expect(bootstrap(f, root)).rejects.toMatchObject({ code: "E_UNSAFE_PATH" });
    expect(Object.keys(snapshot(root))).toEqual(["workspace.yml"]);
    expect(snapshot(f.host.folder)).toEqual(before);
  });

  test("WS-54, WS-74: names that look like options or markers are only names", async () => {
    using temp = tempFolder();
    const f = makeFixtureF(temp.path);
    const names = ["-rf", "--help", "<!-- @awac:header-end -->.md", "](x) `a`.md"];
    f.host.repo("bad/agent-stack", {
      files: Object.fromEntries(names.map((name) => [`rules/${name}`, "x\n"])),
    });
    const root = workspace(f, "stacks: [bad/agent-stack]");
    await bootstrap(f, root);
    for (const name of names) expect(readFileSync(join(root, ".agents/rules", name), "utf8")).toBe("x\n");
    expect(readFileSync(join(root, "CLAUDE.md"), "utf8").match(/^<!-- @awac/gm)).toHaveLength(4);
    expect((await bootstrap(f, root)).data.changed).toBe(false);
  });
});

describe("WS-30: a branch or tag that leads to no commit", () => {
  test("is refused where a stack names it, with what it leads to", async () => {
    using temp = tempFolder();
    const f = makeFixtureF(temp.path);
    for (const [tag, object] of [
      ["folder", "main^{tree}"],
      ["file", "main:awac.yml"],
    ] as const) {
      f.core.git("tag", tag, object);
      const root = workspace(f, `stacks: [{stack: t/core, tag: ${tag}}]`);
      await expect(bootstrap(f, root)).rejects.toMatchObject({
        code: "E_REF_NOT_FOUND",
        failure: {
          message: `${tag} of t/core leads to no commit.`,
          details: { source: "t/core", ref: tag, kind: tag === "file" ? "blob" : "tree" },
        },
      });
    }
  });

  test("is refused where a repository is to be cloned, and nothing is left of the clone", async () => {
    using temp = tempFolder();
    const f = makeFixtureF(temp.path);
    const tree = f.api.git("rev-parse", "main^{tree}").trim();
    writeFileSync(join(f.api.folder, "refs/heads/odd"), `${tree}\n`);
    const root = workspace(f, "extra_repos: [{org: acme, repo: api, branch: odd}]");
    const before = snapshot(root);
    await expect(bootstrap(f, root)).rejects.toMatchObject({
      code: "E_REF_NOT_FOUND",
      failure: { details: { ref: "odd", kind: "tree" } },
    });
    expect(snapshot(root)).toEqual(before);
  });
});
