import { type ChildProcess, spawn } from "node:child_process";
import { cleanEnv, launcher, type RunOptions } from "./harness.ts";

/** A `writ` that has not ended yet. */
export interface Running extends AsyncDisposable {
  child: ChildProcess;
  stdout: string;
  stderr: string;
  /** Resolves with the match once standard output or error holds it; rejects when the process ended without. */
  until(pattern: RegExp): Promise<RegExpExecArray>;
  /** The exit code, or the signal that ended it. */
  ended: Promise<number | NodeJS.Signals | null>;
}

export type StartOptions = Omit<RunOptions, "stdin" | "signal"> & {
  /** Standard input: closed from the start, or an open pipe that says nothing. */
  stdin?: "closed" | "silent";
};

/** Starts the installed `writ` and goes on while it runs; it is killed at the end of the block. */
export function startWrit(args: readonly string[], options: StartOptions): Running {
  const child = spawn(process.execPath, [launcher(), ...args], {
    cwd: options.cwd,
    env: cleanEnv(options),
    stdio: [options.stdin === "silent" ? "pipe" : "ignore", "pipe", "pipe"],
  });
  const listeners = new Set<() => void>();
  const running: Running = {
    child,
    stdout: "",
    stderr: "",
    until: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = pattern.exec(running.stdout) ?? pattern.exec(running.stderr);
          if (found) resolve(found);
          else if (child.exitCode !== null)
            reject(new Error(`it ended first:\n${running.stdout}${running.stderr}`));
          else return;
          listeners.delete(look);
        };
        listeners.add(look);
        look();
      }),
    ended: new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code, signal) => {
        for (const look of listeners) look();
        resolve(code ?? signal);
      });
    }),
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL");
      await running.ended;
    },
  };
  for (const name of ["stdout", "stderr"] as const) {
    child[name]?.setEncoding("utf8").on("data", (text: string) => {
      running[name] += text;
      for (const look of listeners) look();
    });
  }
  return running;
}
