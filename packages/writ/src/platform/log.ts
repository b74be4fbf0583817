import { redact } from "./redact.ts";
import { visibleLine } from "./visible.ts";

/** Where lines go, and which of them. */
export interface LogOptions {
  write: (line: string) => void;
  /** "error" leaves errors only, "debug" shows [DEBUG] too. Default "info". */
  level?: "error" | "info" | "debug";
}

/** Lines for a person or a program that follows the work: each is one line, redacted, with its level in front. */
export interface Log {
  debug(text: string): void;
  info(text: string): void;
  warn(text: string): void;
  error(text: string): void;
}

/** A text as it may stand in one line of a log: redacted, with control characters shown as escapes. */
export function oneLine(text: string): string {
  return visibleLine(redact(text));
}

/** Makes a log over a write function, which is handed whole lines. */
export function createLog(options: LogOptions): Log {
  const { write, level = "info" } = options;
  const line = (word: string, shown: boolean) => (text: string) => {
    if (shown) write(`[${word}] ${oneLine(text)}\n`);
  };
  return {
    debug: line("DEBUG", level === "debug"),
    info: line("INFO", level !== "error"),
    warn: line("WARN", level !== "error"),
    error: line("ERROR", true),
  };
}
