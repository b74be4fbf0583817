import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { catalogue, exitCodeOf, flagWord } from "../../packages/writ/src/contract/index.ts";
import { commandLine } from "../../packages/writ/src/contract/index.ts";
import { parseArguments } from "../../packages/writ/src/surfaces/cli/arguments.ts";
import { commands } from "../../packages/writ/src/generated/commands.ts";
import { awkward, createStage } from "../support/awkward.ts";
import { runLine } from "../support/terminal.ts";
import { testApp } from "../support/test-app.ts";

test("CT-13: with --json, or WRIT_JSON, standard output is one document and a newline", async () => {
  await using it = testApp();
  for (const [argv, env] of [
    [["token", "list", "--json"], {}],
    [["--json", "token", "list"], {}],
    [["token", "list"], { WRIT_JSON: "1" }],
  ] as const) {
    const ran = await runLine(it.app, argv, { cwd: it.root, env });
    expect(ran.stdout.split("\n")).toHaveLength(2);
    expect(ran.envelope()).toMatchObject({ ok: true, command: "token list" });
    expect(ran.code).toBe(0);
  }
});

test("CT-13: declared events are one JSON document a line, and the envelope comes last", async () => {
  await using it = testApp({ commands: awkward(createStage()) });
  const ran = await runLine(it.app, ["slow", "pour", "--count", "3", "--json"], { cwd: it.root });
  const lines = ran.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines.map((line) => line.event ?? line.schema)).toEqual(["drop", "drop", "drop", "1"]);
});

test("CT-14: without --json it is a rendering of the same data, with no escape sequence", async () => {
  await using it = testApp();
  await it.call("token.create", { subject: "user:bob" });
  const ran = await runLine(it.app, ["token", "list"], { cwd: it.root });
  expect(ran.stdout).toContain("user:bob");
  expect(ran.stdout + ran.stderr).not.toContain("\u001b");
});

test("CT-14: a name or a text of others drives no terminal, neither in data nor in an error", async () => {
  await using it = testApp();
  const evil = "\u001b]0;own\u0007\u202egpj";
  writeFileSync(join(it.root, "workspace.yml"), `name: x\nschema: writ/1\n${JSON.stringify(evil)}: 1\n`);
  const failed = await runLine(it.app, ["status"], { cwd: it.root, tty: true });
  expect(failed.stderr).toContain("\\u001b]0;own\\u0007\\u202egpj");
  const listed = await runLine(it.app, ["doctor"], { cwd: it.root, env: { NO_COLOR: "1" } });
  expect(listed.stdout).toContain("\\u001b]0;own");
  for (const text of [failed.stdout, failed.stderr, listed.stdout, listed.stderr])
    expect(text).not.toMatch(/\u001b\]|\u0007|\u202e/);
});

test("CT-14: colour needs a terminal, and NO_COLOR or --no-color takes it away", async () => {
  await using it = testApp();
  const coloured = await runLine(it.app, ["ledger", "show", "99"], { cwd: it.root, tty: true });
  const variable = await runLine(it.app, ["ledger", "show", "99"], {
    cwd: it.root,
    tty: true,
    env: { NO_COLOR: "1" },
  });
  const flag = await runLine(it.app, ["ledger", "show", "99", "--no-color"], { cwd: it.root, tty: true });
  expect(coloured.stderr).toContain("\u001b");
  expect(variable.stderr + flag.stderr).not.toContain("\u001b");
});

test("CT-15: warnings and progress are prefixed lines on standard error, and --quiet leaves errors", async () => {
  const stage = createStage();
  stage.release();
  await using slow = testApp({ commands: awkward(stage) });
  const ran = await runLine(slow.app, ["slow", "wait", "--steps", "3"], { cwd: slow.root });
  expect(
    ran.stderr
      .trim()
      .split("\n")
      .every((line) => /^\[(INFO|WARN|ERROR)\] /.test(line)),
  ).toBe(true);
  const quiet = await runLine(slow.app, ["slow", "wait", "--steps", "3", "--quiet"], { cwd: slow.root });
  expect(quiet.stderr).toBe("");
});

test("CT-18: nothing is ever asked without --interactive, which needs a terminal", async () => {
  await using it = testApp({ commands: awkward(createStage()) });
  const silent = await runLine(it.app, ["keep", "--json"], { cwd: it.root, tty: true });
  expect(silent.envelope().error).toMatchObject({
    code: "E_MISSING_INPUT",
    details: { missing: [{ name: "name" }] },
  });
  const refused = await runLine(it.app, ["keep", "--interactive", "--json"], { cwd: it.root });
  expect(refused.envelope().error).toMatchObject({
    code: "USAGE_ERROR",
    message: expect.stringContaining("terminal"),
  });
});

test("CT-21: a whole input comes from a file or standard input, as YAML or JSON, and flags win", async () => {
  await using it = testApp({ commands: awkward(createStage()) });
  writeFileSync(join(it.root, "in.yml"), "text: from the file\ntags: [a, b]\n");
  const file = await runLine(it.app, ["echo", "say", "--file", "in.yml", "--json"], { cwd: it.root });
  expect(file.envelope().data).toMatchObject({ text: "from the file", tags: ["a", "b"] });
  const stdin = await runLine(it.app, ["echo", "say", "--file", "-", "--text", "flag", "--json"], {
    cwd: it.root,
    stdin: '{"text": "stdin", "times": 2}',
  });
  expect(stdin.envelope().data).toMatchObject({ text: "flag", times: 2 });
  const gone = await runLine(it.app, ["echo", "say", "--file", "none.yml", "--json"], { cwd: it.root });
  expect(gone.envelope().error?.code).toBe("E_NOT_FOUND");
});

test("CT-22: unknown commands and flags name the nearest known one", async () => {
  await using it = testApp();
  const cases = [
    [["tokn", "list"], "token list"],
    [["token", "lst"], "token list"],
    [["token", "list", "--jsno"], "--json"],
    [["ledger", "list", "--actr", "x"], "--actor"],
    [["--versoin"], "--version"],
    [["token", "list", "--dry-run"], undefined],
  ] as const;
  for (const [argv, near] of cases) {
    const ran = await runLine(it.app, [...argv, "--json"], { cwd: it.root });
    const { error } = ran.envelope();
    expect(error, argv.join(" ")).toMatchObject({ code: "USAGE_ERROR", exit_code: 1 });
    expect(error?.details?.nearest ?? undefined, argv.join(" ")).toBe(near);
    expect(ran.code).toBe(1);
  }
});

test("CT-22: values are read as their kind, and one argument too many is refused", async () => {
  await using it = testApp({ commands: awkward(createStage()) });
  const said = await runLine(
    it.app,
    [
      "echo",
      "say",
      "--times",
      "3",
      "--ratio",
      "0.5",
      "--loud",
      "--tags",
      "a",
      "--tags",
      "b",
      "--shape",
      '{"x":[1]}',
      "--json",
    ],
    { cwd: it.root },
  );
  expect(said.envelope().data).toEqual({
    times: 3,
    ratio: 0.5,
    loud: true,
    tags: ["a", "b"],
    shape: { x: [1] },
  });
  for (const argv of [
    ["echo", "say", "--times", "three"],
    ["echo", "say", "--times"],
    ["echo", "say", "--shape", "{"],
    ["echo", "say", "extra"],
    ["echo", "say", "--loud=perhaps"],
  ]) {
    const ran = await runLine(it.app, [...argv, "--json"], { cwd: it.root });
    expect(ran.envelope().error?.code, argv.join(" ")).toBe("USAGE_ERROR");
  }
});

test("CT-26: the help of every command names each argument, flag, error and example, and exits 0", async () => {
  await using it = testApp();
  for (const command of commands) {
    const { code, stdout } = await runLine(it.app, [...command.path, "--help"], { cwd: it.root });
    expect(code).toBe(0);
    for (const flag of command.flags) {
      const long = flagWord(flag.kind === "boolean" && flag.default === true ? `no-${flag.name}` : flag.name);
      const name = flag.positional === undefined ? long : flag.name.toUpperCase();
      expect(stdout, command.id).toContain(name);
      expect(stdout, command.id).toContain(flag.env ?? name);
    }
    for (const error of command.errors) expect(stdout, command.id).toContain(error);
    expect(command.examples.length, command.id).toBeGreaterThanOrEqual(2);
    for (const example of command.examples) expect(stdout).toContain(commandLine(command, example.input));
    expect(stdout).toContain(`${command.need.effect}:`);
    const codes = command.errors.map((error) => exitCodeOf(catalogue[error].category));
    for (const exit of codes) expect(stdout).toMatch(new RegExp(`^  ${exit}  `, "m"));
  }
});

test("CT-26: a group without a subcommand, and writ alone, print their help and exit 0", async () => {
  await using it = testApp();
  for (const argv of [["token"], ["ledger"], [], ["--help"], ["token", "--help"]]) {
    const { code, stdout } = await runLine(it.app, argv, { cwd: it.root });
    expect(code).toBe(0);
    expect(stdout).toContain("Usage");
  }
});

test("CT-27: every example and every related command of the table is one that the parser takes", () => {
  const known = commands.map((command) => command.path.join(" "));
  for (const command of commands) {
    for (const example of command.examples) {
      const words = splitWords(commandLine(command, example.input)).slice(1);
      const asked = parseArguments(words, commands);
      const { dry_run: dryRun, ...input } = example.input;
      expect(asked).toMatchObject({
        kind: "call",
        input,
        ...(dryRun === true && { common: { "dry-run": true } }),
      });
    }
    for (const related of command.related) expect(known, `${command.id} names ${related}`).toContain(related);
  }
});

test("CT-24, CT-27: the manual lists every command with its flags, errors and schemas, and every error", async () => {
  await using it = testApp();
  const { stdout, code } = await runLine(it.app, ["--agent-manifest"], { cwd: it.root });
  const manual = JSON.parse(stdout) as {
    commands: Record<string, unknown>[];
    errors: { code: string }[];
    contract_version: string;
  };
  expect(code).toBe(0);
  expect(manual.contract_version).toBe("1");
  expect(manual.commands.map((one) => one.capability)).toEqual(commands.map((one) => one.id));
  for (const one of manual.commands) {
    for (const field of [
      "arguments",
      "flags",
      "effect",
      "exit_codes",
      "error_codes",
      "input_schema",
      "output_schema",
      "examples",
    ]) {
      expect(one, String(one.command)).toHaveProperty(field);
    }
  }
  expect(manual.errors.map((one) => one.code).toSorted()).toEqual(Object.keys(catalogue).toSorted());
});

test("CT-25: schema needs no workspace and prints the contract, or one document's schema", async () => {
  await using it = testApp({ manifest: null });
  const whole = await runLine(it.app, ["schema", "--json"], { cwd: it.root });
  expect(whole.envelope().data).toMatchObject({ contract_version: "1", envelope_schema: { type: "object" } });
  expect(whole.envelope().data).not.toHaveProperty("workspace");
  const unknown = await runLine(it.app, ["schema", "nosuch", "--json"], { cwd: it.root });
  expect(unknown.envelope().error).toMatchObject({ code: "E_UNKNOWN_SCHEMA", exit_code: 1 });
});

test("completions name every command for each shell, and an unknown shell is refused", async () => {
  await using it = testApp();
  for (const shell of ["bash", "zsh", "fish"]) {
    const { stdout, code } = await runLine(it.app, ["--completions", shell], { cwd: it.root });
    expect(code).toBe(0);
    for (const command of commands) expect(stdout).toContain(command.path.at(-1));
  }
  const { code } = await runLine(it.app, ["--completions", "tcsh"], { cwd: it.root });
  expect(code).toBe(1);
});

/** Splits a command line as a shell does, as far as the examples need it. */
function splitWords(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map((match) => match[1] ?? match[2] ?? "");
}

test("CT-13: the version, the help and the completions are an envelope too when --json is asked", async () => {
  await using it = testApp({ manifest: null });
  const version = await runLine(it.app, ["--version", "--json"], { cwd: it.root });
  expect(version.envelope()).toMatchObject({ ok: true, command: "writ", data: { version: it.app.version } });
  const help = await runLine(it.app, ["token", "--help"], { cwd: it.root, env: { WRIT_JSON: "1" } });
  expect(help.envelope().data.help).toContain("token create");
});

test("WS-7: the problems of a document stand under its error, each at its place", async () => {
  await using it = testApp({ manifest: "name: 5\nschema: writ/1\nstackk: []\n" });
  const { stderr } = await runLine(it.app, ["bootstrap"], { cwd: it.root });
  expect(stderr).toMatch(/workspace\.yml:1:7 .*text/);
  expect(stderr).toMatch(/workspace\.yml:3:1 .*stackk.*did you mean "stacks"/);
});

test("CT-13: progress of what runs inside a streaming command is no part of its answer", async () => {
  const stage = createStage();
  stage.release();
  await using it = testApp({ commands: awkward(stage) });
  const row = it.app.commands.find("slow.wait");
  const streaming = {
    ...it.app,
    commands: {
      ...it.app.commands,
      rows: it.app.commands.rows.map((one) => (one === row ? { ...one, streams: true } : one)),
    },
  };
  const ran = await runLine(streaming, ["slow", "wait", "--steps", "2", "--json"], { cwd: it.root });
  expect(ran.stdout.trim().split("\n")).toHaveLength(1);
});
