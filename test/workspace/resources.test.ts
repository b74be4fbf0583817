import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createResources } from "../../packages/writ/src/app/resources.ts";
import explain from "../../packages/writ/src/workspace/capabilities/explain.ts";
import { composedApp, type Composed } from "./composed.ts";

const credential = { terminal: true } as const;

function resourcesOf(it: Composed) {
  return createResources({ execute: it.app.execute, root: it.root });
}

test("RN-14: the workspace's context is listed, the canonical file first, and read as text", async () => {
  await using it = await composedApp({ capabilities: [explain] });
  const resources = resourcesOf(it);
  const listed = await resources.list(credential);
  expect(listed.map(({ uri }) => uri)).toEqual([
    "file:CLAUDE.md",
    "file:AGENTS.md",
    "file:.agents/INDEX.md",
    "file:.agents/rules/r1.md",
  ]);
  expect(await resources.read("file:.agents/rules/r1.md", credential)).toEqual({
    mimeType: "text/markdown",
    text: "RA\n",
  });
  expect((await resources.read("file:CLAUDE.md", credential)).text).toContain("# Workspace: demo");
});

test("RN-14, CT-34: any other reference is read as what explain says of it, never as the file's content", async () => {
  await using it = await composedApp({ capabilities: [explain] });
  writeFileSync(join(it.root, ".env"), "KEY=secret-value\n");
  const resources = resourcesOf(it);
  const read = await resources.read("file:.env", credential);
  expect(read.mimeType).toBe("application/json");
  expect(JSON.parse(read.text)).toMatchObject({ reference: "file:.env", rule: "user" });
  expect(read.text).not.toContain("secret-value");
  expect(JSON.parse((await resources.read("stack:acme", credential)).text)).toMatchObject({
    id: "acme",
    repo: "acme/agent-stack",
  });
  for (const uri of ["file:nosuch", "stack:nosuch", "nosuch:x", "topic:nosuch"]) {
    await expect(resources.read(uri, credential)).rejects.toMatchObject({ code: "E_NOT_FOUND" });
  }
  await expect(resources.read("file:../x", credential)).rejects.toMatchObject({ code: "E_UNSAFE_PATH" });
});

test("RN-14: a caller without authority reads no reference", async () => {
  await using it = await composedApp({ capabilities: [explain] });
  await expect(resourcesOf(it).read("stack:acme", {})).rejects.toMatchObject({ code: "E_AUTH_REQUIRED" });
});

test("WS-104: nothing of the private overlay is a resource", async () => {
  await using it = await composedApp({
    capabilities: [explain],
    manifest: "name: demo\nschema: awac/2\nstacks: [core]\nprivate_overlay:\n  org: me\n  repo: mine\n",
    prepare: (f) => void f.host.repo("me/mine", { files: { "rules/private.md": "MINE\n" } }),
  });
  const resources = resourcesOf(it);
  const listed = await resources.list(credential);
  expect(listed.map(({ uri }) => uri)).toEqual([
    "file:CLAUDE.md",
    "file:AGENTS.md",
    "file:.agents/INDEX.md",
    "file:.agents/rules/r1.md",
  ]);
  expect((await resources.read("file:.agents/rules/private.md", credential)).text).not.toContain("MINE");
});

test("WS-56: a listed file that became a link is neither listed nor read through it", async () => {
  await using it = await composedApp({ capabilities: [explain] });
  writeFileSync(join(it.f.folder, "outside"), "outside\n");
  rmSync(join(it.root, ".agents/rules/r1.md"));
  symlinkSync(join(it.f.folder, "outside"), join(it.root, ".agents/rules/r1.md"));
  const resources = resourcesOf(it);
  expect((await resources.list(credential)).map(({ uri }) => uri)).not.toContain("file:.agents/rules/r1.md");
  await expect(resources.read("file:.agents/rules/r1.md", credential)).rejects.toMatchObject({
    code: "E_UNSAFE_LINK",
  });
});

test("RN-14: where nothing was composed there is no context to list", async () => {
  await using it = await composedApp({ capabilities: [explain], compose: false });
  expect(await resourcesOf(it).list(credential)).toEqual([]);
});
