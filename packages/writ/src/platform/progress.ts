import type { Progress } from "../contract/index.ts";
import { oneLine, type Log } from "./log.ts";

/** Where progress is shown: one bar on a terminal, else a line of the log for each phase. */
export interface ProgressOptions {
  log: Log;
  /** Standard error, as far as it is needed here. */
  stream: { write(text: string): unknown; isTTY?: boolean; columns?: number };
  /** Shows nothing. */
  quiet?: boolean;
}

/** Shows progress events as they come. */
export interface ProgressView {
  show(event: Progress): void;
  /** Takes the bar away, so that other lines may be printed; a later event brings it back. */
  end(): void;
}

const BAR_WIDTH = 20;

/** Turns progress events into what a person at a terminal, or the reader of a log, sees. */
export function createProgress(options: ProgressOptions): ProgressView {
  if (options.quiet) return { show: () => undefined, end: () => undefined };
  return options.stream.isTTY ? bar(options.stream) : lines(options.log);
}

function lines(log: Log): ProgressView {
  let last = "";
  return {
    show(event) {
      const phase = `${event.run} ${event.phase}`;
      if (phase === last) return;
      last = phase;
      log.info(event.message ? `${event.phase}: ${event.message}` : event.phase);
    },
    end: () => undefined,
  };
}

function bar(stream: ProgressOptions["stream"]): ProgressView {
  let shown = 0;
  function draw(text: string): void {
    // Spaces over the rest of the longer text before, so that no terminal sequence is needed.
    stream.write(`\r${text.padEnd(shown)}${text.length < shown ? `\r${text}` : ""}`);
    shown = text.length;
  }
  return {
    show(event) {
      // A text as wide as the terminal would wrap, and the next one start on a new line.
      draw(barText(event).slice(0, (stream.columns || 80) - 1));
    },
    end() {
      if (shown > 0) stream.write(`\r${" ".repeat(shown)}\r`);
      shown = 0;
    },
  };
}

function barText(event: Progress): string {
  const { phase, item, done = 0, total, message } = event;
  const words = oneLine([phase, item ?? message].filter(Boolean).join(" "));
  if (!total) return words;
  const filled = Math.min(BAR_WIDTH, Math.round((done / total) * BAR_WIDTH));
  return `[${"#".repeat(filled)}${"-".repeat(BAR_WIDTH - filled)}] ${done}/${total} ${words}`;
}
