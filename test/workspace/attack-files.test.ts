import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeFixtureF, makeWorkspaceW, type FixtureF } from "../fixtures/fixture-f.ts";
import { tempFolder } from "../fixtures/temp-folder.ts";
import { bootstrap, contextFor, snapshot } from "../support/workspace-runs.ts";
import { workspaceChecks } from "../../packages/writ/src/workspace/doctor/checks.ts";
import statusCapability from "../../packages/writ/src/workspace/capabilities/status.ts";

const huge = 5 * 2 ** 30;

async function composed(folder: string): Promise<{ f: FixtureF; root: string }> {
  const f = makeFixtureF(folder);
  const root = makeWorkspaceW(f);
  await bootstrap(f, root);
  return { f, root };
}

async function statusOf(f: FixtureF, root: string) {
  const ctx = contextFor(f, root);
  return (await statusCapability.output()).parse(
    await statusCapability.run(ctx, (await statusCapability.input()).parse({})),
  );
}

function checksOf(f: FixtureF, root: string) {
  return workspaceChecks.run(contextFor(f, root), { fix: false, offline: true });
}

/** What the user sees of a workspace, without Writ's own state. */
function visible(root: string): Record<string, string> {
  return Object.fromEntries(Object.entries(snapshot(root)).filter(([path]) => !path.startsWith(".writ/")));
}

describe("a file of 5 GB", () => {
  test("WS-60, WS-98: at a composed path it is an edit like any other, and never held in memory", async () => {
    using temp = tempFolder();
    const { f, root } = await composed(temp.path);
    // All holes: it takes no room on the disk.
    truncateSync(join(root, ".agents/rules/r1.md"), 64 * 2 ** 20);
    const { data } = await bootstrap(f, root);
    expect(data.edited).toEqual([".agents/rules/r1.md"]);
    expect(process.memoryUsage().arrayBuffers).toBeLessThan(64 * 2 ** 20);
    await bootstrap(f, root, { theirs: [".agents/rules/r1.md"] });
    expect(readFileSync(join(root, ".agents/rules/r1.md"), "utf8")).toBe("RA\n");
  });

  test("WS-96: undo brings back what is too large to be held", async () => {
    using temp = tempFolder();
    const { f, root } = await composed(temp.path);
    truncateSync(join(root, ".agents/rules/r1.md"), 64 * 2 ** 20);
    await bootstrap(f, root, { theirs: [".agents/rules/r1.md"] });
    await bootstrap(f, root, { undo: true });
    expect(readFileSync(join(root, ".agents/rules/r1.md")).length).toBe(64 * 2 ** 20);
  });

  test.for(["CLAUDE.md", ".gitignore"])("WS-59: as %s it is E_LIMIT, and stays as it is", async (file) => {
    using temp = tempFolder();
    const { f, root } = await composed(temp.path);
    mkdirSync(join(root, ".git"));
    writeFileSync(join(root, ".git/HEAD"), "ref: refs/heads/main\n");
    writeFileSync(join(root, file), "", { flag: "a" });
    truncateSync(join(root, file), 16 * 2 ** 20);
    await expect(bootstrap(f, root)).rejects.toMatchObject({ code: "E_LIMIT" });
    expect(readFileSync(join(root, file)).length).toBe(16 * 2 ** 20);
  });

  test("WS-91: as the record of the last composition it counts as corrupt", async () => {
    using temp = tempFolder();
    const { f, root } = await composed(temp.path);
    truncateSync(join(root, ".writ/workspace/applied.json"), huge);
    const { warned } = await bootstrap(f, root);
    expect(warned).toContain("W_STATE_REBUILT");
    expect((await bootstrap(f, root)).data.changed).toBe(false);
  });
});

describe("what stands in place of a file", () => {
  test.for(["folder", "loop", "pipe"])(
    "WS-56: a context file that is a link to a %s leaves doctor and status at work",
    async (kind) => {
      using temp = tempFolder();
      const { f, root } = await composed(temp.path);
      const at = join(root, "CLAUDE.md");
      rmSync(at);
      if (kind === "folder") symlinkSync(temp.path, at);
      if (kind === "loop") symlinkSync("CLAUDE.md", at);
      if (kind === "pipe") spawnSync("mkfifo", [at]);
      const markers = (await checksOf(f, root)).find(({ id }) => id === "context.markers");
      expect(markers?.status).toBe("fail");
      const { files_drift: drift } = await statusOf(f, root);
      expect(drift).toContainEqual({ path: "CLAUDE.md", kind: "generated_edited" });
      await expect(bootstrap(f, root)).rejects.toMatchObject({ code: "E_UNSAFE_LINK" });
    },
  );

  test.for(["applied", "journal", "backups"])(
    "WS-98: a pipe in place of %s.json is refused, never waited for",
    async (name) => {
      using temp = tempFolder();
      const { f, root } = await composed(temp.path);
      const at = join(root, ".writ/workspace", `${name}.json`);
      rmSync(at, { force: true });
      spawnSync("mkfifo", [at]);
      f.acme.commit({ files: { "rules/r1.md": "NEW\n" } });
      await expect(bootstrap(f, root, { update: true })).rejects.toMatchObject({ code: "E_UNSAFE_LINK" });
    },
  );
});

test.for(["link", "pipe"])(
  "CT-19, WS-56: a dry run tells of a %s at the run lock as the real run does",
  async (kind) => {
    using temp = tempFolder();
    const { f, root } = await composed(temp.path);
    const at = join(root, ".writ/workspace/run.lock");
    if (kind === "link") symlinkSync("elsewhere", at);
    else spawnSync("mkfifo", [at]);
    const refused = { code: "E_UNSAFE_LINK", failure: { details: { path: ".writ/workspace/run.lock" } } };
    for (const dryRun of [true, false]) {
      await expect(bootstrap(f, root, {}, { dryRun })).rejects.toMatchObject(refused);
      await expect(bootstrap(f, root, { undo: true }, { dryRun })).rejects.toMatchObject(refused);
    }
  },
);

describe("what a run put aside", () => {
  test("WS-88: replaced work outlives a list of backups that nobody can read", async () => {
    using temp = tempFolder();
    const { f, root } = await composed(temp.path);
    writeFileSync(join(root, ".agents/rules/r1.md"), "MINE\n");
    const { data } = await bootstrap(f, root, { theirs: [".agents/rules/r1.md"] });
    const kept = join(root, data.backups[0]?.backup ?? "");
    expect(readFileSync(kept, "utf8")).toBe("MINE\n");
    writeFileSync(join(root, ".writ/workspace/backups.json"), "{");
    for (const text of ["ONE\n", "TWO\n"]) {
      writeFileSync(join(root, ".agents/rules/r1.md"), text);
      await bootstrap(f, root, { theirs: [".agents/rules/r1.md"] });
    }
    expect(readFileSync(kept, "utf8")).toBe("MINE\n");
  });
});

const program = join(import.meta.dirname, "../entry/crash.ts");

/** Runs an update as somebody who may not do everything, since the tests may run as root. */
function updateAsNobody(f: FixtureF, root: string): { code: number | null; told: string } {
  const args = [program, root, join(f.folder, "ledger"), "none", "1", '{"update":true}'];
  const nobody = ["--reuid=65534", "--regid=65534", "--clear-groups", process.execPath, ...args];
  const asRoot = process.getuid?.() === 0;
  const ran = asRoot
    ? spawnSync("setpriv", nobody, { env: f.env, encoding: "utf8" })
    : spawnSync(process.execPath, args, { env: f.env, encoding: "utf8" });
  return { code: ran.status, told: ran.stderr };
}

/** Gives the fixture to the user that {@link updateAsNobody} becomes. */
function giveAway(f: FixtureF): void {
  writeFileSync(join(f.folder, "home/.gitconfig"), "[safe]\n\tdirectory = *\n");
  if (process.getuid?.() === 0) spawnSync("chown", ["-R", "65534:65534", f.folder]);
}

describe("a place that refuses to be written", () => {
  test.for([
    { name: "the workspace", path: ".", mode: 0o555 },
    { name: "a composed folder", path: ".agents/rules", mode: 0o555 },
    { name: "a composed file", path: ".agents/rules/r1.md", mode: 0o000 },
  ])("WS-98, WC-G2: $name is found before anything is changed", async ({ path, mode }) => {
    using temp = tempFolder();
    chmodSync(temp.path, 0o755);
    const { f, root } = await composed(temp.path);
    f.acme.commit({ files: { "rules/r1.md": "RB\n", "rules/r2.md": "R2\n" } });
    f.core.commit({ files: { "skills/s2/SKILL.md": "x\n" } });
    giveAway(f);
    const before = visible(root);
    chmodSync(join(root, path), mode);
    const { code, told } = updateAsNobody(f, root);
    chmodSync(join(root, path), 0o755);
    if (path.endsWith(".md")) chmodSync(join(root, path), 0o644);
    expect(told).toContain("STORE_ERROR");
    expect(code).not.toBe(0);
    expect(visible(root)).toEqual(before);
    for (const left of ["journal.json", "staging", "run.lock"])
      expect(existsSync(join(root, ".writ/workspace", left))).toBe(false);
    expect(updateAsNobody(f, root)).toMatchObject({ code: 0 });
  });
});

describe("a journal that cannot be written", () => {
  test("WS-93, WS-98: the run fails as STORE_ERROR, and what it staged is gone", async () => {
    using temp = tempFolder();
    const { f, root } = await composed(temp.path);
    const before = visible(root);
    f.acme.commit({ files: { "rules/r1.md": "RB\n" } });
    // A folder of that name, with something in it, refuses the rename as a full disk refuses the bytes.
    const { updateDuring } = await import("../support/workspace-runs.ts");
    const journal = join(root, ".writ/workspace/journal.json");
    const refusing = updateDuring(f, root, (moment) => {
      if (moment === "f") mkdirSync(join(journal, "x"), { recursive: true });
    });
    await expect(refusing).rejects.toMatchObject({
      code: "STORE_ERROR",
      failure: { details: { path: ".writ/workspace/journal.json" } },
    });
    rmSync(journal, { recursive: true });
    expect(visible(root)).toEqual(before);
    expect(existsSync(join(root, ".writ/workspace/run.lock"))).toBe(false);
    expect((await bootstrap(f, root, { update: true })).data.changed).toBe(true);
    expect(existsSync(join(root, ".writ/workspace/staging"))).toBe(false);
  });
});

describe("a run that is killed at any moment", () => {
  test("WC-G1, WS-94: the next one finds nothing broken, and the user's edits", async () => {
    using temp = tempFolder();
    const { f, root } = await composed(temp.path);
    writeFileSync(join(root, ".agents/workflows/w1.md"), "MINE\n");
    for (const [at, lateMs] of [0, 40, 90, 150].entries()) {
      f.acme.commit({ files: { "rules/r1.md": `R ${at}\n`, [`rules/n${at}.md`]: "n\n" } });
      await killLate(f, root, lateMs);
      await bootstrap(f, root, { update: true });
      expect(readFileSync(join(root, ".agents/rules/r1.md"), "utf8")).toBe(`R ${at}\n`);
      expect(readFileSync(join(root, ".agents/workflows/w1.md"), "utf8")).toBe("MINE\n");
      for (const left of ["journal.json", "staging", "run.lock"])
        expect(existsSync(join(root, ".writ/workspace", left))).toBe(false);
    }
  }, 60_000);
});

/** Starts an update and kills it some time after it has begun to stage. */
async function killLate(f: FixtureF, root: string, lateMs: number): Promise<void> {
  const args = [program, root, join(f.folder, "ledger"), "none", "1", '{"update":true}'];
  const child = spawn(process.execPath, args, { env: f.env, stdio: "ignore" });
  const ended = new Promise((resolve) => child.on("close", resolve));
  const staging = join(root, ".writ/workspace/staging");
  const seen = setInterval(() => {
    if (!existsSync(staging)) return;
    clearInterval(seen);
    setTimeout(() => child.kill("SIGKILL"), lateMs);
  }, 1);
  await ended;
  clearInterval(seen);
}
