/**
 * The one command that proves the tree: `npm test`, and all that CI runs.
 *
 * Each step prints one line. A failing step prints its output and the others still run; the last line is
 * the sum, where a step that is no test run counts as one.
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { stripVTControlCharacters } from "node:util";

const root = join(import.meta.dirname, "..");
const scratch = await mkdtemp(join(tmpdir(), "writ-prove-"));
const absentFile = join(scratch, "absent.jsonl");

interface Sum {
  passed: number;
  failed: number;
  skipped: number;
}

interface Step {
  name: string;
  command: [program: string, ...args: string[]];
  /** Where a test run leaves its counts. */
  report?: string;
}

function vitest(name: string, project: string): Step {
  const report = join(scratch, `${project}.json`);
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  return {
    name,
    command: ["vitest", "run", "--project", project, "--passWithNoTests", ...reporters],
    report,
  };
}

const steps: Step[] = [
  ...(existsSync(join(root, "scripts/generate.ts"))
    ? [{ name: "generate", command: ["node", "scripts/generate.ts"] } satisfies Step]
    : []),
  { name: "format", command: ["biome", "format", "."] },
  { name: "lint", command: ["oxlint"] },
  { name: "types", command: ["tsc", "-b", "tsconfig.build.json", "tsconfig.json"] },
  { name: "build", command: ["node", "scripts/build.ts"] },
  vitest("unit, contract and architecture tests", "unit"),
  vitest("the page, in a browser", "browser"),
  vitest("end to end, through the packed tarball", "e2e"),
  { name: "unused code", command: ["knip"] },
  { name: "derived files", command: ["node", "scripts/derive.ts", "--check"] },
];

async function run({ command: [program, ...args] }: Step): Promise<{ code: number; output: string }> {
  const env = {
    ...process.env,
    PATH: [join(root, "node_modules/.bin"), process.env.PATH].join(delimiter),
    WRIT_TEST_ABSENT_FILE: absentFile,
    NO_COLOR: "1",
  };
  const child = spawn(program, args, { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => chunks.push(chunk));
  const code = await new Promise<number>((resolve) => {
    child.on("error", (error) => {
      chunks.push(Buffer.from(`${error.message}\n`));
      resolve(1);
    });
    child.on("close", (exit, signal) => resolve(signal ? 1 : (exit ?? 1)));
  });
  return { code, output: stripVTControlCharacters(Buffer.concat(chunks).toString()) };
}

/** The counts of a step. A test run that failed without a failed test (no report, a broken file) failed once. */
async function sumOf(step: Step, code: number): Promise<Sum> {
  const one: Sum = { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
  if (!step.report) return one;
  if (!existsSync(step.report)) return { ...one, passed: 0 };
  const report = JSON.parse(await readFile(step.report, "utf8"));
  const failed: number = report.numFailedTests;
  return {
    passed: report.numPassedTests,
    failed: code !== 0 && failed === 0 ? 1 : failed,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

function inWords({ passed, failed, skipped }: Sum): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

const total: Sum = { passed: 0, failed: 0, skipped: 0 };
for (const step of steps) {
  const started = performance.now();
  const { code, output } = await run(step);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const sum = await sumOf(step, code);
  const counts = step.report ? `   ${inWords(sum)}` : "";
  console.log(`${sum.failed === 0 ? "ok  " : "FAIL"}  ${step.name}   ${seconds} s${counts}`);
  if (sum.failed > 0) console.log(output.replace(/^/gm, "      "));
  total.passed += sum.passed;
  total.failed += sum.failed;
  total.skipped += sum.skipped;
}

if (existsSync(absentFile)) {
  const lines = new Set((await readFile(absentFile, "utf8")).trim().split("\n"));
  for (const line of lines) {
    const { suite, need, hint } = JSON.parse(line);
    console.log(`not run: ${suite}, because ${need} is absent (${hint})`);
  }
}
await rm(scratch, { recursive: true, force: true });
console.log(inWords(total));
process.exitCode = total.failed > 0 ? 1 : 0;
