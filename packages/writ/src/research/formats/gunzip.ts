import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { fail, WritError } from "../../contract/index.ts";
import { limits } from "../model.ts";

// A small file may well be much smaller compressed.
const freeBytes = 64 * 1024;

/** What a gzip file holds; refused when it grows beyond all reason. Throws E_LIMIT, E_PARSE. */
export async function* gunzip(bytes: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  let read = 0;
  let written = 0;
  const counted = async function* () {
    for await (const chunk of bytes) {
      read += chunk.length;
      yield chunk;
    }
  };
  const packed = Readable.from(counted());
  const unpacked = createGunzip();
  packed.on("error", (error) => unpacked.destroy(error));
  packed.pipe(unpacked);
  try {
    for await (const chunk of unpacked as AsyncIterable<Uint8Array>) {
      written += chunk.length;
      if (written > freeBytes && written > limits.gzipRatio * read) throw tooDense(name);
      yield chunk;
    }
  } catch (error) {
    if (error instanceof WritError) throw error;
    throw fail("E_PARSE", {
      message: `${name} is no complete gzip file.`,
      cause: error instanceof Error ? error.message : String(error),
      remediation: `Check it with: gzip -t ${name}`,
      from: error,
    });
  } finally {
    packed.destroy();
    unpacked.destroy();
  }
}

function tooDense(name: string) {
  return fail("E_LIMIT", {
    message: `${name} unpacks to far more than bibliographies do.`,
    cause: `Its content is more than ${limits.gzipRatio} times as large as the file.`,
    remediation: "Unpack it with gunzip, look at it, and import the unpacked file.",
    details: { limit: limits.gzipRatio },
  });
}
