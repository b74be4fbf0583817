import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readFrontMatter } from "../../packages/writ/src/workspace/compose/front-matter.ts";
import { skillProblems } from "../../packages/writ/src/workspace/compose/skills.ts";
import { testApp } from "../support/test-app.ts";

const file = ".agents/skills/writ/SKILL.md";
const shipped = join(import.meta.dirname, "../../packages/writ/skills/writ/SKILL.md");

test("WS-66, WS-128: the skill that ships keeps the Agent Skills standard", () => {
  const bytes = readFileSync(shipped);
  const matter = readFrontMatter(bytes);
  expect(skillProblems("writ", matter, bytes.subarray(matter.bodyStart).toString("utf8"))).toEqual([]);
});

test("WS-128: all shipped skills are copied, and again changes nothing", async () => {
  await using it = testApp({ manifest: null });
  const first = await it.call("skill.add");
  expect(first.data).toMatchObject({
    changed: true,
    installed: [{ name: "writ", path: ".agents/skills/writ", action: "created" }],
  });
  expect(readFileSync(join(it.root, file))).toEqual(readFileSync(shipped));
  const again = await it.call("skill.add", { name: ["writ"] });
  expect(again.data).toMatchObject({ changed: false, installed: [{ action: "unchanged" }] });
  expect(first.data).not.toHaveProperty("workspace");
});

test("WS-128: an edited copy is refused, and with --force kept beside the new one", async () => {
  await using it = testApp({ manifest: null });
  await it.call("skill.add");
  writeFileSync(join(it.root, file), "mine");
  const refused = await it.call("skill.add");
  expect(refused.error).toMatchObject({
    code: "E_EXISTS",
    remediation: expect.stringContaining("writ skill add writ --force"),
  });
  expect(readFileSync(join(it.root, file), "utf8")).toBe("mine");
  const dry = await it.call("skill.add", { force: true }, { dryRun: true });
  expect(dry.data).toMatchObject({ changed: true, dry_run: true, installed: [{ action: "replaced" }] });
  expect(readFileSync(join(it.root, file), "utf8")).toBe("mine");
  const forced = await it.call("skill.add", { force: true });
  expect(forced.data.installed).toEqual([
    { name: "writ", path: ".agents/skills/writ", action: "replaced", backup: ".agents/skills/writ.bak-1" },
  ]);
  expect(readFileSync(join(it.root, ".agents/skills/writ.bak-1/SKILL.md"), "utf8")).toBe("mine");
  expect(readFileSync(join(it.root, file))).toEqual(readFileSync(shipped));
});

test("WS-128: a client's own folder is used, in the project or for the user", async () => {
  await using it = testApp({ manifest: null });
  const project = await it.call("skill.add", { provider: "claude-code", target: "sub" });
  expect(project.data.installed).toMatchObject([{ path: ".claude/skills/writ" }]);
  expect(existsSync(join(it.root, "sub/.claude/skills/writ/SKILL.md"))).toBe(true);
  const user = await it.call("skill.add", { provider: "claude-code", scope: "user" });
  expect(user.data.installed).toMatchObject([{ path: "~/.claude/skills/writ" }]);
  expect(existsSync(join(it.home, ".claude/skills/writ/SKILL.md"))).toBe(true);
  expect((await it.call("skill.add", { provider: "cursor", scope: "user" })).error).toMatchObject({
    code: "E_INVALID_VALUE",
  });
  expect((await it.call("skill.add", { scope: "user", target: "x" })).error).toMatchObject({
    code: "E_CONFLICTING_INPUT",
  });
});

test("WS-111, WS-128: an unknown client and an unknown skill name what there is", async () => {
  await using it = testApp({ manifest: null });
  expect((await it.call("skill.add", { provider: "claude" })).error).toMatchObject({
    code: "E_UNKNOWN_CLIENT",
    exit_code: 1,
  });
  expect((await it.call("skill.add", { name: ["wrt"] })).error).toMatchObject({
    code: "E_NOT_FOUND",
    details: { nearest: "writ" },
  });
});

test("WS-56, WS-128: nothing is installed through a link", async () => {
  await using it = testApp({ manifest: null });
  const outside = join(it.home, "outside");
  mkdirSync(outside);
  symlinkSync(outside, join(it.root, ".agents"));
  expect((await it.call("skill.add")).error).toMatchObject({ code: "E_UNSAFE_LINK" });
  expect(existsSync(join(outside, "skills"))).toBe(false);
});

test("WS-128: an installed skill is the user's, and composing leaves it alone", async () => {
  await using it = testApp({ manifest: null, env: { WRIT_OFFLINE: "1" } });
  await it.call("workspace.init", { name: "demo", template: "writ/example" });
  const root = join(it.root, "demo");
  await it.call("skill.add", {}, { base: root });
  const composed = await it.call("workspace.bootstrap", {}, { where: { flag: root } });
  expect(composed.error).toBeNull();
  expect(readFileSync(join(root, file))).toEqual(readFileSync(shipped));
  await it.call("workspace.sync", {}, { where: { flag: root } });
  expect(existsSync(join(root, file))).toBe(true);
});

test("WS-71, WS-128: providers are the client table", async () => {
  await using it = testApp({ manifest: null });
  const { data } = await it.call("skill.providers");
  const rows = data.providers as Record<string, unknown>[];
  expect(rows.map(({ id }) => id)).toEqual(
    expect.arrayContaining(["claude-code", "codex", "cursor", "gemini-cli", "copilot"]),
  );
  expect(rows.find(({ id }) => id === "claude-code")).toMatchObject({
    instruction_files: ["CLAUDE.md", ".claude/CLAUDE.md"],
    rules_dir: ".claude/rules",
    skills_dir: ".claude/skills",
    user_skills_dir: "~/.claude/skills",
  });
});
