import { execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openInput } from "./open-input.ts";

test("CT-23: who is not at the terminal cannot make a server wait for a pipe of the workspace", async () => {
  const root = await mkdtemp(join(tmpdir(), "writ-open-"));
  try {
    execFileSync("mkfifo", [join(root, "pipe")]);
    await writeFile(join(root, "file"), "text");
    const call = { base: root, surface: "http" as const, signal: new AbortController().signal };
    const workspace = { root, source: "flag" as const };
    expect(await (await openInput(call, workspace, "file")).text(10)).toBe("text");
    const pipe = await openInput(call, workspace, "pipe");
    await expect(pipe.text(10)).rejects.toMatchObject({ code: "E_UNSAFE_LINK" });
  } finally {
    await rm(root, { recursive: true });
  }
});
