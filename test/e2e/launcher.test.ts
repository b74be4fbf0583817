import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { cleanEnv, launcher, writ } from "./harness.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "writ-launcher-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Starts the launcher in a Node that says it is an old one. */
async function onOldNode(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const pretend = 'Object.defineProperty(process.versions, "node", { value: "22.17.1" })';
  const preload = `data:text/javascript,${encodeURIComponent(pretend)}`;
  return promisify(execFile)(process.execPath, ["--import", preload, launcher(), ...args], {
    env: cleanEnv({ cwd: folder }),
  }).catch((error) => error);
}

test("a Node below the floor is refused in plain words, with the exit code of a missing dependency", async () => {
  const { code, stdout, stderr } = await onOldNode("status");
  expect(code).toBe(3);
  expect(stdout).toBe("");
  expect(stderr).toMatch(/^\[ERROR\] E_TOOL_MISSING: .*22\.18.*\n {2}Cause: .*22\.17\.1.*\n {2}Next: .*\n$/);
});

test("a Node below the floor is refused in an envelope when JSON is asked for", async () => {
  const { code, stdout, stderr } = await onOldNode("status", "--json");
  expect({ code, stderr }).toEqual({ code: 3, stderr: "" });
  const fields = ["schema", "ok", "command", "exit_code", "data", "warnings", "error"];
  expect(Object.keys(JSON.parse(stdout))).toEqual(fields);
  expect(JSON.parse(stdout).error).toMatchObject({ code: "E_TOOL_MISSING", category: "dependency" });
});

test("the package holds the program and what it ships, and none of its sources or tests", async () => {
  const files = await readdir(inject("installed"), { recursive: true });
  expect(files).toEqual(expect.arrayContaining(["bin/writ.js", "dist/main.js", "dist/licences.txt"]));
  expect(files.filter((file) => /\.ts$|\.map$|^src|(^|\/)test/.test(file))).toEqual([]);
});

test("WS-2: where the cache is said to be relative or nowhere, the compile cache is not kept where one stands", async () => {
  const env = { WRIT_CACHE_DIR: "", XDG_CACHE_HOME: "rel", HOME: join(folder, "home") };
  expect((await writ(["--version"], { cwd: folder, env })).code).toBe(0);
  expect((await readdir(folder)).filter((name) => name !== "home")).toEqual([]);
});

test.skipIf(process.platform !== "linux")(
  "WS-2: where no folder can be made the program runs without a cache",
  async () => {
    const places: Record<string, string>[] = [
      { HOME: "/proc/writ", WRIT_CACHE_DIR: "", XDG_CACHE_HOME: "" },
      { WRIT_CACHE_DIR: "/proc/self/writ" },
    ];
    for (const env of places) expect((await writ(["--version"], { cwd: folder, env })).code).toBe(0);
  },
);

test("the installed program runs, says its version, and keeps its compile cache in Writ's own", async () => {
  const { version } = JSON.parse(await readFile(join(inject("installed"), "package.json"), "utf8"));
  const cache = join(folder, "cache");
  const ran = await writ(["--version"], { cwd: folder, env: { WRIT_CACHE_DIR: cache } });
  expect({ code: ran.code, stderr: ran.stderr }).toEqual({ code: 0, stderr: "" });
  expect(ran.stdout).toContain(version);
  expect(await readdir(cache)).toEqual(["compile"]);
});
