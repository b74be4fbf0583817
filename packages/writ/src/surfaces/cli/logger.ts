import type { Progress } from "../../contract/index.ts";
import { createLog, createProgress, type Output } from "../../platform/index.ts";
import type { Common } from "./arguments.ts";
import type { Terminal } from "./run-cli.ts";

/** What is said beside the answer, on standard error. */
export interface Logger {
  warn(line: string): void;
  progress(event: Progress): void;
  colour(stream: Output): boolean;
  /** Takes the progress bar away. */
  clear(): void;
}

/** Logs as the common flags ask: --quiet leaves errors only, --verbose adds debug lines. */
export function createLogger(terminal: Terminal, common: Common, json: boolean): Logger {
  const { settings } = terminal;
  const write = (text: string): void => void terminal.stderr.write(text);
  const quiet = common.quiet === true;
  const log = createLog({ write, level: quiet ? "error" : common.verbose ? "debug" : "info" });
  // Beside a document only lines are written: both may go to one terminal, and into one file.
  const progress = createProgress({ log, stream: json ? { write } : terminal.stderr, quiet });
  const plain = common["no-color"] === true || settings.env("NO_COLOR") !== undefined;
  return {
    warn: (line) => log.warn(line),
    progress: (event) => progress.show(event),
    colour: (stream) => stream.isTTY === true && !plain,
    clear: () => progress.end(),
  };
}
