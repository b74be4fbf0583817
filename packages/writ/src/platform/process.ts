import type { ChildProcess } from "node:child_process";
import { getBuiltinModule, kill, platform } from "node:process";

/** One run of another program: an argument vector and an environment, never a shell. */
export interface ProcessCall {
  command: string;
  args: readonly string[];
  cwd?: string;
  /** The whole environment of the program; nothing is inherited. */
  env: Record<string, string>;
  /** Closed by default: no program may wait for a person. Open, it is the caller's to write and to end. */
  stdin?: "closed" | "open" | Uint8Array;
  timeoutMs: number;
  /** Bound of stdout; beyond it the program is killed. Default 64 MiB. */
  maxOutputBytes?: number;
  signal?: AbortSignal;
}

/** Why a program was stopped before its own end. */
export type Stopped = "timeout" | "abort" | "output";

export interface ProcessResult {
  /** The exit code; null when a signal ended it. */
  code: number | null;
  stdout: Buffer;
  /** Decoded leniently; of a flood only the last megabyte is kept. */
  stderr: string;
  timedOut: boolean;
  stopped?: Stopped;
}

/** A running program whose output is read while it runs. */
export interface RunningProcess {
  child: ChildProcess;
  /** Settles once the program and its pipes are closed; rejects when it could not be started. */
  ended: Promise<Omit<ProcessResult, "stdout">>;
  /** Starts the time limit anew. */
  touch(): void;
  stop(why: Stopped): void;
}

const MAX_OUTPUT = 64 * 1024 * 1024;
const MAX_STDERR = 1024 * 1024;
// Long enough for git to remove its own lock files after SIGTERM, too short for a person to notice.
const GRACE_MS = 500;

/**
 * Starts a program in a process group of its own and keeps its limits: the whole group is killed at the
 * time limit, on abort, and by `stop`.
 */
export function startProcess(call: ProcessCall): RunningProcess {
  // Loaded by the first program that is run: most commands run none, and would wait for it at their start.
  const { spawn } = getBuiltinModule("node:child_process");
  const child = spawn(call.command, [...call.args], {
    cwd: call.cwd,
    env: call.env,
    stdio: [(call.stdin ?? "closed") === "closed" ? "ignore" : "pipe", "pipe", "pipe"],
    // A group of its own, so that what git starts (ssh, remote helpers) dies with it.
    detached: platform !== "win32",
    windowsHide: true,
  });
  let stopped: Stopped | undefined;
  let over = false;
  let grace: NodeJS.Timeout | undefined;
  const stop = (why: Stopped): void => {
    // The number of a process that has ended may be another's by now.
    if (stopped || over) return;
    stopped = why;
    killGroup(child, "SIGTERM");
    grace = setTimeout(() => {
      killGroup(child, "SIGKILL");
      // A grandchild that left the group may still hold the pipes; Writ does not wait for it.
      child.stdout?.destroy();
      child.stderr?.destroy();
    }, GRACE_MS);
  };
  const timer = setTimeout(() => stop("timeout"), call.timeoutMs);
  const onAbort = (): void => stop("abort");
  if (call.signal?.aborted) onAbort();
  else call.signal?.addEventListener("abort", onAbort, { once: true });
  // A program that ends without reading its input is no fault of ours.
  child.stdin?.on("error", () => {});
  if (call.stdin instanceof Uint8Array) child.stdin?.end(call.stdin);
  const stderr = keepTail(child);
  const ended = new Promise<Omit<ProcessResult, "stdout">>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) =>
      resolve({ code, stderr: stderr(), timedOut: stopped === "timeout", ...(stopped && { stopped }) }),
    );
  }).finally(() => {
    over = true;
    clearTimeout(timer);
    clearTimeout(grace);
    // The leader is gone, but a child that ignored SIGTERM may hold on.
    if (stopped) killGroup(child, "SIGKILL");
    call.signal?.removeEventListener("abort", onAbort);
  });
  return { child, ended, touch: () => void timer.refresh(), stop };
}

/** Runs a program to its end and returns what it wrote. Rejects only when it could not be started. */
export async function runProcess(call: ProcessCall): Promise<ProcessResult> {
  const running = startProcess(call);
  const chunks: Buffer[] = [];
  let size = 0;
  const bound = call.maxOutputBytes ?? MAX_OUTPUT;
  running.child.stdout?.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size > bound) running.stop("output");
    else chunks.push(chunk);
  });
  const end = await running.ended;
  return { ...end, stdout: Buffer.concat(chunks) };
}

function keepTail(child: ChildProcess): () => string {
  let tail = Buffer.alloc(0);
  child.stderr?.on("data", (chunk: Buffer) => {
    tail = Buffer.concat([tail, chunk]);
    if (tail.length > MAX_STDERR) tail = tail.subarray(tail.length - MAX_STDERR);
  });
  return () => tail.toString("utf8");
}

function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (platform === "win32") child.kill(signal);
    else kill(-child.pid, signal);
  } catch {
    // The group is gone already, which is what was wanted.
  }
}
