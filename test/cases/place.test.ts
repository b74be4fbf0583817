import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { composedCase, failed, succeeded } from "./cases.ts";

const commands = ["status", "bootstrap", "sync", "diff", "doctor fix"];

test("WC-H6: from a nested folder the workspace is found and told; outside, where it was looked for", async () => {
  using it = await composedCase();
  const nested = it.at("api/deep/er");
  const outside = join(it.f.folder, "outside");
  for (const folder of [nested, outside]) mkdirSync(folder, { recursive: true });
  for (const cwd of [nested, outside]) succeeded(await it.run("cache path", { cwd }));
  for (const command of commands) {
    const found = await it.run(command, { cwd: nested });
    succeeded(found);
    expect(found.envelope.data.workspace).toEqual({ root: it.root, source: "cwd" });
    const told = found.envelope.warnings.find(({ code }) => code === "W_WORKSPACE_WALKUP");
    expect(told?.remediation).toMatch(/--workspace.*WRIT_WORKSPACE/);
    const missing = await it.run(command, { cwd: outside });
    failed(missing, "E_NO_WORKSPACE");
    expect(missing.code).toBe(1);
    expect(missing.envelope.error?.details).toEqual({ searched_from: outside });
  }
});

test("WC-H6: --workspace goes before WRIT_WORKSPACE, and neither warns", async () => {
  using it = await composedCase();
  const outside = join(it.f.folder, "outside");
  mkdirSync(outside);
  const env = { WRIT_WORKSPACE: it.root };
  const byEnv = await it.run("status", { cwd: outside, env });
  const byFlag = await it.run(`status --workspace ${it.root}`, {
    cwd: outside,
    env: { WRIT_WORKSPACE: outside },
  });
  expect(byEnv.envelope.data.workspace).toEqual({ root: it.root, source: "env" });
  expect(byFlag.envelope.data.workspace).toEqual({ root: it.root, source: "flag" });
  const codes = [byEnv, byFlag].flatMap(({ envelope }) => envelope.warnings.map(({ code }) => code));
  expect(codes).not.toContain("W_WORKSPACE_WALKUP");
});
