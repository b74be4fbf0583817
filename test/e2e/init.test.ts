import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { writ, writJson } from "./harness.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "writ-init-"));
  await mkdir(join(folder, "work"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const offline = { WRIT_OFFLINE: "1" };

test("WS-114, WS-128: the installed program makes the example, composes it, shows its guides and installs its skill", async () => {
  const cwd = join(folder, "work");
  const made = await writJson(["init", "demo", "--template", "writ/example"], { cwd, env: offline });
  expect({ code: made.code, stderr: made.stderr }).toMatchObject({ code: 0 });
  expect(made.envelope.data).toMatchObject({
    name: "demo",
    workspace: { root: expect.stringMatching(/demo$/), source: "init" },
  });
  const root = join(cwd, "demo");
  const composed = await writJson(["bootstrap"], { cwd: root, env: offline });
  expect(composed.envelope.error).toBeNull();
  expect(await readdir(join(root, ".agents/rules"))).toEqual([
    "ask-before-destroying.md",
    "be-brief.md",
    "prove-it-works.md",
  ]);
  await writeFile(join(root, "stack/rules/be-brief.md"), "Changed.\n");
  await writ(["sync"], { cwd: root, env: offline });
  expect(await readFile(join(root, ".agents/rules/be-brief.md"), "utf8")).toBe("Changed.\n");
  expect((await writ(["guide", "quickstart"], { cwd, env: offline })).stdout).toContain("writ init demo");
  const added = await writJson(["skill", "add"], { cwd: root });
  expect(added.envelope.data.installed).toMatchObject([{ name: "writ", action: "created" }]);
});

test("WC-A4: init without a name fails at once, whatever stdin is", async () => {
  const cwd = join(folder, "work");
  const ran = await writJson(["init"], { cwd });
  expect(ran.code).toBe(1);
  expect(ran.envelope.error).toMatchObject({
    code: "E_MISSING_INPUT",
    details: { missing: [{ name: "name" }, { name: "template" }] },
  });
  expect(await readdir(cwd)).toEqual([]);
});
