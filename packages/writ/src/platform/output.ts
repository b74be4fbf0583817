import { writeSync } from "node:fs";
import { exit } from "node:process";
import { storeError } from "./store-error.ts";

/** What text is written to, and what it is shown on. */
export interface Output {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
  /** The same as a stream, for those who need one. */
  stream?(): NodeJS.WriteStream;
}

let out: NodeJS.WriteStream | undefined;

/** Standard output as a stream. A reader that went away (`writ … | head`) ends the program quietly. */
export function standardOutput(): NodeJS.WriteStream {
  if (out) return out;
  out = process.stdout;
  out.on("error", (error: NodeJS.ErrnoException) => {
    // Nothing is left to say to it.
    if (error.code === "EPIPE") exit(0);
    tellRefused(error);
  });
  return out;
}

/** An answer that cannot be written, to a full disk mostly, ends the program; what it did is done. */
function tellRefused(error: Error): never {
  const { code, message, cause, remediation, exit_code } = storeError(error, "standard output").toObject();
  try {
    writeSync(2, `[ERROR] ${code}: ${message}\n  Cause: ${cause}\n  Next:  ${remediation}\n`);
  } catch {
    // Then nobody is told but by the exit code.
  }
  exit(exit_code);
}

let err: NodeJS.WriteStream | undefined;

/** Standard error as a stream. Whether what is said of the work can be written does not stop the work. */
export function standardError(): NodeJS.WriteStream {
  if (err) return err;
  err = process.stderr;
  err.on("error", () => {});
  return err;
}

/**
 * An output of this process. Making a stream for a pipe takes longer than many a command, so text is written
 * without one, until somebody asks for what only a stream can tell or do.
 */
export function outputOf(fd: number, stream: () => NodeJS.WriteStream): Output {
  let made: NodeJS.WriteStream | undefined;
  const make = (): NodeJS.WriteStream => (made ??= stream());
  return {
    write(text) {
      if (made) return made.write(text);
      let rest = Buffer.from(text);
      try {
        while (rest.length > 0) rest = rest.subarray(writeSync(fd, rest));
      } catch {
        // A pipe that is full and does not wait, a reader that left: the stream knows what to do.
        make().write(rest);
      }
      return true;
    },
    stream: make,
    get isTTY() {
      return make().isTTY === true;
    },
    get columns() {
      return make().columns;
    },
  };
}
