import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { cleanEnv, launcher, writ, writJson } from "./harness.ts";
import { startWrit } from "./running.ts";
import { workspace } from "./workspace.ts";

/** Says on standard error when the program begins to read its standard input. */
const preload = `
  const own = Object.getOwnPropertyDescriptor(process, "stdin");
  const get = () => process.stderr.write("reading\\n") && own.get.call(process);
  Object.defineProperty(process, "stdin", { ...own, get });`;
const toldWhenReading = { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(preload)}` };

const shell = promisify(execFile);

test.each(["--help", "--agent-manifest"])("CT-17: writ %s | head -1 ends quietly", async (flag) => {
  using it = workspace();
  const script = '"$NODE" "$WRIT" "$FLAG" | head -1; echo "${PIPESTATUS[0]}"';
  const env = { ...cleanEnv(it), NODE: process.execPath, WRIT: launcher(), FLAG: flag };
  const { stdout, stderr } = await shell("bash", ["-c", script], { cwd: it.cwd, env });
  expect(stderr).toBe("");
  expect(stdout.split("\n")).toEqual([expect.any(String), "0", ""]);
});

test("CT-37: Ctrl-C during a call ends it with 130 and an envelope that says so", async () => {
  using it = workspace();
  // A command that waits for its secret waits for as long as nobody gives it.
  await using waiting = startWrit(["key", "set", "SOME_KEY", "--json"], {
    cwd: it.cwd,
    stdin: "silent",
    env: toldWhenReading,
  });
  await waiting.until(/reading/);
  waiting.child.kill("SIGINT");
  expect(await waiting.ended).toBe(130);
  const answer = JSON.parse(waiting.stdout);
  expect(answer).toMatchObject({ ok: false, command: "key set", exit_code: 130 });
  expect(answer.error).toMatchObject({
    code: "E_CANCELLED",
    category: "conflict",
    retryable: true,
    exit_code: 130,
  });
  expect(waiting.stderr).toBe("reading\n");
});

test("CT-37: a request to terminate ends it with 143, also while a document is awaited", async () => {
  using it = workspace();
  await using waiting = startWrit(["token", "create", "--file", "-", "--json"], {
    cwd: it.cwd,
    stdin: "silent",
    env: toldWhenReading,
  });
  await waiting.until(/reading/);
  waiting.child.kill("SIGTERM");
  expect(await waiting.ended).toBe(143);
  expect(JSON.parse(waiting.stdout).error).toMatchObject({ code: "E_CANCELLED", exit_code: 143 });
});

test("CT-37: a call that runs out of its own time ends by itself, also with its input open", async () => {
  using it = workspace();
  await using waiting = startWrit(["key", "set", "SOME_KEY", "--json", "--deadline", "0.2"], {
    cwd: it.cwd,
    stdin: "silent",
  });
  expect(await waiting.ended).toBe(2);
  expect(JSON.parse(waiting.stdout).error).toMatchObject({ code: "E_DEADLINE", retryable: true });
});

test.each(["closed", "silent"] as const)(
  "CT-18: with standard input %s nothing waits for an answer",
  async (stdin) => {
    using it = workspace();
    const calls: [string[], number][] = [
      [["init", "--json"], 1],
      [["token", "list", "--json"], 0],
      [["token", "create", "--json"], 0],
      [["ledger", "show", "--json"], 1],
      [["schema", "--json"], 0],
      [["--help"], 0],
      [["nosuch", "--json"], 1],
    ];
    for (const [args, code] of calls) {
      await using running = startWrit(args, { cwd: it.cwd, stdin, env: { WRIT_OFFLINE: "1" } });
      expect(await running.ended, args.join(" ")).toBe(code);
    }
  },
);

test("CT-9, CT-18: init without a name lists what is missing, and the templates", async () => {
  using it = workspace();
  const { code, envelope } = await writJson(["init"], { cwd: it.cwd, env: { WRIT_OFFLINE: "1" } });
  expect(code).toBe(1);
  expect(envelope.error).toMatchObject({ code: "E_MISSING_INPUT", exit_code: 1 });
  const missing = envelope.error?.details?.missing as {
    name: string;
    pattern?: string;
    options?: string[];
  }[];
  expect(missing[0]).toMatchObject({ name: "name", pattern: expect.any(String) });
  expect(missing.flatMap((one) => one.options ?? [])).toContain("writ/blank");
});

test("CT-12, CT-13: what is wrong with a call is one document and no stack", async () => {
  using it = workspace();
  for (const args of [
    ["init"],
    ["nosuch"],
    ["status", "--nosuch"],
    ["schema", "nosuch"],
    ["guide", "nosuch"],
  ]) {
    const { code, stdout, stderr, envelope } = await writJson(args, {
      cwd: it.cwd,
      env: { WRIT_OFFLINE: "1" },
    });
    expect(code, args.join(" ")).toBe(1);
    expect(envelope.exit_code).toBe(1);
    expect(stdout.trimEnd()).not.toContain("\n");
    expect(stdout + stderr).not.toMatch(/\bat .*\.js:\d+/);
  }
  const plain = await writ(["nosuch"], { cwd: it.cwd });
  expect(plain.stdout).toBe("");
  expect(plain.stderr).toMatch(/^\[ERROR\] USAGE_ERROR: .*\n {2}Cause: .*\n {2}Next: .*\n$/);
});
