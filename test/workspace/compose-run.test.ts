import { existsSync, mkdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeFixtureF, makeWorkspaceW, type FixtureF } from "../fixtures/fixture-f.ts";
import { runGit } from "../fixtures/run-git.ts";
import { tempFolder } from "../fixtures/temp-folder.ts";
import { bootstrap, snapshot, sync } from "../support/workspace-runs.ts";

const git = (folder: string, ...args: string[]) => runGit(folder, args);

function workspace(f: FixtureF, text: string, name = "c"): { root: string; read: (path: string) => string } {
  const root = join(f.folder, name);
  mkdirSync(root, { recursive: true });
  writeFileSync(join(root, "workspace.yml"), text);
  return { root, read: (path) => readFileSync(join(root, path), "utf8") };
}

describe("sources", () => {
  test("WC-C10, WS-30: branch, tag and commit are composed and locked as asked", async () => {
    using temp = tempFolder();
    const f = makeFixtureF(temp.path);
    const first = f.acme.tip();
    f.acme.tag("v1", { message: "one" });
    f.acme.commit({ files: { "rules/r1.md": "MAIN\n" } });
    f.acme.branch("dev", first);
    f.acme.commit({ branch: "dev", files: { "rules/r1.md": "DEV\n" } });
    const cases: [string, string, string, string][] = [
      ["awac/2", "{ref: acme/agent-stack, branch: dev}", "DEV\n", "want: branch:dev"],
      ["writ/1", "acme/agent-stack@v1", "RA\n", "want: ref:v1"],
      ["writ/1", `acme/agent-stack@${first}`, "RA\n", `want: commit:${first}`],
    ];
    for (const [at, [schema, entry, text, want]] of cases.entries()) {
      const { root, read } = workspace(
        f,
        `name: demo\nschema: ${schema}\nstacks: [${JSON.stringify(entry).startsWith('"{') ? entry : JSON.stringify(entry)}]\n`,
        `w${at}`,
      );
      await bootstrap(f, root);
      expect(read(".agents/rules/r1.md")).toBe(text);
      expect(read("workspace.lock.yml").replaceAll('"', "")).toContain(want);
    }
    const { root } = workspace(f, "name: demo\nschema: awac/2\nstacks: [acme/agent-stack@v1]\n", "old");
    await expect(bootstrap(f, root)).rejects.toMatchObject({ code: "E_SCHEMA_TOO_OLD" });
  });

  test("WS-34: a local stack is read at its HEAD, a plain folder as it is", async () => {
    using temp = tempFolder();
    const f = makeFixtureF(temp.path);
    const local = join(temp.path, "mine");
    git(temp.path, "clone", "--quiet", f.acme.folder, local);
    writeFileSync(join(local, "rules/r1.md"), "UNCOMMITTED\n");
    const plain = join(temp.path, "plain");
    mkdirSync(join(plain, "rules"), { recursive: true });
    writeFileSync(join(plain, "rules/p.md"), "P\n");
    const { root, read } = workspace(
      f,
      "name: demo\nschema: writ/1\nstacks: [{path: ../mine, capabilities_only: true}, {path: ../plain}]\n",
    );
    const { data, warned } = await bootstrap(f, root);
    expect(read(".agents/rules/r1.md")).toBe("RA\n");
    expect(read(".agents/rules/p.md")).toBe("P\n");
    expect(warned).toContain("W_LOCAL_DIRTY");
    expect(data.stacks.map(({ source, commit }) => [source, commit])).toEqual([
      ["path", f.acme.tip()],
      ["path", null],
    ]);
    writeFileSync(join(plain, "rules/p.md"), "P2\n");
    await bootstrap(f, root);
    expect(read(".agents/rules/p.md")).toBe("P2\n");
  });
});

describe("composition", () => {
  test("WC-C5, WC-C7: no metadata without a product, and two of one product are kept apart", async () => {
    using temp = tempFolder();
    const f = makeFixtureF(temp.path);
    f.host.repo("n/agent-stack", { files: { "README.md": "n\n", "rules/n.md": "n\n" } });
    f.host.repo("o/other-stack", { files: { "awac.yml": "product: acme\n" } });
    const { root } = workspace(
      f,
      "name: demo\nschema: awac/2\nstacks: [n/agent-stack, acme/agent-stack, o/other-stack]\n",
    );
    const { data } = await bootstrap(f, root);
    expect(data.stack_metadata.some(({ source_repo }) => source_repo === "n/agent-stack")).toBe(false);
    expect(existsSync(join(root, ".stack/acme/awac.yml"))).toBe(true);
    expect(existsSync(join(root, ".stack/acme.other-stack/awac.yml"))).toBe(true);
  });

  test("WC-C6: an edited copy of metadata is not overwritten", async () => {
    using temp = tempFolder();
    const f = makeFixtureF(temp.path);
    const root = makeWorkspaceW(f);
    await bootstrap(f, root);
    writeFileSync(join(root, ".stack/acme/deploy.yml"), "mine\n");
    const { data } = await bootstrap(f, root);
    expect(data.edited).toEqual([".stack/acme/deploy.yml"]);
    expect(readFileSync(join(root, ".stack/acme/deploy.yml"), "utf8")).toBe("mine\n");
  });

  test("WC-C12: canonical, mirrors and extras hold the notes; an extra without header has no markers", async () => {
    using temp = tempFolder();
    const f = makeFixtureF(temp.path);
    const context =
      "agent_context:\n  canonical: AGENTS.md\n  mirrors: [CLAUDE.md, GEMINI.md]\n  extras:\n" +
      "    - {path: .cursorrules, header: false}\n    - {path: .github/copilot-instructions.md, header: true}\n";
    const { root, read } = workspace(f, `name: demo\nschema: awac/2\nstacks: [core]\n${context}`);
    await bootstrap(f, root);
    const start = "<!-- @awac:editable-start -->\n";
    writeFileSync(join(root, "AGENTS.md"), read("AGENTS.md").replace(start, `${start}remember\n`));
    await bootstrap(f, root);
    for (const file of [
      "AGENTS.md",
      "CLAUDE.md",
      "GEMINI.md",
      ".cursorrules",
      ".github/copilot-instructions.md",
    ]) {
      expect(`${file}: ${read(file)}`).toContain("remember\n");
    }
    expect(read(".cursorrules")).not.toContain("<!--");
    expect((await bootstrap(f, root)).data.changed).toBe(false);
  });

  test("WC-C14, WC-C15: 400 rules shorten the index in whole lines; a skill is linked, never renamed", async () => {
    using temp = tempFolder();
    const f = makeFixtureF(temp.path);
    const rules = Array.from({ length: 400 }, (_, at) => [
      `rules/rule-number-${at}.md`,
      `---\ndescription: ${"word ".repeat(20)}\n---\nx\n`,
    ]);
    f.host.repo("many/agent-stack", {
      files: {
        ...Object.fromEntries(rules),
        "skills/bad_name/SKILL.md": "---\nname: bad_name\ndescription: d\n---\n",
      },
    });
    const { root, read } = workspace(f, "name: demo\nschema: awac/2\nstacks: [many/agent-stack]\n");
    const { data, warned } = await bootstrap(f, root);
    expect(warned).toEqual(expect.arrayContaining(["W_INDEX_SHORTENED", "W_SKILL_RULES"]));
    expect(read("CLAUDE.md").length).toBeLessThan(32 * 1024);
    expect(read(".agents/INDEX.md")).toContain("rule-number-399");
    expect(readlinkSync(join(root, ".claude/skills/bad_name"))).toBe("../../.agents/skills/bad_name");
    expect(read(".claude/skills/bad_name/SKILL.md")).toContain("bad_name");
    expect(data.skills.map(({ name }) => name)).toEqual(["bad_name"]);
  });

  test("WS-83: native rule files follow their rules, and go with them", async () => {
    using temp = tempFolder();
    const f = makeFixtureF(temp.path);
    const { root, read } = workspace(
      f,
      "name: demo\nschema: writ/1\nstacks: [core, acme]\nagent_context: {clients: [claude-code, cursor]}\nextra_repos: []\n",
    );
    writeFileSync(
      join(root, "workspace.yml"),
      read("workspace.yml").replace(
        "clients: [claude-code, cursor]",
        "clients: [claude-code], extras: [{format: cursor-rules-dir, path: .cursor/rules}]",
      ),
    );
    const { data } = await bootstrap(f, root);
    expect(data.agent_files.extras).toEqual([".cursor/rules", ".claude/rules"]);
    expect(read(".cursor/rules/r1.mdc")).toContain("alwaysApply: true");
    f.acme.commit({ remove: ["rules/r1.md"] });
    f.core.commit({ remove: ["rules/r1.md"] });
    await sync(f, root);
    expect(existsSync(join(root, ".cursor"))).toBe(false);
  });
});

describe("the private overlay", () => {
  const text =
    "name: demo\nschema: awac/2\nstacks: [core, acme]\nprivate_overlay: {org: me, repo: private, path_in_repo: mine}\n";

  test("WC-C13, WS-104: it wins every path, and nothing of it enters what is shared", async () => {
    using temp = tempFolder();
    const f = makeFixtureF(temp.path);
    f.host.repo("me/private", {
      files: { "mine/rules/r1.md": "MINE\n", "mine/rules/secret-plan.md": "S\n", "rules/other.md": "no" },
    });
    const { root, read } = workspace(f, text);
    git(root, "init", "--quiet");
    const { data, ctx } = await bootstrap(f, root);
    expect(read(".agents/rules/r1.md")).toBe("MINE\n");
    expect(data.collisions).toEqual([
      { file: ".agents/rules/r1.md", winner: "overlay", losers: ["acme", "core"] },
    ]);
    expect(data.overlay).toMatchObject({ repo: "me/private", files: 2 });
    expect(read(".agents/PRIVATE.md")).toContain("secret-plan");
    const shared = ["workspace.lock.yml", ".gitignore", "CLAUDE.md", "AGENTS.md", ".agents/INDEX.md"];
    for (const file of shared)
      expect(`${file}: ${read(file)}`).not.toMatch(/secret-plan|me\/private|overlay/);
    expect(JSON.stringify(ctx.ledger.events())).not.toMatch(/secret-plan|me\/private/);
    expect(git(root, "status", "--porcelain", "--ignored", ".agents")).toBe("!! .agents/");
    expect(existsSync(join(root, ".agents/rules/other.md"))).toBe(false);
    expect((await bootstrap(f, root)).data.changed).toBe(false);
  });

  test("WS-104: out of reach, what came from it stays and everything else goes on", async () => {
    using temp = tempFolder();
    const f = makeFixtureF(temp.path);
    const overlay = f.host.repo("me/private", { files: { "mine/rules/r1.md": "MINE\n" } });
    const { root, read } = workspace(f, text);
    await bootstrap(f, root);
    overlay.moveAway();
    rmSync(f.env["WRIT_CACHE_DIR"] ?? "", { recursive: true });
    f.acme.commit({ files: { "rules/r1.md": "RB\n", "rules/new.md": "N\n" } });
    const { warned } = await sync(f, root);
    expect(warned).toContain("W_OVERLAY_UNAVAILABLE");
    expect(read(".agents/rules/r1.md")).toBe("MINE\n");
    expect(read(".agents/rules/new.md")).toBe("N\n");
    expect(existsSync(join(root, ".agents/PRIVATE.md"))).toBe(true);
  });
});

describe("git around the workspace", () => {
  test("WS-110: the block lists what is generated, and text outside it stays byte for byte", async () => {
    using temp = tempFolder();
    const f = makeFixtureF(temp.path);
    const root = makeWorkspaceW(f);
    git(root, "init", "--quiet");
    writeFileSync(join(root, ".gitignore"), "node_modules\r\nlast line without end");
    await bootstrap(f, root);
    const ignore = readFileSync(join(root, ".gitignore"), "utf8");
    expect(ignore.startsWith("node_modules\r\nlast line without end")).toBe(true);
    for (const line of ["/.agents/", "/api/", "/.worktrees/", "/CLAUDE.md", "/.claude/skills/s1"])
      expect(ignore).toContain(`${line}\r\n`);
    expect(git(root, "status", "--porcelain").split("\n").sort()).toEqual([
      "?? .gitignore",
      "?? workspace.lock.yml",
      "?? workspace.yml",
    ]);
    expect((await bootstrap(f, root)).data.changed).toBe(false);
  });

  test("WS-108, WS-109: an enabled workspace repository gets one commit of exactly three files", async () => {
    using temp = tempFolder();
    const f = makeFixtureF(temp.path);
    const { root } = workspace(
      f,
      "name: demo\nschema: awac/2\nstacks: [core, acme]\nworkspace_repo: {enabled: true}\n",
    );
    const env = {
      ...f.env,
      GIT_AUTHOR_NAME: "Ana",
      GIT_AUTHOR_EMAIL: "a@example.org",
      GIT_COMMITTER_NAME: "Ana",
      GIT_COMMITTER_EMAIL: "a@example.org",
    };
    const { data } = await bootstrap({ env }, root);
    expect(git(root, "ls-tree", "-r", "--name-only", "HEAD").split("\n")).toEqual([
      ".gitignore",
      "workspace.lock.yml",
      "workspace.yml",
    ]);
    expect(data.workspace_repo).toMatchObject({
      initialised: true,
      commit: git(root, "rev-parse", "HEAD"),
      org: "acme",
      name: "workspace-demo",
    });
    expect(data.workspace_repo?.commands[0]).toBe(
      "gh repo create acme/workspace-demo --private --source . --remote origin",
    );
    writeFileSync(join(root, "notes.txt"), "mine");
    git(root, "add", "notes.txt");
    f.acme.commit({ files: { "rules/r1.md": "RB\n" } });
    await sync({ env }, root);
    expect(git(root, "show", "--name-only", "--format=", "HEAD")).toBe("workspace.lock.yml");
    expect(git(root, "diff", "--cached", "--name-only")).toBe("notes.txt");
  });

  test("WS-108: without an identity nothing is committed, and that is told", async () => {
    using temp = tempFolder();
    const f = makeFixtureF(temp.path);
    const { root } = workspace(
      f,
      "name: demo\nschema: awac/2\nstacks: [core]\nworkspace_repo: {enabled: true}\n",
    );
    const { warned, data } = await bootstrap(f, root);
    expect(warned).toContain("W_NOT_COMMITTED");
    expect(data.workspace_repo?.commit).toBeNull();
  });
});

describe("two runs", () => {
  test("WS-47, WS-92 step 1: eight at once in one folder end well, and the tree is that of one", async () => {
    using temp = tempFolder();
    const f = makeFixtureF(temp.path);
    const [one, many] = [makeWorkspaceW(f, "one"), makeWorkspaceW(f, "many")];
    const tree = (root: string) =>
      Object.fromEntries(
        Object.entries(snapshot(root, { times: false })).filter(
          ([path]) => !path.startsWith(".writ/") && !path.includes("/.git/"),
        ),
      );
    await bootstrap(f, one);
    const runs = await Promise.all(Array.from({ length: 8 }, () => bootstrap(f, many)));
    expect(runs.filter(({ data }) => data.changed)).toHaveLength(1);
    expect(tree(many)).toEqual(tree(one));
  });
});
