import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as z from "zod";
import { cleanEnv, launcher, type Ran, writ } from "../e2e/harness.ts";
import { type Case, composedCase, makeCase, putNotes, succeeded } from "./cases.ts";

interface Manual {
  envelope_schema: z.core.JSONSchema.JSONSchema;
  commands: {
    command: string;
    error_codes: string[];
    examples: unknown[];
    output_schema: z.core.JSONSchema.JSONSchema;
  }[];
  errors: { code: string }[];
  warnings: { code: string }[];
  workflows: unknown[];
}

async function manualOf(it: Case): Promise<Manual> {
  const { stdout, code } = await writ(["--agent-manifest"], { cwd: it.root, env: it.f.env });
  expect(code).toBe(0);
  return JSON.parse(stdout) as Manual;
}

const present =
  "init,bootstrap,sync,status,diff,explain,doctor,doctor fix,templates,shortcuts,guide,schema,skill add,skill providers,cache path,cache prune".split(
    ",",
  );

test("WC-A1: the manifest lists every command with all an agent needs", async () => {
  using it = makeCase();
  const manual = await manualOf(it);
  expect(manual.commands.map(({ command }) => command)).toEqual(expect.arrayContaining(present));
  for (const command of manual.commands) {
    expect(command, command.command).toMatchObject({
      arguments: expect.any(Array),
      flags: expect.any(Array),
      effect: expect.stringMatching(/^(observe|local|external)$/),
      exit_codes: expect.any(Array),
      error_codes: expect.any(Array),
      input_schema: { type: "object" },
      output_schema: { type: "object" },
    });
    expect(command.examples.length, command.command).toBeGreaterThanOrEqual(2);
  }
  expect(manual.errors.length).toBeGreaterThan(50);
  expect(manual.workflows.length).toBeGreaterThan(0);
});

const lines = [
  "init my-feature",
  "init my-feature",
  "init x1 --template nosuch",
  "init",
  "templates",
  "shortcuts",
  "bootstrap --frozen",
  "bootstrap --dry-run",
  "bootstrap",
  "bootstrap",
  "status",
  "diff",
  "diff --local --patch",
  "diff --update --patch",
  "status --fetch",
  "sync",
  "status --exit-code",
  "bootstrap --undo",
  "bootstrap --undo",
  "explain .agents/rules/r1.md",
  "explain api",
  "explain stack:acme",
  "explain repo:api",
  "explain setting:jobs",
  "explain nosuch",
  "doctor",
  "doctor --check compose.metadata",
  "doctor fix",
  "guide",
  "guide quickstart",
  "guide nosuch",
  "schema",
  "schema workspace",
  "schema nosuch",
  "skill providers",
  "skill add --target x",
  "cache path",
  "cache prune --dry-run",
  "token create --role member",
  "token list",
  "ledger list",
  "ledger show 1",
  "ledger verify",
  "store status",
  "nosuch",
  "status --nosuch",
];

test("WC-A2: every envelope conforms, and its data conforms to the output schema of its command", async () => {
  using it = makeCase();
  const manual = await manualOf(it);
  const envelope = z.fromJSONSchema(manual.envelope_schema);
  const outputs = new Map(
    manual.commands.map(({ command, output_schema }) => [command, z.fromJSONSchema(output_schema)]),
  );
  const codes = new Set([...manual.errors, ...manual.warnings].map(({ code }) => code));
  const ran = new Set<string>();
  for (const line of lines) {
    if (line === "status") {
      writeFileSync(it.at(".agents/rules/r1.md"), "MINE\n");
      it.f.core.commit({ files: { "rules/new.md": "N\n" } });
    }
    const { envelope: answer } = await it.run(line);
    expect(problemsOf(envelope, answer), line).toEqual([]);
    const { command, data, error, warnings } = answer;
    ran.add(command);
    for (const { code } of [...warnings, ...(error ? [error] : [])]) expect(codes, line).toContain(code);
    const isComplete = error === null || error.code === "E_DRIFT" || error.code === "E_DOCTOR_FAILED";
    const output = outputs.get(command);
    // Without complete data there is nothing that could conform.
    expect(isComplete ? output && problemsOf(output, data) : [], line).toEqual([]);
  }
  expect([...ran]).toEqual(expect.arrayContaining(present));
});

function problemsOf(schema: z.ZodType, value: unknown): unknown[] {
  return schema.safeParse(value).error?.issues ?? [];
}

const note = "ñ—✓\n";
const logged = /^\[(INFO|WARN|ERROR)\] /;

function expectNotes(it: Case): void {
  for (const path of ["CLAUDE.md", "AGENTS.md"]) expect(it.read(path), path).toContain(`\n${note}`);
}

function expectPlain({ stdout, stderr }: Pick<Ran, "stdout" | "stderr">): void {
  expect(stdout + stderr).not.toContain("\u001b");
  const said = stderr.split(/\r?\n/).filter(Boolean);
  expect(said.length).toBeGreaterThan(0);
  expect(said.filter((line) => !logged.test(line))).toEqual([]);
}

test("WC-A5: under a pipe and LANG=C nothing is coloured, every line says its level, and the note is whole", async () => {
  using it = await composedCase();
  putNotes(it, "CLAUDE.md", note);
  const ran = await it.run("bootstrap", { env: { LANG: "C", LC_ALL: "C" } });
  succeeded(ran);
  expectPlain(ran);
  expectNotes(it);
});

const script = spawnSync("script", ["--version"]).stdout?.toString().includes("util-linux");

test.runIf(script)(
  "WC-A5: with --json a terminal gets the document and whole lines, and no bar",
  async () => {
    using it = await composedCase();
    putNotes(it, "CLAUDE.md", note);
    const env = { ...cleanEnv({ cwd: it.root, env: it.f.env }), TERM: "xterm-256color" };
    const command = `"${process.execPath}" "${launcher()}" bootstrap --json`;
    const { stdout, status } = spawnSync("script", ["-qefc", command, "/dev/null"], { cwd: it.root, env });
    expect(status).toBe(0);
    const shown = stdout.toString("utf8").split(/\r?\n/);
    const documents = shown.filter((line) => line.startsWith("{"));
    expect(documents.map((line) => JSON.parse(line).ok)).toEqual([true]);
    expectPlain({
      stdout: documents.join("\n"),
      stderr: shown.filter((line) => !documents.includes(line)).join("\n"),
    });
    expectNotes(it);
  },
);

test("WC-A6: a version, and the schema of every kind of document as draft 2020-12", async () => {
  using it = makeCase();
  const print = async (...args: string[]) => (await writ(args, { cwd: it.root, env: it.f.env })).stdout;
  expect(await print("--version")).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect(JSON.parse(await print("--version", "--json"))).toMatchObject({ ok: true, data: {} });
  const kinds = ["workspace", "stack", "awac", "lock", "deploy", "devvault"];
  const printed = await Promise.all(kinds.map((kind) => print("schema", kind)));
  for (const text of printed) {
    expect(JSON.parse(text)).toMatchObject({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
    });
  }
  expect(printed[1]).toBe(printed[2]);
  rmSync(it.root, { recursive: true });
});
