import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { cleanEnv, launcher } from "./harness.ts";

const readme = join(import.meta.dirname, "..", "..", "README.md");
const block = /(<!-- session -->\n+```console\n)([\s\S]*?)(```\n)/;

interface Step {
  command: string;
  output: string;
}

function stepsOf(text: string): Step[] {
  return text
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const end = part.indexOf("\n");
      return { command: part.slice(0, end), output: part.slice(end + 1).trimEnd() };
    });
}

/** What a reader sees on a terminal, where progress is a bar that goes away; times differ from run to run. */
function normalise(text: string, folder: string): string {
  return text
    .split("\n")
    .filter((line) => !line.startsWith("[INFO]"))
    .join("\n")
    .replaceAll(folder, "~")
    .replace(/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z/g, "2026-11-30T12:00:00.000Z")
    .trimEnd();
}

test("CT-14: the session that the README shows is what the installed program prints", async () => {
  const temp = await mkdtemp(join(tmpdir(), "writ-readme-"));
  const folder = join(temp, "work");
  const bin = join(temp, "bin");
  await Promise.all([mkdir(folder), mkdir(bin)]);
  await writeFile(join(bin, "writ"), `#!/bin/sh\nexec "${process.execPath}" "${launcher()}" "$@"\n`, {
    mode: 0o755,
  });
  await symlink(process.execPath, join(bin, "node"));
  const env: Record<string, string> = { ...cleanEnv({ cwd: folder }), USER: "ana", WRIT_OFFLINE: "1" };
  env.PATH = `${bin}:${env.PATH}`;
  try {
    const page = await readFile(readme, "utf8");
    const shown = block.exec(page)?.[2];
    expect(shown, "the README has a session between its markers").toBeDefined();
    const steps = stepsOf(shown ?? "");
    expect(steps.length).toBeGreaterThan(3);
    let cwd = folder;
    const ran: Step[] = [];
    for (const { command } of steps) {
      // The shell is left where the command left it, as a reader's own would be.
      const script = `{ ${command}; } 2>&1; printf '\\n%s' "$PWD" > "${join(temp, "cwd")}"`;
      const { stdout } = await promisify(execFile)("bash", ["-c", script], { cwd, env });
      cwd = (await readFile(join(temp, "cwd"), "utf8")).trim();
      ran.push({ command, output: normalise(stdout, folder).replaceAll("user:root", "user:ana") });
    }
    const text = ran.map((step) => `$ ${step.command}\n${step.output}`.trimEnd()).join("\n\n");
    if (process.env.WRIT_GOLDEN === "write") await writeFile(readme, page.replace(block, `$1${text}\n$3`));
    const now = block.exec(await readFile(readme, "utf8"))?.[2];
    expect(`${text}\n`, "if the new text is right: npm run golden").toBe(now);
  } finally {
    await rm(temp, { recursive: true, force: true });
  }
});
