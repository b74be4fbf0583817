import { spawn } from "node:child_process";
import { mkdtempSync, openSync, closeSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Envelope } from "../../packages/writ/src/contract/index.ts";
import { launcher, type Place } from "./writ.ts";

/** How long a program took, and how much memory it held at most. */
export interface Measured {
  ms: number;
  /** What it used of the processors, whoever else wanted them. */
  cpuMs: number;
  peakMb: number;
  /** What it said on standard output. */
  said: string;
}

// The program tells it as it leaves: nobody else can ask once it is gone. On Linux its `maxRSS` begins with the peak of
// the program that started it, which may be larger than its own.
const tells = `import { existsSync, readFileSync, writeSync } from "node:fs";
  process.on("exit", () => {
    const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
    const status = existsSync("/proc/self/status") ? readFileSync("/proc/self/status", "utf8") : "";
    const peak = /VmHWM:\\s*(\\d+)/.exec(status)?.[1] ?? maxRSS;
    writeSync(2, \`used \${peak} \${userCPUTime + systemCPUTime}\\n\`);
  });`;

/** Runs one of Node's programs to its end; a failure ends the bench. What answers it in this process goes on meanwhile. */
export async function measureNode(args: readonly string[], { cwd, env }: Place): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), "writ-bench-said-"));
  const [out, err] = [join(folder, "out"), join(folder, "err")];
  const files = [openSync(out, "w"), openSync(err, "w")];
  try {
    const startedAt = performance.now();
    const child = spawn(process.execPath, args, {
      cwd,
      env: { ...env, NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(tells)}` },
      stdio: ["ignore", ...files],
    });
    const status = await new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", resolve);
    });
    const ms = performance.now() - startedAt;
    const [said, told] = [readFileSync(out, "utf8"), readFileSync(err, "utf8")];
    if (status !== 0) throw new Error(`${args.join(" ")} ended with ${status}: ${said}${told}`);
    const used = [...told.matchAll(/used (\d+) (\d+)/g)].map(([, kb, us]) => [
      Number(kb) / 1024,
      Number(us) / 1000,
    ]);
    const most = (at: number) => Math.max(...used.map((one) => one[at] ?? 0));
    return { ms, cpuMs: most(1), peakMb: most(0), said };
  } finally {
    for (const file of files) closeSync(file);
    rmSync(folder, { recursive: true });
  }
}

/** Runs one of Writ's commands and reads its answer. WRIT_BENCH_PROGRAM names another entry than the built one. */
export async function measureWrit(
  words: readonly string[],
  place: Place,
): Promise<Measured & { envelope: Envelope }> {
  const program = process.env.WRIT_BENCH_PROGRAM ?? launcher;
  const measured = await measureNode([program, ...words, "--json", "--quiet"], place);
  return { ...measured, envelope: JSON.parse(measured.said) as Envelope };
}
