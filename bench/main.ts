/**
 * Runs benchmarks against what `npm run build` made.
 *
 *   npm run bench -- [NAME...] [--runs N] [--check] [--list]
 *
 * One that takes long is run by its whole name only. --check exits with 1 when a target is missed by more than a fifth.
 */
import { globSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Benchmark, type Finding, isMet } from "./harness.ts";
import { machineLine, readMachine, table, writeResult } from "./report.ts";
import { requireBuild } from "./support/writ.ts";

async function benchmarks(): Promise<Benchmark[]> {
  const files = globSync("{*,workspace/*,reasoning/*,research/*}.bench.ts", {
    cwd: import.meta.dirname,
  }).toSorted();
  const modules = await Promise.all(files.map((file) => import(join(import.meta.dirname, file))));
  return modules.map((module) => (module as { benchmark: Benchmark }).benchmark);
}

function choose(all: readonly Benchmark[], names: readonly string[]): readonly Benchmark[] {
  const means = (name: string, one: Benchmark) => (one.long ? one.name === name : one.name.startsWith(name));
  const unknown = names.find((name) => !all.some((one) => means(name, one)));
  if (unknown !== undefined) {
    console.error(`There is no benchmark "${unknown}": ${all.map((one) => one.name).join(", ")}.`);
    process.exit(1);
  }
  return all.filter((one) => (names.length === 0 ? !one.long : names.some((name) => means(name, one))));
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: "string", default: "15" },
    check: { type: "boolean", default: false },
    list: { type: "boolean", default: false },
  },
});
const all = await benchmarks();
const chosen = choose(all, positionals);
if (values.list) {
  for (const { name, about } of positionals.length === 0 ? all : chosen)
    console.log(`${name.padEnd(22)} ${about}`);
  process.exit(0);
}
requireBuild();
const missed: Finding[] = [];
for (const benchmark of chosen) {
  const machine = readMachine();
  console.log(`\n${benchmark.name}: ${benchmark.about}\n${machineLine(machine)}\n`);
  const findings: Finding[] = [];
  try {
    const found = benchmark.run({ runs: Number(values.runs) });
    for await (const part of Symbol.asyncIterator in found ? found : [found]) findings.push(...part);
  } finally {
    if (findings.length > 0) {
      console.log(table(findings));
      writeResult(benchmark.name.replaceAll("/", "-"), { machine, findings });
    }
  }
  missed.push(...findings.filter((finding) => !isMet(finding, 0.2)));
}
if (missed.length > 0)
  console.log(`\nMissed by more than a fifth: ${missed.map(({ what }) => what).join("; ")}`);
if (values.check && missed.length > 0) process.exit(1);
