import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import type { Finding } from "../harness.ts";
import { type Place, run } from "./writ.ts";

/** The reference of research, bib2graph, which is not part of this repository: WRIT_BENCH_B2G names its program. */
const program = process.env.WRIT_BENCH_B2G;

/** How many times faster than the reference Writ is to be. */
const wanted = 50;

/** The row of the reference: what it took in milliseconds, once, for it takes minutes; or why there is none. */
export async function besideB2g(
  what: string,
  writ: readonly number[],
  measure: () => number | Promise<number>,
): Promise<Finding> {
  const row = { what: `${what}, against b2g`, unit: "ms" as const, writ: [...writ] };
  if (!program) return { ...row, writ: [], skipped: "WRIT_BENCH_B2G names no program of bib2graph" };
  const peer = { what: "bib2graph", samples: [await measure()] };
  return { ...row, peer, target: { kind: "ratio", atMost: 1 / wanted } };
}

/** Runs the reference in a folder of its own and says how many milliseconds it took. */
export function runB2g(words: readonly string[], { cwd, env }: Place): number {
  const startedAt = performance.now();
  run(program ?? "b2g", words, { cwd, env: { ...env, B2G_WORKSPACE: cwd } });
  return performance.now() - startedAt;
}

/** Runs lines of Python with the reference's modules; they print how many seconds the work itself took. */
export function timeB2g(lines: readonly string[], { cwd, env }: Place): number {
  const done = spawnSync(join(dirname(program ?? ""), "python"), ["-c", lines.join("\n")], { cwd, env });
  if (done.status !== 0) throw new Error(`the reference failed: ${done.stderr.toString()}`);
  return Number(done.stdout.toString()) * 1000;
}
