import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import listEvents from "../../packages/writ/src/ledger/capabilities/list.ts";
import diff from "../../packages/writ/src/workspace/capabilities/diff.ts";
import explain from "../../packages/writ/src/workspace/capabilities/explain.ts";
import { snapshot } from "../support/workspace-runs.ts";
import { composedApp, type Composed } from "./composed.ts";

const capabilities = [explain];

async function explained(it: Composed, ref: string): Promise<Record<string, unknown>> {
  const answer = await it.call("explain", { ref });
  expect(answer.error).toBeNull();
  (await explain.output()).parse(answer.data);
  return answer.data;
}

test("WC-H8, WS-61: explain names the winner, the loser it hides, the rule and the state", async () => {
  await using it = await composedApp({ capabilities });
  const data = await explained(it, ".agents/rules/r1.md");
  expect(data).toMatchObject({
    reference: "file:.agents/rules/r1.md",
    path: ".agents/rules/r1.md",
    kind: "copy",
    state: "clean",
    rule: "override",
    winner: {
      stack: "acme",
      repo: "acme/agent-stack",
      ref: "refs/heads/main",
      commit: it.f.acme.tip(),
      source: "rules/r1.md",
      blob: it.f.acme.git("rev-parse", "main:rules/r1.md"),
      declared_at: { file: "workspace.yml", line: 3 },
    },
    losers: [{ stack: "core", repo: "t/core", commit: it.f.core.tip(), source: "rules/r1.md" }],
    promotable: false,
    next: [],
  });
  const { base, local, new: next } = data.hashes as Record<string, string>;
  expect(base).toMatch(/^[0-9a-f]{64}$/);
  expect([local, next]).toEqual([base, base]);
});

test("WC-H8: an unknown file is E_NOT_FOUND with the nearest, and so is an unknown kind", async () => {
  await using it = await composedApp({ capabilities });
  expect((await it.call("explain", { ref: "nosuch" })).error).toMatchObject({
    code: "E_NOT_FOUND",
    exit_code: 2,
  });
  expect((await it.call("explain", { ref: ".agents/rules/r2.md" })).error).toMatchObject({
    code: "E_NOT_FOUND",
    details: { nearest: ".agents/rules/r1.md" },
  });
  expect((await it.call("explain", { ref: "stak:core" })).error).toMatchObject({
    code: "E_NOT_FOUND",
    details: { nearest: "stack" },
  });
  expect((await it.call("explain", { ref: "stack:acmee" })).error).toMatchObject({
    code: "E_NOT_FOUND",
    details: { nearest: "acme" },
  });
  expect((await it.call("explain", { ref: "repo:apj" })).error).toMatchObject({
    code: "E_NOT_FOUND",
    details: { nearest: "api" },
  });
  expect((await it.call("explain", { ref: "setting:registri" })).error).toMatchObject({
    details: { nearest: "registry" },
  });
  expect((await it.call("explain", { ref: "run:run_1" })).error).toMatchObject({
    code: "E_NOT_FOUND",
    message: "Nothing here can explain the kind run.",
    details: { kind: "run" },
  });
});

test("CT-23: a path that leads outside the workspace is E_UNSAFE_PATH", async () => {
  await using it = await composedApp({ capabilities });
  for (const ref of ["../secret", "/etc/passwd", "file:a/../../b"]) {
    expect((await it.call("explain", { ref })).error).toMatchObject({ code: "E_UNSAFE_PATH" });
  }
});

test("WS-84: explain tells an edit, a conflict, a missing and an orphan apart, with the commands that help", async () => {
  await using it = await composedApp({ capabilities });
  const rule = join(it.root, ".agents/rules/r1.md");
  writeFileSync(rule, "MINE\n");
  expect(await explained(it, ".agents/rules/r1.md")).toMatchObject({
    state: "edited",
    promotable: true,
    next: ["writ diff .agents/rules/r1.md --local --patch"],
  });
  rmSync(rule);
  expect(await explained(it, ".agents/rules/r1.md")).toMatchObject({
    state: "missing",
    promotable: false,
    next: ["writ bootstrap"],
  });
  writeFileSync(rule, "MINE\n");
  it.f.acme.commit({ files: { "rules/r1.md": "RB\n" } });
  await it.call("workspace.bootstrap", { update: true });
  expect(await explained(it, ".agents/rules/r1.md")).toMatchObject({
    state: "conflict",
    conflict: { reason: "both_changed", theirs_path: ".agents/.conflicts/.agents/rules/r1.md.theirs" },
    promotable: true,
  });
  expect(await explained(it, ".agents/.conflicts/.agents/rules/r1.md.theirs")).toMatchObject({
    rule: "derived",
    derived_from: ".agents/rules/r1.md",
  });
});

test("WS-61, WS-64: every kind of composed file has its rule", async () => {
  await using it = await composedApp({
    capabilities,
    manifest:
      "name: demo\nschema: writ/1\nstacks: [core, acme]\nagent_context:\n  clients: [claude-code]\n  extras:\n    - {path: .cursorrules, header: false}\n",
    prepare: (_f, root) => mkdirSync(join(root, ".git")),
  });
  writeFileSync(join(it.root, "notes.txt"), "mine\n");
  writeFileSync(join(it.root, ".agents/rules/own.md"), "mine\n");
  const rules: [string, string][] = [
    [".agents/skills/s1/SKILL.md", "layer"],
    [".agents/rules/r1.md", "override"],
    [".stack/acme/deploy.yml", "metadata"],
    ["CLAUDE.md", "context"],
    ["AGENTS.md", "mirror"],
    [".cursorrules", "extra"],
    [".claude/rules/r1.md", "derived"],
    [".agents/INDEX.md", "index"],
    [".claude/skills/s1", "link"],
    [".gitignore", "ignore_block"],
    ["api/README.md", "clone"],
    ["notes.txt", "user"],
    ["workspace.yml", "user"],
  ];
  for (const [path, rule] of rules) expect(await explained(it, path)).toMatchObject({ path, rule });
  expect(await explained(it, ".claude/rules/r1.md")).toMatchObject({
    derived_from: ".agents/rules/r1.md",
    promotable: false,
  });
  expect(await explained(it, ".claude/skills/s1/SKILL.md")).toMatchObject({
    path: ".agents/skills/s1/SKILL.md",
    rule: "layer",
  });
  expect(await explained(it, ".agents/rules/own.md")).toMatchObject({ rule: "user", promotable: true });
});

test("WC-C13, WS-104: a file of the private overlay says so, with the stack's file it hides", async () => {
  await using it = await composedApp({
    capabilities,
    manifest: "name: demo\nschema: awac/2\nstacks: [core]\nprivate_overlay:\n  org: me\n  repo: mine\n",
    prepare: (f) => void f.host.repo("me/mine", { files: { "rules/r1.md": "MINE\n" } }),
  });
  expect(await explained(it, ".agents/rules/r1.md")).toMatchObject({
    rule: "overlay",
    winner: { stack: "overlay", repo: "me/mine", declared_at: { line: 5 } },
    losers: [{ stack: "core" }],
    promotable: false,
  });
});

test("WS-113: explain asks no remote, and without the cache it answers from what was composed last", async () => {
  await using it = await composedApp({ capabilities });
  for (const repo of [it.f.core, it.f.acme, it.f.api]) repo.moveAway();
  expect(await explained(it, ".agents/rules/r1.md")).toMatchObject({ rule: "override" });
  rmSync(join(it.f.folder, "cache"), { recursive: true });
  const data = await explained(it, ".agents/rules/r1.md");
  expect(data).toMatchObject({
    rule: "layer",
    state: "clean",
    winner: { stack: "acme", repo: "acme/agent-stack", source: "rules/r1.md" },
  });
  expect(data.hashes).toMatchObject({ new: null });
  expect(data.reason).toContain("not known");
});

test("CT-34: a stack, a repository and a commit are explained", async () => {
  await using it = await composedApp({ capabilities });
  expect(await explained(it, "stack:core")).toMatchObject({
    reference: "stack:core",
    id: "core",
    repo: "t/core",
    want: "default",
    commit: it.f.core.tip(),
    locked_commit: it.f.core.tip(),
    product: "t",
    layer: 1,
    overridden: [".agents/rules/r1.md"],
    declared_at: { file: "workspace.yml", line: 3 },
  });
  expect(await explained(it, "repo:api")).toMatchObject({
    path: "api",
    repo: "acme/api",
    locked_commit: it.f.api.tip(),
    mode: "clone",
    source_stack: "acme",
    exists: true,
  });
  const commit = it.f.acme.tip();
  expect(await explained(it, `commit:acme@${commit.slice(0, 8)}`)).toMatchObject({
    reference: `commit:acme@${commit.slice(0, 8)}`,
    stack: "acme",
    commit,
    subject: "change",
    author: "Ana",
    locked: true,
    composed_files: 4,
  });
  expect((await it.call("explain", { ref: "commit:acme@00000000" })).error).toMatchObject({
    code: "E_NOT_FOUND",
  });
  expect((await it.call("explain", { ref: "commit:nosuch@00000000" })).error).toMatchObject({
    code: "E_NOT_FOUND",
  });
});

test("WS-111: a setting says who gives it and whom it silences", async () => {
  await using it = await composedApp({
    capabilities,
    manifest:
      "name: demo\nschema: writ/1\nregistry: t/core\nstacks: [core]\nagent_context:\n  canonical: AGENTS.md\n  mirrors: [CLAUDE.md]\n",
    env: { WRIT_JOBS: "3" },
  });
  expect(await explained(it, "setting:registry")).toMatchObject({
    value: "t/core",
    from: "manifest",
    declared_at: { file: "workspace.yml", line: 3 },
    shadowed: [{ from: "lock", value: "t/core" }, { from: "env", value: "t/core" }, { from: "builtin" }],
  });
  expect(await explained(it, "setting:jobs")).toMatchObject({
    value: 3,
    from: "env",
    shadowed: [{ value: 8, from: "builtin" }],
  });
  expect(await explained(it, "setting:agent_context.canonical")).toMatchObject({
    value: "AGENTS.md",
    from: "manifest",
    shadowed: [{ from: "builtin" }, { value: "CLAUDE.md", from: "registry" }],
  });
  expect(await explained(it, "setting:worktrees.base_dir")).toMatchObject({
    value: ".worktrees",
    from: "builtin",
    shadowed: [],
  });
});

test("WS-70: without a block of its own a workspace takes its registry's agent_context", async () => {
  await using it = await composedApp({ capabilities });
  expect(await explained(it, "setting:agent_context.mirrors")).toMatchObject({
    value: ["AGENTS.md"],
    from: "registry",
    shadowed: [{ from: "builtin" }],
  });
});

test("WS-113: outside a workspace a setting is explained, and what only a workspace has is E_NO_WORKSPACE", async () => {
  await using it = await composedApp({ capabilities, compose: false });
  rmSync(join(it.root, "workspace.yml"));
  expect(await explained(it, "setting:git_base")).toMatchObject({
    from: "env",
    shadowed: [{ value: "https://github.com" }],
  });
  expect((await it.call("explain", { ref: "CLAUDE.md" })).error).toMatchObject({
    code: "E_NO_WORKSPACE",
    exit_code: 1,
  });
});

test("WS-93: explain changes nothing, neither in the workspace nor in the refs of the cache", async () => {
  await using it = await composedApp({ capabilities });
  const before = snapshot(it.root);
  await explained(it, "CLAUDE.md");
  await explained(it, "stack:core");
  expect(snapshot(it.root)).toEqual(before);
});

test("WS-134: for people, the first line names the winner and the next ones what it hides", async () => {
  await using it = await composedApp({ capabilities });
  writeFileSync(join(it.root, ".agents/rules/r1.md"), "MINE\n");
  const { data } = await it.call("explain", { ref: ".agents/rules/r1.md" });
  const plain = (text: string) => text;
  const style = { bold: plain, dim: plain, red: plain, green: plain, yellow: plain };
  const short = (commit: string) => commit.slice(0, 8);
  expect(
    explain
      .render?.(data as never, style)
      .split("\n")
      .slice(0, 3),
  ).toEqual([
    `edited    from acme  acme/agent-stack@${short(it.f.acme.tip())}  rules/r1.md  (workspace.yml:3)`,
    `over      core       t/core@${short(it.f.core.tip())}            rules/r1.md  (workspace.yml:3)`,
    "Rule: override (a later stack wins).",
  ]);
});

test("WS-56: a context file that is a link to another one is explained as linked", async () => {
  await using it = await composedApp({
    capabilities,
    prepare: (_f, root) => symlinkSync("CLAUDE.md", join(root, "AGENTS.md")),
  });
  expect(await explained(it, "AGENTS.md")).toMatchObject({ rule: "link", state: "linked", kind: "link" });
});

test("CT-12, WS-56: a file behind a link out of the workspace is refused, and nothing is said about it", async () => {
  await using it = await composedApp({ capabilities });
  mkdirSync(join(it.f.folder, "outside"));
  writeFileSync(join(it.f.folder, "outside", "secret"), "s\n");
  symlinkSync(join(it.f.folder, "outside"), join(it.root, "link"));
  for (const name of ["secret", "nosuch"]) {
    expect((await it.call("explain", { ref: `link/${name}` })).error).toMatchObject({
      code: "E_UNSAFE_LINK",
      details: { path: "link" },
    });
  }
});

test("WS-113: Writ's own state is no file to explain, and the lock follows from the manifest", async () => {
  await using it = await composedApp({ capabilities });
  expect((await it.call("explain", { ref: ".writ/workspace/applied.json" })).error).toMatchObject({
    code: "E_NOT_FOUND",
  });
  expect(await explained(it, "workspace.lock.yml")).toMatchObject({
    rule: "derived",
    derived_from: "workspace.yml",
  });
});

test("WS-134: for people, a stack, a repository, a setting and a commit are told in sentences", async () => {
  await using it = await composedApp({ capabilities });
  const tip = it.f.acme.tip();
  const plain = (text: string) => text;
  const style = { bold: plain, dim: plain, red: plain, green: plain, yellow: plain };
  const told = async (ref: string) => {
    const { data, error } = await it.call("explain", { ref });
    expect(error).toBeNull();
    return explain.render?.(data as never, style).split("\n") ?? [];
  };
  expect(await told("stack:acme")).toEqual([
    `acme   acme/agent-stack   main   ${tip.slice(0, 8)}   (workspace.yml:3)`,
    "Layer 2, counted from the lowest; 1 file composed here comes from it.",
    `The lock pins ${tip.slice(0, 8)}.`,
    "Next     writ sync --stack acme",
  ]);
  expect((await told("repo:api"))[1]).toBe("Declared by acme; it stands here.");
  expect(await told("setting:worktrees.base_dir")).toEqual([
    "worktrees.base_dir is .worktrees, which is built in.",
  ]);
  expect((await told(`commit:acme@${tip.slice(0, 12)}`)).slice(-2)[0]).toMatch(
    /^The lock pins it; \d+ files? here (?:was|were) composed from it\.$/,
  );
});

test("CT-34: a path is relative to the folder it is typed in, for every command that takes one", async () => {
  await using it = await composedApp({ capabilities: [explain, diff, listEvents] });
  const folder = join(it.root, ".agents", "rules");
  const typed = (capability: string, input: Record<string, unknown>) =>
    it.call(capability, input, { base: folder, where: { cwd: folder } });
  for (const [ref, path] of [
    ["r1.md", ".agents/rules/r1.md"],
    ["../../CLAUDE.md", "CLAUDE.md"],
    // A reference, and what Writ shows, mean the workspace's wherever they are pasted.
    ["file:CLAUDE.md", "CLAUDE.md"],
    [".agents/rules/r1.md", ".agents/rules/r1.md"],
  ] as const)
    expect((await typed("explain", { ref })).data).toMatchObject({ reference: `file:${path}`, path });
  expect((await typed("explain", { ref: "../../../x" })).error?.code).toBe("E_UNSAFE_PATH");

  expect((await typed("ledger.list", { subject: "../../CLAUDE.md" })).data.events).toHaveLength(1);
  writeFileSync(join(folder, "r1.md"), "mine\n");
  const local = await typed("workspace.diff", { local: true, paths: ["r1.md"] });
  expect(local.data.changes).toMatchObject([{ path: ".agents/rules/r1.md" }]);
  const taken = await typed("workspace.bootstrap", { theirs: ["r1.md"] });
  expect(taken.data.changes).toMatchObject([{ path: ".agents/rules/r1.md" }]);
});
