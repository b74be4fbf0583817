import { type CliDeps, runCli } from "../../packages/writ/src/surfaces/cli/index.ts";
import { createSettings } from "../../packages/writ/src/platform/index.ts";
import type { Envelope } from "../../packages/writ/src/contract/index.ts";

export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
  /** Standard output as one JSON document; throws when it is not. */
  envelope(): Envelope;
}

export interface TerminalOptions {
  cwd: string;
  env?: Record<string, string>;
  stdin?: string;
  /** Both streams are a terminal. */
  tty?: boolean;
  signal?: AbortSignal;
}

/** Runs one command line in this process, on streams that are kept. */
export async function runLine(
  deps: CliDeps,
  argv: readonly string[],
  options: TerminalOptions,
): Promise<Ran> {
  const out: string[] = [];
  const err: string[] = [];
  const tty = options.tty === true;
  const code = await runCli(
    {
      argv,
      cwd: options.cwd,
      settings: createSettings(options.env ?? {}),
      stdin: Object.assign(bytesOf(options.stdin ?? ""), { isTTY: tty }),
      stdout: { write: (text) => out.push(text), isTTY: tty, columns: 100 },
      stderr: { write: (text) => err.push(text), isTTY: tty, columns: 100 },
      signal: options.signal ?? new AbortController().signal,
    },
    deps,
  );
  const stdout = out.join("");
  return { code, stdout, stderr: err.join(""), envelope: () => JSON.parse(stdout) as Envelope };
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
