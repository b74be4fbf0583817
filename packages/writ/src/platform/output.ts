import { writeSync } from "node:fs";
import { exit } from "node:process";

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
    throw error;
  });
  return out;
}

let err: NodeJS.WriteStream | undefined;

/** Standard error as a stream. Nobody who stops reading what is said of the work stops the work. */
export function standardError(): NodeJS.WriteStream {
  if (err) return err;
  err = process.stderr;
  err.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
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
