import { execFileSync, spawn, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { expect, test } from "vitest";
import type { Envelope } from "../../packages/writ/src/contract/index.ts";
import { tempFolder } from "../fixtures/temp-folder.ts";
import { launcher } from "./harness.ts";

interface Place {
  cwd: string;
  env: Record<string, string>;
}

/** A workspace without stacks, in a folder that anybody may enter. */
function place(): Place & Disposable & { file: (...parts: string[]) => string } {
  const temp = tempFolder();
  chmodSync(temp.path, 0o755);
  const cwd = temp.file("w");
  mkdirSync(cwd);
  mkdirSync(temp.file("home"));
  writeFileSync(join(cwd, "workspace.yml"), "name: demo\nschema: writ/1\nstacks: []\n");
  const env = { PATH: process.env.PATH ?? "", HOME: temp.file("home"), WRIT_CACHE_DIR: temp.file("cache") };
  return { cwd, env, file: temp.file, [Symbol.dispose]: () => temp[Symbol.dispose]() };
}

/** Runs a script of the shell, in which "$@" are the words of the program. */
function shell(script: string, { cwd, env }: Place) {
  const words = ["-c", script, "sh", process.execPath, launcher()];
  const { status, stdout, stderr } = spawnSync("sh", words, { cwd, env, encoding: "utf8" });
  return { status, stdout, stderr };
}

/** What the program says, with --json, to somebody who may not do everything: the tests may run as root. */
function asNobody(words: string, { cwd, env }: Place): Envelope {
  const away = "setpriv --reuid=65534 --regid=65534 --clear-groups";
  const script = `${process.getuid?.() === 0 ? away : ""} "$@" ${words} --json`;
  return JSON.parse(shell(script, { cwd, env }).stdout) as Envelope;
}

function giveAway(folder: string): void {
  if (process.getuid?.() === 0) execFileSync("chown", ["-R", "65534:65534", folder]);
}

test("WS-98: state that may not be entered is STORE_ERROR whatever is asked, and doctor tells it", () => {
  using it = place();
  mkdirSync(join(it.cwd, ".writ"), { mode: 0o000 });
  giveAway(it.file("."));
  try {
    for (const words of ["ledger list", "store status", "task start x", "research status"])
      expect(asNobody(words, it).error).toMatchObject({
        code: "STORE_ERROR",
        exit_code: 5,
        remediation: "Give yourself the right to write there: chmod u+rwX .writ",
      });
    const { error, data } = asNobody("doctor --offline", it);
    expect([error?.code, data.checks]).toEqual([
      "E_DOCTOR_FAILED",
      expect.arrayContaining([
        expect.objectContaining({ id: "workspace.links", status: "fail" }),
        expect.objectContaining({ id: "research.library", status: "fail" }),
      ]),
    ]);
  } finally {
    chmodSync(join(it.cwd, ".writ"), 0o755);
  }
});

test("CT-6, WS-45: the cache of another user is as an empty one to who reads, and named to who writes", () => {
  using it = place();
  execFileSync("git", ["init", "-q", "--bare", it.file("acme/agent-stack.git")], { env: it.env });
  const env = { ...it.env, WRIT_GIT_BASE: `file://${it.file(".")}`, WRIT_CACHE_DIR: it.file("home/cache") };
  const away = { cwd: it.cwd, env };
  writeFileSync(join(it.cwd, "workspace.yml"), "name: demo\nschema: writ/1\nstacks: [acme/agent-stack]\n");
  giveAway(it.file("."));
  chmodSync(it.file("home"), 0o000);
  try {
    expect(asNobody("status", away).error?.code).not.toBe("STORE_ERROR");
    expect(asNobody("templates --registry acme/agent-stack", away).error).toMatchObject({
      code: "STORE_ERROR",
      details: { path: "cache" },
      remediation: expect.stringContaining("WRIT_CACHE_DIR"),
    });
  } finally {
    chmodSync(it.file("home"), 0o755);
  }
});

test("CT-6: in a folder that is no more, what names its workspace works, and the rest says what is wrong", () => {
  using it = place();
  const gone = (words: string) => shell(`mkdir g && cd g && rmdir ../g && "$@" ${words}`, it);
  const answer = (words: string) => JSON.parse(gone(`${words} --json`).stdout) as Envelope;
  expect(answer(`status --workspace ${it.cwd}`)).toMatchObject({
    ok: true,
    data: { workspace: { root: it.cwd, source: "flag" } },
  });
  for (const words of ["schema", "cache path"]) expect(answer(words).ok).toBe(true);
  expect(gone("--help").status).toBe(0);
  for (const words of [
    "status",
    "status --workspace w",
    "init x",
    `status --workspace ${it.cwd} --file x.yml`,
  ])
    expect(answer(words).error).toMatchObject({
      code: "STORE_ERROR",
      message: "The folder this was called in is no more.",
    });
  expect(readdirSync(it.cwd)).toEqual(["workspace.yml"]);
});

test.skipIf(!existsSync("/dev/full"))(
  "CT-6, CT-15: an answer that cannot be written is one error, and what cannot be said stops nothing",
  () => {
    using it = place();
    for (const words of ["status --json", "status", "--help"]) {
      const { status, stderr } = shell(`"$@" ${words} > /dev/full`, it);
      expect([status, stderr.match(/^\[ERROR\] STORE_ERROR: /gm)]).toEqual([5, [expect.any(String)]]);
      expect(stderr).not.toContain("    at ");
    }
    const { status, stdout } = shell('"$@" status --json 2> /dev/full', it);
    expect([status, JSON.parse(stdout).ok]).toEqual([0, true]);
    expect(shell('"$@" nosuch 2> /dev/full', it).status).toBe(1);
  },
);

test("WS-2: a home that is relative or empty counts as unset", () => {
  using it = place();
  for (const HOME of ["", "rel"]) {
    const { stdout } = shell('"$@" cache path --json', {
      ...it,
      env: { ...it.env, HOME, WRIT_CACHE_DIR: "" },
    });
    const { data } = JSON.parse(stdout) as Envelope;
    expect(isAbsolute(String(data.path))).toBe(true);
    expect(String(data.path)).not.toContain(it.cwd);
  }
});

test("CT-6, CT-35: a workspace named with nothing is refused, and an empty variable is none", () => {
  using it = place();
  expect(JSON.parse(shell('"$@" status --workspace "" --json', it).stdout).error).toMatchObject({
    code: "E_INVALID_VALUE",
    exit_code: 2,
  });
  const unset = { ...it, env: { ...it.env, WRIT_WORKSPACE: "" } };
  expect(JSON.parse(shell('"$@" status --json', unset).stdout).data.workspace.source).toBe("cwd");
});

test("CT-37: a pipe as input is read when it is written, and waiting for that can be given up", async () => {
  using it = place();
  const pipe = it.file("pipe");
  execFileSync("mkfifo", [pipe]);
  const { stdout } = shell(
    `(sleep 0.3; echo 'dry_run: true' > ${pipe}) & "$@" bootstrap --file ${pipe} --json`,
    it,
  );
  expect(JSON.parse(stdout).data.dry_run).toBe(true);
  // It says so the moment it opens its input: until then, no signal would find it waiting.
  const hook = `import fs from "node:fs"; import { syncBuiltinESMExports } from "node:module"; const { openSync } = fs;
    fs.openSync = (path, ...rest) => { if (path === ${JSON.stringify(pipe)}) process.stderr.write("opening"); return openSync(path, ...rest); };
    syncBuiltinESMExports();`;
  const args = ["--import", `data:text/javascript,${encodeURIComponent(hook)}`, launcher()];
  const child = spawn(process.execPath, [...args, "bootstrap", "--file", pipe, "--json"], {
    cwd: it.cwd,
    env: it.env,
  });
  const answer = child.stdout.setEncoding("utf8").reduce((all: string, text: string) => all + text, "");
  await new Promise((resolve) => child.stderr.once("data", resolve));
  child.kill("SIGTERM");
  expect(JSON.parse(await answer).error.code).toBe("E_CANCELLED");
});
