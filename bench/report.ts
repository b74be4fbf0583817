import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg, release, totalmem } from "node:os";
import { join } from "node:path";
import { type Finding, isMet, measured, median, quantile } from "./harness.ts";

/** The machine that the figures come from. */
export interface Machine {
  at: string;
  cores: number;
  processor: string;
  memory_gb: number;
  system: string;
  node: string;
  git: string;
  writ: string;
  /** Processes that wanted to run when the bench began; above the cores, only ratios say anything. */
  load: number;
}

/** Looks the machine over. */
export function readMachine(): Machine {
  const { version } = JSON.parse(
    readFileSync(join(import.meta.dirname, "../packages/writ/package.json"), "utf8"),
  ) as { version: string };
  return {
    at: new Date().toISOString(),
    cores: cpus().length,
    processor: cpus()[0]?.model.trim() ?? "unknown",
    memory_gb: Math.round(totalmem() / 2 ** 30),
    system: `${process.platform} ${release()}`,
    node: process.versions.node,
    git: spawnSync("git", ["--version"]).stdout.toString().trim().replace("git version ", ""),
    writ: version,
    load: Math.round((loadavg()[0] ?? 0) * 10) / 10,
  };
}

/** The facts in one line. */
export function machineLine({ cores, processor, system, node, git, writ, load }: Machine): string {
  return `${cores} cores (${processor}), ${system}, node ${node}, git ${git}, writ ${writ}, load ${load}`;
}

/** One benchmark's findings as a table. */
export function table(findings: readonly Finding[]): string {
  const rows = findings.map((finding) => {
    const { what, writ, peer, unit, skipped } = finding;
    if (skipped !== undefined) return [what, "skipped", skipped, "", "", ""];
    const ratio = peer ? `x ${figure(median(writ) / median(peer.samples))}` : "";
    return [
      what,
      spread(writ, unit),
      peer ? `${spread(peer.samples, unit)}  ${peer.what}` : "",
      ratio,
      aim(finding),
      verdict(finding),
    ];
  });
  const head = ["", "writ: median (p95)", "peer: median (p95)", "ratio", "target", ""];
  const widths = head.map((_, i) => Math.max(...[head, ...rows].map((row) => (row[i] ?? "").length)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join("  ")
      .trimEnd();
  return [line(head), ...rows.map(line)].join("\n");
}

function spread(samples: readonly number[], unit: string): string {
  // Of a rate the bad end is the low one.
  const bad = quantile(samples, unit === "requests/s" ? 0.05 : 0.95);
  return `${figure(median(samples))} (${figure(bad)}) ${unit}`;
}

function aim({ target }: Finding): string {
  if (!target) return "";
  const times = target.kind === "ratio" ? "x " : "";
  return target.atMost === undefined
    ? `>= ${times}${figure(target.atLeast ?? 0)}`
    : `<= ${times}${figure(target.atMost)}`;
}

function verdict(finding: Finding): string {
  if (!finding.target) return "";
  if (isMet(finding)) return "met";
  return isMet(finding, 0.2) ? "near" : "MISSED";
}

function figure(value: number): string {
  return value >= 100 || Number.isInteger(value) ? String(Math.round(value)) : value.toPrecision(3);
}

/** Writes one benchmark's samples to bench/results/, one file a run. */
export function writeResult(name: string, result: { machine: Machine; findings: readonly Finding[] }): void {
  const folder = join(import.meta.dirname, "results");
  mkdirSync(folder, { recursive: true });
  const { machine, findings } = result;
  const judged = findings.map((finding) => ({
    ...finding,
    ...(finding.skipped === undefined && { measured: measured(finding), met: isMet(finding) }),
  }));
  const file = `${name}-${machine.at.replaceAll(/[:.]/g, "-")}.json`;
  writeFileSync(
    join(folder, file),
    `${JSON.stringify({ benchmark: name, machine, findings: judged }, null, 2)}\n`,
  );
}
