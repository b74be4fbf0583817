import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import doctor from "../../packages/writ/src/workspace/capabilities/doctor.ts";
import doctorFix from "../../packages/writ/src/workspace/capabilities/doctor-fix.ts";
import status from "../../packages/writ/src/workspace/capabilities/status.ts";
import ledgerList from "../../packages/writ/src/ledger/capabilities/list.ts";
import { snapshot, updateDuring } from "../support/workspace-runs.ts";
import { judgeNode } from "../../packages/writ/src/workspace/doctor/env.ts";
import { checkRows } from "../../packages/writ/src/workspace/doctor/checks.ts";
import type { Check, Envelope } from "../../packages/writ/src/contract/index.ts";
import { runGit } from "../fixtures/run-git.ts";
import { composedApp, type Composed, type ComposedOptions } from "./composed.ts";

const capabilities = [doctor, doctorFix, ledgerList];

function composed(options: Partial<ComposedOptions> = {}): Promise<Composed> {
  return composedApp({ capabilities, ...options });
}

function checksOf(answer: Envelope): Map<string, Check> {
  return new Map((answer.data.checks as Check[]).map((one) => [one.id, one]));
}

async function check(it: Composed, id: string): Promise<Check> {
  const answer = await it.call("workspace.doctor", { check: id });
  const found = checksOf(answer).get(id);
  if (!found) throw new Error(JSON.stringify(answer));
  return found;
}

async function fix(it: Composed, input: Record<string, unknown> = {}): Promise<Envelope> {
  return it.call("workspace.doctor.fix", input);
}

const table: Record<string, "fail" | "warn" | "info"> = {
  "env.node": "fail",
  "env.git": "fail",
  "env.gh": "warn",
  "env.ssh": "warn",
  "env.wsp": "info",
  "cache.writable": "fail",
  "cache.integrity": "warn",
  "cache.size": "info",
  "net.registry": "warn",
  "workspace.manifest": "fail",
  "workspace.lock": "fail",
  "workspace.lock_match": "warn",
  "workspace.state": "warn",
  "workspace.journal": "warn",
  "workspace.leftovers": "info",
  "workspace.links": "fail",
  "compose.drift": "warn",
  "compose.conflicts": "warn",
  "compose.metadata": "fail",
  "context.markers": "fail",
  "context.size": "warn",
  "context.notes": "warn",
  "skills.rules": "warn",
  "clients.duplicates": "info",
  "content.hidden_text": "warn",
  "repos.present": "warn",
  "repos.orphans": "warn",
  "repos.remote": "fail",
  "gitignore.block": "warn",
  "overlay.reachable": "warn",
  "worktrees.stale": "info",
  "vault.config": "warn",
  governance: "warn",
};

test("WS-113: the checks are those of the table, in its order and with its worst levels", () => {
  expect(Object.fromEntries(checkRows.map(({ id, worst }) => [id, worst]))).toEqual(table);
  expect(checkRows.map(({ id }) => id)).toEqual(Object.keys(table));
});

test("WC-H7, CT-27: a composed workspace has nothing that failed, and every check says what it found", async () => {
  await using it = await composed();
  const answer = await it.call("workspace.doctor");
  expect(answer.error).toBeNull();
  expect(answer.data.ok).toBe(true);
  (await doctor.output()).parse(answer.data);
  const checks = checksOf(answer);
  for (const id of Object.keys(table)) expect(checks.get(id)?.message).toBeTruthy();
  for (const id of [
    "env.node",
    "env.git",
    "cache.writable",
    "cache.integrity",
    "net.registry",
    "workspace.manifest",
  ]) {
    expect(checks.get(id)).toMatchObject({ id, status: "ok" });
  }
  for (const id of [
    "workspace.lock",
    "workspace.lock_match",
    "workspace.state",
    "workspace.journal",
    "workspace.leftovers",
  ]) {
    expect(checks.get(id)).toMatchObject({ id, status: "ok" });
  }
  for (const id of Object.keys(table).filter((one) =>
    /^(compose|context|skills|clients|content|repos)\./.test(one),
  )) {
    expect(checks.get(id)).toMatchObject({ id, status: "ok" });
  }
  for (const id of ["gitignore.block", "overlay.reachable", "vault.config", "governance"])
    expect(checks.get(id)).toMatchObject({ id, status: "skipped" });
  const count = (status: string) => [...checks.values()].filter((one) => one.status === status).length;
  expect(answer.data.summary).toMatchObject({
    ok: count("ok"),
    info: count("info"),
    warn: count("warn"),
    fail: 0,
    skipped: count("skipped"),
  });
});

test("WC-H7: without optional tools doctor warns or informs, and exits 0", async () => {
  await using it = await composed();
  const bin = join(it.f.folder, "bin");
  mkdirSync(bin);
  symlinkSync(runWhich("git"), join(bin, "git"));
  await using bare = await composed({ env: { PATH: bin }, compose: false });
  const answer = await bare.call("workspace.doctor", { offline: true });
  expect(answer.exit_code).toBe(0);
  const checks = checksOf(answer);
  for (const id of ["env.gh", "env.ssh"]) expect(["warn", "info"]).toContain(checks.get(id)?.status);
});

function runWhich(program: string): string {
  const folders = (process.env.PATH ?? "").split(":");
  const found = folders.map((folder) => join(folder, program)).find((path) => existsSync(path));
  if (!found) throw new Error(`no ${program}`);
  return found;
}

test("WC-H7: a stack that declares secrets needs the vault, and vault.config names the fault", async () => {
  const prepare: ComposedOptions["prepare"] = (f) =>
    void f.acme.commit({
      files: { "devvault.yml": "schema: devvault/1\nproduct: acme\nsecrets:\n  token: acme/token\n" },
    });
  await using it = await composed({ prepare });
  expect(await check(it, "vault.config")).toMatchObject({
    status: "warn",
    message: expect.stringContaining(".config.yml is missing"),
  });
  const vault = join(it.f.env.HOME ?? "", ".devvault");
  mkdirSync(vault, { recursive: true });
  writeFileSync(join(vault, ".config.yml"), "vault_path: [broken\n");
  expect(await check(it, "vault.config")).toMatchObject({
    status: "warn",
    message: expect.stringContaining("not a YAML mapping"),
  });
  writeFileSync(join(vault, ".config.yml"), `vault_path: ${join(vault, "nosuch")}\n`);
  const gone = await check(it, "vault.config");
  expect(gone).toMatchObject({ status: "warn", message: expect.stringContaining("no folder") });
  expect(JSON.stringify(gone)).not.toContain("nosuch");
  writeFileSync(join(vault, ".config.yml"), `vault_path: ${vault}\n`);
  expect(await check(it, "vault.config")).toMatchObject({ status: "ok" });
  expect((await it.call("workspace.doctor", { check: "vault.config" })).exit_code).toBe(0);
});

test("WC-C6: a changed or deleted copy under .stack/ fails and is named; an edited one is never overwritten", async () => {
  const prepare: ComposedOptions["prepare"] = (f) =>
    void f.acme.commit({
      files: {
        "deploy.yml": "# how we deploy\n\nschema: deploy/2\nproduct: acme\n",
        "awac.yml": "# the stack\n\nproduct: acme\nrepos:\n  - name: api\n",
        "README.md": "<!-- hidden -->\n# acme\n",
      },
    });
  await using it = await composed({ prepare });
  expect(await check(it, "compose.metadata")).toMatchObject({ status: "ok" });
  const copy = join(it.root, ".stack/acme/deploy.yml");
  const text = readFileSync(copy, "utf8");
  writeFileSync(copy, text.replace("how", "hew"));
  const answer = await it.call("workspace.doctor", { check: "compose.metadata" });
  expect(answer.error).toMatchObject({
    code: "E_DOCTOR_FAILED",
    exit_code: 2,
    details: { failed: ["compose.metadata"] },
  });
  expect(checksOf(answer).get("compose.metadata")).toMatchObject({
    status: "fail",
    message: expect.stringContaining(".stack/acme/deploy.yml"),
  });
  await it.call("workspace.bootstrap");
  expect(readFileSync(copy, "utf8")).toContain("hew");
  rmSync(copy);
  expect(await check(it, "compose.metadata")).toMatchObject({
    status: "fail",
    message: expect.stringContaining(".stack/acme/deploy.yml"),
  });
});

test("WC-C7: two stacks of one product are kept apart, and their metadata is right", async () => {
  await using it = await composed({
    manifest: "name: demo\nschema: awac/2\nstacks: [core, acme, acme/second-stack]\n",
    prepare: (f) => void f.host.repo("acme/second-stack", { files: { "awac.yml": "product: acme\n" } }),
  });
  expect(readdirSync(join(it.root, ".stack")).sort()).toEqual(["acme", "acme.second-stack", "t"]);
  expect(await check(it, "compose.metadata")).toMatchObject({ status: "ok" });
});

test("WS-77: damaged markers fail with the file, what is missing and where the other one stands", async () => {
  await using it = await composed();
  const file = join(it.root, "CLAUDE.md");
  const lines = readFileSync(file, "utf8").split("\n");
  const start = lines.findIndex((line) => line.includes("editable-start")) + 1;
  writeFileSync(file, lines.filter((line) => !line.includes("editable-end")).join("\n"));
  const answer = await it.call("workspace.doctor");
  expect(answer.error?.code).toBe("E_DOCTOR_FAILED");
  const checks = checksOf(answer);
  expect(checks.get("context.markers")?.status).toBe("fail");
  expect(checks.get("context.markers")?.message).toContain("CLAUDE.md: no editable-end");
  expect(checks.get("context.markers")?.message).toContain(`start at line ${start}`);
  expect(checks.get("compose.metadata")).toMatchObject({ status: "ok" });
  expect(checks.get("context.notes")).toMatchObject({ status: "skipped" });
});

test("WS-84: drift and conflicts are warnings that name their files and what settles them", async () => {
  await using it = await composed();
  const rule = join(it.root, ".agents/rules/r1.md");
  writeFileSync(rule, "MINE\n");
  expect(await check(it, "compose.drift")).toMatchObject({
    status: "warn",
    message: "edited: .agents/rules/r1.md",
    remediation: "writ diff --local --patch",
    fixable: false,
  });
  it.f.acme.commit({ files: { "rules/r1.md": "RB\n" } });
  await it.call("workspace.bootstrap", { update: true });
  expect(await check(it, "compose.conflicts")).toMatchObject({
    status: "warn",
    remediation:
      "writ diff .agents/rules/r1.md --patch, writ bootstrap --theirs .agents/rules/r1.md, writ bootstrap --ours .agents/rules/r1.md",
  });
});

test("WS-56: a link where Writ would write fails and is named", async () => {
  await using it = await composed();
  rmSync(join(it.root, ".agents/rules"), { recursive: true });
  mkdirSync(join(it.f.folder, "outside"));
  symlinkSync(join(it.f.folder, "outside"), join(it.root, ".agents/rules"));
  expect(await check(it, "workspace.links")).toMatchObject({
    status: "fail",
    message: expect.stringContaining(".agents/rules"),
  });
});

test("WS-56, CT-7: a link among Writ's own files is found, repaired by nobody, and declared by who refuses it", async () => {
  await using it = await composedApp({ capabilities: [...capabilities, status] });
  const outside = join(it.f.folder, "outside");
  mkdirSync(outside);
  const kept = join(it.root, ".writ/workspace/kept");
  rmSync(kept, { recursive: true, force: true });
  symlinkSync(outside, kept);
  rmSync(join(it.root, ".agents/rules/r1.md"));
  expect(await check(it, "workspace.links")).toMatchObject({
    status: "fail",
    remediation: expect.stringContaining("ls -ld .writ/workspace/kept"),
  });
  expect((await fix(it)).error?.code).toBe("E_DOCTOR_FAILED");
  rmSync(kept);
  symlinkSync(join(outside, "new"), join(it.root, ".writ/workspace/run.lock"));
  expect((await fix(it)).error?.code).toBe("E_UNSAFE_LINK");
  expect(existsSync(join(it.root, ".agents/rules/r1.md"))).toBe(false);
  expect(readdirSync(outside)).toEqual([]);
  rmSync(join(it.root, ".writ/workspace/run.lock"));
  rmSync(join(it.root, ".writ"), { recursive: true });
  symlinkSync(outside, join(it.root, ".writ"));
  expect((await it.call("workspace.status")).error?.code).toBe("E_UNSAFE_LINK");
  for (const { errors } of [doctorFix, status]) expect(errors).toContain("E_UNSAFE_LINK");
});

test("WS-98: what stands in the place of Writ's own folders and files fails and is named", async () => {
  for (const [place, kind] of [
    [".writ/workspace/run.lock", "folder"],
    [".writ/workspace", "file"],
    [".writ", "file"],
  ] as const) {
    await using it = await composed({ compose: false });
    const path = join(it.root, place);
    mkdirSync(join(path, ".."), { recursive: true });
    if (kind === "folder") mkdirSync(path);
    else writeFileSync(path, "");
    expect(await check(it, "workspace.links")).toMatchObject({
      status: "fail",
      message: expect.stringContaining(place),
      remediation: expect.stringContaining(`ls -ld ${place}`),
    });
    const refused = await it.call("workspace.bootstrap");
    expect(refused.error).toMatchObject({ code: "STORE_ERROR", details: { path: place } });
  }
});

test("WS-99, WS-103: an absent clone and an orphan warn, another repository at a declared path fails", async () => {
  await using it = await composed();
  rmSync(join(it.root, "api"), { recursive: true });
  expect(await check(it, "repos.present")).toMatchObject({ status: "warn", message: "not cloned: api" });
  runGit(it.root, ["init", "--quiet", "api"]);
  runGit(join(it.root, "api"), ["remote", "add", "origin", it.f.core.url]);
  const answer = await it.call("workspace.doctor", { check: "repos.remote" });
  expect(answer.error?.code).toBe("E_DOCTOR_FAILED");
  expect(checksOf(answer).get("repos.remote")?.message).toContain("api");
  writeFileSync(join(it.root, "workspace.yml"), "name: demo\nschema: awac/2\nstacks: [core]\n");
  expect(await check(it, "repos.orphans")).toMatchObject({
    status: "warn",
    message: expect.stringContaining("api"),
  });
});

test("WS-37: a manifest the lock does not answer is told, also for a stack that was never fetched", async () => {
  await using it = await composed();
  it.f.host.repo("other/new", { files: { "rules/n.md": "N\n" } });
  writeFileSync(
    join(it.root, "workspace.yml"),
    "name: demo\nschema: awac/2\nstacks: [core, acme, other/new]\n",
  );
  expect(await check(it, "workspace.lock_match")).toMatchObject({
    status: "warn",
    message: expect.stringContaining("stack other/new was added"),
  });
});

test("WS-7: a broken manifest or lock fails with its place, and the checks that need it are skipped", async () => {
  await using it = await composed();
  writeFileSync(join(it.root, "workspace.yml"), "name: demo\nstacks: core\n");
  const answer = await it.call("workspace.doctor", { offline: true });
  const checks = checksOf(answer);
  expect(checks.get("workspace.manifest")).toMatchObject({
    status: "fail",
    message: expect.stringContaining("workspace.yml:2"),
  });
  expect(checks.get("compose.drift")).toMatchObject({ status: "skipped" });
  writeFileSync(join(it.root, "workspace.yml"), "name: demo\nschema: awac/2\nstacks: [core, acme]\n");
  writeFileSync(join(it.root, "workspace.lock.yml"), "<<<<<<< ours\n");
  expect(await check(it, "workspace.lock")).toMatchObject({ status: "fail" });
});

test("CT-22: an unknown check is refused with the nearest, before anything is looked at", async () => {
  await using it = await composed({ compose: false });
  const answer = await it.call("workspace.doctor", { check: "compose.metdata" });
  expect(answer.error).toMatchObject({
    code: "USAGE_ERROR",
    exit_code: 1,
    details: { nearest: "compose.metadata" },
  });
  expect((await fix(it, { check: "nosuch" })).error?.code).toBe("USAGE_ERROR");
});

test("WS-113: outside a workspace doctor looks at the machine and skips what a workspace would have", async () => {
  await using it = await composed({ compose: false });
  rmSync(join(it.root, "workspace.yml"));
  const answer = await it.call("workspace.doctor");
  expect(answer.exit_code).toBe(0);
  const checks = checksOf(answer);
  expect(checks.get("env.git")).toMatchObject({ status: "ok" });
  expect(checks.get("net.registry")).toMatchObject({
    status: "ok",
    message: expect.stringContaining("t/core"),
  });
  expect(checks.get("compose.drift")).toMatchObject({ status: "skipped", message: "not in a workspace" });
  expect((await fix(it)).error?.code).toBe("E_NO_WORKSPACE");
});

test("WS-52: offline the registry is not asked; out of reach it is a warning", async () => {
  await using it = await composed();
  const back = it.f.core.moveAway();
  expect(
    checksOf(await it.call("workspace.doctor", { check: "net.registry", offline: true })).get("net.registry"),
  ).toMatchObject({ status: "skipped" });
  expect(await check(it, "net.registry")).toMatchObject({
    status: "warn",
    message: expect.stringContaining("t/core"),
  });
  back();
});

test("WS-113: doctor changes nothing in the workspace, whatever it finds", async () => {
  await using it = await composed();
  writeFileSync(join(it.root, ".agents/rules/r1.md"), "MINE\n");
  rmSync(join(it.root, ".agents/workflows/w1.md"));
  const before = snapshot(it.root);
  const answer = await it.call("workspace.doctor");
  expect(answer.data.next).toEqual(["writ doctor fix"]);
  expect(snapshot(it.root)).toEqual(before);
});

test("WS-113, CT-19, CT-20: doctor fix restores missing files, says so once, and touches no file of the user", async () => {
  await using it = await composed();
  const rule = join(it.root, ".agents/rules/r1.md");
  writeFileSync(rule, "MINE\n");
  writeFileSync(join(it.root, ".agents/rules/own.md"), "own\n");
  const gone = [
    ".agents/workflows/w1.md",
    ".agents/INDEX.md",
    ".stack/acme/awac.yml",
    "AGENTS.md",
    ".claude/skills/s1",
  ];
  const before = snapshot(it.root, { times: false });
  for (const path of gone) rmSync(join(it.root, path));
  const dry = await fix(it, { dry_run: true });
  expect(dry.data).toMatchObject({ changed: true, dry_run: true });
  expect(existsSync(join(it.root, "AGENTS.md"))).toBe(false);
  const fixed = await fix(it);
  expect(fixed.error).toBeNull();
  (await doctorFix.output()).parse(fixed.data);
  expect(fixed.data).toMatchObject({ changed: true, dry_run: false, summary: { fixed: 1 } });
  expect(checksOf(fixed).get("compose.drift")).toMatchObject({
    fixed: true,
    fixable: false,
    message: "edited: .agents/rules/r1.md",
  });
  const writ = (files: Record<string, string>) =>
    Object.fromEntries(Object.entries(files).filter(([path]) => !path.startsWith(".writ/")));
  expect(writ(snapshot(it.root, { times: false }))).toEqual(writ(before));
  expect((await fix(it)).data).toMatchObject({ changed: false, summary: { fixed: 0 } });
  const events = (await it.call("ledger.list")).data.events as { capability: string }[];
  expect(events.filter(({ capability }) => capability === "workspace.doctor.fix")).toHaveLength(1);
  expect((await it.call("workspace.bootstrap")).data.changed).toBe(false);
});

test("WS-113: doctor fix limited to one check repairs that one only", async () => {
  await using it = await composed();
  rmSync(join(it.root, ".agents/INDEX.md"));
  mkdirSync(join(it.root, ".writ/workspace/staging/act_dead"), { recursive: true });
  expect(await check(it, "workspace.leftovers")).toMatchObject({ status: "info", fixable: true });
  const answer = await fix(it, { check: "workspace.leftovers" });
  expect(answer.data).toMatchObject({ changed: true, summary: { fixed: 1 } });
  expect(existsSync(join(it.root, ".writ/workspace/staging/act_dead"))).toBe(false);
  expect(existsSync(join(it.root, ".agents/INDEX.md"))).toBe(false);
});

test("WS-91, WS-85: doctor fix rebuilds an unreadable record from disk and lock, keeping what differs", async () => {
  await using it = await composed();
  const applied = join(it.root, ".writ/workspace/applied.json");
  writeFileSync(join(it.root, ".agents/rules/r1.md"), "MINE\n");
  writeFileSync(applied, "{ broken");
  expect(await check(it, "workspace.state")).toMatchObject({ status: "warn", fixable: true });
  const answer = await fix(it, { check: "workspace.state" });
  expect(checksOf(answer).get("workspace.state")).toMatchObject({ status: "ok", fixed: true });
  expect(readFileSync(join(it.root, ".agents/rules/r1.md"), "utf8")).toBe("MINE\n");
  expect(
    readdirSync(join(it.root, ".writ/workspace")).some((name) => name.startsWith("applied.json.corrupt")),
  ).toBe(true);
  const record = JSON.parse(readFileSync(applied, "utf8")) as {
    files: { path: string }[];
    regions: { path: string }[];
  };
  expect(record.files.map(({ path }) => path)).toContain(".agents/workflows/w1.md");
  expect(record.files.map(({ path }) => path)).not.toContain(".agents/rules/r1.md");
  expect(record.regions.map(({ path }) => path)).toEqual(["AGENTS.md", "CLAUDE.md"]);
  expect((await it.call("workspace.bootstrap")).data).toMatchObject({
    conflicts: [{ path: ".agents/rules/r1.md", reason: "no_base" }],
  });
});

test("WS-110: doctor fix rewrites the block in .gitignore and keeps every other line", async () => {
  await using it = await composed({ prepare: (_f, root) => void runGit(root, ["init", "--quiet", "."]) });
  const file = join(it.root, ".gitignore");
  expect(await check(it, "gitignore.block")).toMatchObject({ status: "ok" });
  const right = readFileSync(file, "utf8");
  writeFileSync(file, `mine\n${right.replace("/.agents/\n", "")}also mine`);
  expect(await check(it, "gitignore.block")).toMatchObject({ status: "warn", fixable: true });
  expect(checksOf(await fix(it)).get("gitignore.block")).toMatchObject({ status: "ok", fixed: true });
  expect(readFileSync(file, "utf8")).toBe(`mine\n${right}also mine`);
});

test("WS-113, WS-46: a cached repository that cannot be opened is told, and doctor fix drops it", async () => {
  await using it = await composed();
  const git = join(it.f.folder, "cache/git");
  const broken = readdirSync(git, { recursive: true, encoding: "utf8" }).find((path) =>
    path.endsWith(".git"),
  );
  rmSync(join(git, broken ?? "", "objects"), { recursive: true });
  expect(await check(it, "cache.integrity")).toMatchObject({ status: "warn", fixable: true });
  const answer = await fix(it, { check: "cache.integrity" });
  expect(checksOf(answer).get("cache.integrity")).toMatchObject({ status: "ok", fixed: true });
  expect(existsSync(join(git, broken ?? ""))).toBe(false);
});

test("WS-45: a cache folder that is not there is no fault, and doctor fix makes it", async () => {
  await using it = await composed({ compose: false });
  expect(await check(it, "cache.writable")).toMatchObject({ status: "info", fixable: true });
  expect(checksOf(await fix(it, { check: "cache.writable" })).get("cache.writable")).toMatchObject({
    status: "ok",
    fixed: true,
  });
});

test("WS-94: an interrupted run is only reported by doctor, and completed by doctor fix, with its event", async () => {
  await using it = await composed();
  it.f.acme.commit({ files: { "rules/r1.md": "RB\n" } });
  await interrupt(it);
  const before = snapshot(it.root);
  expect(await check(it, "workspace.journal")).toMatchObject({ status: "warn", fixable: true });
  expect(snapshot(it.root)).toEqual(before);
  const answer = await fix(it, { check: "workspace.journal" });
  expect(checksOf(answer).get("workspace.journal")).toMatchObject({ status: "ok", fixed: true });
  expect(readFileSync(join(it.root, ".agents/rules/r1.md"), "utf8")).toBe("RB\n");
  expect(existsSync(join(it.root, ".writ/workspace/journal.json"))).toBe(false);
  const events = (await it.call("ledger.list")).data.events as { capability: string }[];
  expect(events.map(({ capability }) => capability).sort()).toEqual([
    "workspace.bootstrap",
    "workspace.bootstrap",
    "workspace.doctor.fix",
  ]);
});

/** Stops an update at its commit point: the journal is written and nothing is swapped. */
async function interrupt(it: Composed): Promise<void> {
  const stop = (name: string) => {
    if (name === "g") throw new Error("the process would have died here");
  };
  await expect(updateDuring(it.f, it.root, stop)).rejects.toThrow(/would have died|INTERNAL_ERROR/);
}

test("WS-134: for people, a line a check with what helps, and a count", async () => {
  await using it = await composed();
  writeFileSync(join(it.root, ".agents/rules/r1.md"), "MINE\n");
  const { data } = await it.call("workspace.doctor", { check: "compose.drift" });
  const plain = (text: string) => text;
  const style = { bold: plain, dim: plain, red: plain, green: plain, yellow: plain };
  expect(doctor.render?.(data as never, style).split("\n")).toEqual([
    "warn  compose.drift  edited: .agents/rules/r1.md   writ diff --local --patch",
    "1 warning, 0 ok",
  ]);
});

test("WS-66, WS-67: skills against the standard and hidden characters are warnings that name them", async () => {
  const prepare: ComposedOptions["prepare"] = (f) =>
    void f.acme.commit({
      files: {
        "skills/bad_name/SKILL.md": "---\nname: other\n---\nx\n",
        "rules/hidden.md": "safe\u202Etext\n",
      },
    });
  await using it = await composed({ prepare });
  expect(await check(it, "skills.rules")).toMatchObject({
    status: "warn",
    message: expect.stringContaining("bad_name (SK"),
  });
  expect(await check(it, "content.hidden_text")).toMatchObject({
    status: "warn",
    message: expect.stringMatching(/\.agents\/rules\/hidden\.md.*U\+202E/),
  });
});

test("WS-75, WS-80: a context file that is too large and notes that have not spread are warnings", async () => {
  await using it = await composed();
  const file = join(it.root, "AGENTS.md");
  const note = (text: string) =>
    writeFileSync(file, readFileSync(file, "utf8").replace(/(editable-start -->\n)/, `$1${text}`));
  note("a note\n");
  expect(await check(it, "context.notes")).toMatchObject({
    status: "warn",
    message: expect.stringContaining("AGENTS.md"),
  });
  note("x".repeat(40_000));
  expect(await check(it, "context.size")).toMatchObject({
    status: "warn",
    message: expect.stringContaining("will be cut by Codex"),
  });
});

test("WS-71: a client that would read one thing twice is told, where it is declared", async () => {
  await using it = await composed({
    manifest:
      "name: demo\nschema: writ/1\nstacks: [core, acme]\nagent_context:\n  clients: [copilot, codex]\n",
  });
  expect(await check(it, "clients.duplicates")).toMatchObject({
    status: "info",
    message: expect.stringContaining(
      "GitHub Copilot reads the same instructions from AGENTS.md and CLAUDE.md",
    ),
  });
});

test("WS-104: an overlay is reached in the cache, or told to be out of reach", async () => {
  await using it = await composed({
    manifest: "name: demo\nschema: awac/2\nstacks: [core]\nprivate_overlay:\n  org: me\n  repo: mine\n",
    prepare: (f) => void f.host.repo("me/mine", { files: { "rules/r1.md": "MINE\n" } }),
  });
  expect(await check(it, "overlay.reachable")).toMatchObject({ status: "ok" });
  writeFileSync(
    join(it.root, "workspace.yml"),
    "name: demo\nschema: awac/2\nstacks: [core]\nprivate_overlay:\n  org: me\n  repo: gone\n",
  );
  expect(await check(it, "overlay.reachable")).toMatchObject({ status: "warn" });
});

test("WS-110: a generated file that git tracks is told, and nothing is done about it", async () => {
  await using it = await composed({ prepare: (_f, root) => void runGit(root, ["init", "--quiet", "."]) });
  runGit(it.root, ["add", "--force", ".agents/INDEX.md"]);
  expect(await check(it, "gitignore.block")).toMatchObject({
    status: "warn",
    fixable: false,
    remediation: expect.stringContaining("git rm -r --cached"),
  });
});

test("WS-105: the record of a worktree whose folder is gone is told, and doctor fix removes it and no other", async () => {
  await using it = await composed();
  const api = join(it.root, "api");
  const [ours, theirs] = [join(it.root, ".worktrees/a/api"), join(it.f.folder, "elsewhere")];
  for (const [branch, folder] of [
    ["a", ours],
    ["b", theirs],
  ] as const) {
    runGit(api, ["worktree", "add", "--quiet", "-b", branch, folder]);
    rmSync(folder, { recursive: true });
  }
  expect(await check(it, "worktrees.stale")).toMatchObject({
    status: "info",
    fixable: true,
    message: expect.stringContaining("a/api"),
  });
  expect(checksOf(await fix(it, { check: "worktrees.stale" })).get("worktrees.stale")).toMatchObject({
    status: "ok",
    fixed: true,
  });
  const left = runGit(api, ["worktree", "list", "--porcelain"]);
  expect(left).not.toContain(ours);
  expect(left).toContain(theirs);
  expect(runGit(api, ["branch", "--list", "a"])).toContain("a");
});

test("WS-113: variables of wsp and an old Node are told", async () => {
  await using it = await composed({ compose: false, env: { WSP_CACHE_DIR: "/somewhere" } });
  expect(await check(it, "env.wsp")).toMatchObject({
    status: "info",
    message: expect.stringContaining("WSP_CACHE_DIR"),
  });
  expect(judgeNode("22.17.0")).toMatchObject({ status: "fail" });
  expect(judgeNode("20.19.0")).toMatchObject({ status: "fail" });
  expect([judgeNode("22.18.0"), judgeNode("24.0.0")]).toMatchObject([{ status: "ok" }, { status: "ok" }]);
});

test("WS-130: the cache's size is told, and what was not used for long", async () => {
  let now = Date.now();
  await using it = await composed({ now: () => now });
  expect(await check(it, "cache.size")).toMatchObject({
    status: "ok",
    message: expect.stringContaining("3 repositories"),
  });
  now += 100 * 24 * 3_600_000;
  expect(await check(it, "cache.size")).toMatchObject({
    status: "info",
    message: expect.stringContaining("3 unused for 90 days"),
  });
});
