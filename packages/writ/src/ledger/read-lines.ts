import { createReadStream } from "node:fs";
import { fail } from "../contract/index.ts";

// An event is far smaller; a file without line breaks must not fill the memory.
const maxLineBytes = 8 * 1024 * 1024;
const newline = 10;

/** The lines of a file, split at "\n" alone; null for one that is not UTF-8. A last line needs its break. */
export async function* readLines(path: string): AsyncGenerator<string | null> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let rest = Buffer.alloc(0);
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    let bytes = Buffer.concat([rest, chunk]);
    for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline)) {
      yield decode(decoder, bytes.subarray(0, end));
      bytes = bytes.subarray(end + 1);
    }
    if (bytes.length > maxLineBytes) throw tooLong(bytes.length);
    rest = bytes;
  }
  // Without its break the line was cut, or its end was changed.
  if (rest.length > 0) yield null;
}

function decode(decoder: InstanceType<typeof TextDecoder>, bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}

function tooLong(found: number): Error {
  return fail("E_LIMIT", {
    message: "A line of the file is too long to be an event.",
    cause: `It has more than ${maxLineBytes} bytes.`,
    remediation: "Make the export anew: writ ledger export --out ledger.jsonl",
    details: { limit: maxLineBytes, found },
  });
}
