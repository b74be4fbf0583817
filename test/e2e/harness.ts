import { spawn } from "node:child_process";
import { join } from "node:path";
import { inject } from "vitest";
import type { Envelope } from "../../packages/writ/src/contract/index.ts";

export interface Ran {
  /** The exit code; 128 plus the signal's number where one ended it, as a shell says it. */
  code: number;
  stdout: string;
  stderr: string;
  /** What stdout says, when it is one JSON document. */
  envelope: Envelope;
}

export interface RunOptions {
  cwd: string;
  /** The whole environment beside PATH, HOME and the cache, which point into `cwd`'s own folder. */
  env?: Record<string, string>;
  stdin?: string;
  signal?: AbortSignal;
}

/** The path of the installed launcher. */
export function launcher(): string {
  return join(inject("installed"), "bin/writ.js");
}

/** What a test may rely on: nothing of the machine's own environment reaches Writ. */
export function cleanEnv({ cwd, env = {} }: Pick<RunOptions, "cwd" | "env">): Record<string, string> {
  const home = join(cwd, "..", "home");
  return {
    PATH: process.env.PATH ?? "",
    HOME: home,
    WRIT_CACHE_DIR: join(home, "cache"),
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
    ...env,
  };
}

/** Runs the installed `writ` to its end. */
export async function writ(args: readonly string[], options: RunOptions): Promise<Ran> {
  const child = spawn(process.execPath, [launcher(), ...args], {
    cwd: options.cwd,
    env: cleanEnv(options),
    stdio: ["pipe", "pipe", "pipe"],
    ...(options.signal && { signal: options.signal }),
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  // A program that does not read its input closes it; that is its right.
  child.stdin.on("error", () => {});
  child.stdin.end(options.stdin ?? "");
  const code = await new Promise<number>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (exit, signal) => resolve(exit ?? 128 + signalNumber(signal)));
  });
  return {
    code,
    stdout,
    stderr,
    get envelope(): Envelope {
      return JSON.parse(stdout);
    },
  };
}

/** Runs `writ … --json` and answers with the envelope beside the rest. */
export function writJson(args: readonly string[], options: RunOptions): Promise<Ran> {
  return writ([...args, "--json"], options);
}

function signalNumber(signal: NodeJS.Signals | null): number {
  return { SIGINT: 2, SIGKILL: 9, SIGTERM: 15 }[signal as string] ?? 0;
}
