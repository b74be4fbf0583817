import { constants, createReadStream, fstatSync, openSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { fail } from "../../contract/index.ts";
import { readJsonOrYaml, untilAborted } from "../../platform/index.ts";
import { folderGone } from "./folder-gone.ts";

/** As much as the HTTP surface takes in a body. */
const limit = 8 * 1024 * 1024;

/** Reads a whole input from a file, or from standard input for "-", as YAML or JSON. */
export async function readInputFile(
  file: string,
  terminal: { cwd: string | undefined; stdin: AsyncIterable<Uint8Array>; signal: AbortSignal },
): Promise<Record<string, unknown>> {
  const name = file === "-" ? "standard input" : file;
  const { cwd, stdin, signal } = terminal;
  if (file !== "-" && cwd === undefined && !isAbsolute(file)) throw folderGone();
  const stream = untilAborted(file === "-" ? stdin : bytesOf(resolve(cwd ?? "/", file), signal), signal);
  const value = readJsonOrYaml(await collect(stream, name), name);
  if (value !== null && typeof value === "object" && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw malformed(
    name,
    `An input is a mapping of fields; this is ${Array.isArray(value) ? "a list" : typeof value}.`,
  );
}

/** A pipe without a writer is opened at once and read as it fills: a wait inside of `open` could not be given up. */
async function* bytesOf(path: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  if (!fstatSync(fd).isFIFO()) return yield* createReadStream(path, { fd });
  const { Socket } = await import("node:net");
  yield* new Socket({ fd, readable: true, writable: false, signal }) as AsyncIterable<Uint8Array>;
}

function malformed(name: string, cause: string) {
  return fail("USAGE_ERROR", {
    message: `${name} does not hold an input.`,
    cause,
    remediation: "Write one field a line, e.g. name: my-feature",
  });
}

async function collect(stream: AsyncIterable<Uint8Array>, name: string): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of stream) {
      size += chunk.byteLength;
      if (size > limit) break;
      chunks.push(chunk);
    }
  } catch (error) {
    throw fail("E_NOT_FOUND", {
      message: `${name} cannot be read.`,
      cause: (error as NodeJS.ErrnoException).code ?? "It failed while being read.",
      remediation: "Name a file that exists, or - for standard input.",
      from: error,
    });
  }
  if (size <= limit) return Buffer.concat(chunks);
  throw fail("E_LIMIT", {
    message: `${name} is too large.`,
    cause: `An input has at most ${limit} bytes.`,
    remediation: "Split it.",
    details: { limit, found: size },
  });
}
