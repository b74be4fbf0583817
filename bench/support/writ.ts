import { spawn, type ChildProcess, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Envelope } from "../../packages/writ/src/contract/index.ts";

/** The launcher of the built program, run with this Node and never through npx. */
export const launcher = join(import.meta.dirname, "../../packages/writ/bin/writ.js");

/** The arguments with which Node runs one of Writ's commands. */
export const command = (...words: string[]): string[] => [launcher, ...words, "--json"];

/** Stops the bench where nothing was built. */
export function requireBuild(): void {
  if (existsSync(join(import.meta.dirname, "../../packages/writ/dist/main.js"))) return;
  console.error("There is no build to measure: npm run build");
  process.exit(1);
}

export interface Place {
  cwd: string;
  env: Record<string, string>;
}

/** Runs the program to its end and gives its envelope; a failure ends the bench with what it said. */
export function writ(args: readonly string[], { cwd, env }: Place): Envelope {
  const done = spawnSync(process.execPath, [launcher, ...args, "--json"], {
    cwd,
    env,
    maxBuffer: 256 * 1024 * 1024,
  });
  const text = done.stdout.toString();
  if (done.status === 0) return JSON.parse(text) as Envelope;
  throw new Error(`writ ${args.join(" ")} ended with ${done.status}: ${text}${done.stderr.toString()}`);
}

/** Runs a program to its end, its output thrown away; a failure ends the bench. */
export function run(command: string, args: readonly string[], { cwd, env }: Place): void {
  const done = spawnSync(command, args, { cwd, env, stdio: ["ignore", "ignore", "pipe"] });
  if (done.status !== 0)
    throw new Error(`${command} ${args.join(" ")} ended with ${done.status}: ${done.stderr.toString()}`);
}

/** The same without waiting, for several at once. */
export function running(command: string, args: readonly string[], { cwd, env }: Place): Promise<void> {
  const child = spawn(command, args, { cwd, env, stdio: ["ignore", "ignore", "inherit"] });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) =>
      code === 0 ? resolve() : reject(new Error(`${command} ${args.join(" ")} ended with ${code}`)),
    );
  });
}

/** A program of the bench's own that runs beside it. */
export interface Beside extends AsyncDisposable {
  child: ChildProcess;
  /** What it said first, once it was ready. */
  said: string;
}

/** Starts a program and waits until it has written the line that holds `sign`. */
export async function beside(args: readonly string[], place: Place, sign: string): Promise<Beside> {
  const child = spawn(process.execPath, args, { ...place, stdio: ["pipe", "pipe", "inherit"] });
  const said = await new Promise<string>((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (bytes: Buffer) => {
      text += bytes.toString();
      if (text.includes(sign) && text.endsWith("\n")) resolve(text);
    });
    child.once("exit", (code) =>
      reject(new Error(`${args.join(" ")} ended with ${code} before it was ready: ${text}`)),
    );
  });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  return {
    child,
    said,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await exited;
    },
  };
}
