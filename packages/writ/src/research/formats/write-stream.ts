import { createWriteStream } from "node:fs";
import { basename, dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import {
  makeFolder,
  makeTemporaryFolder,
  removeTree,
  replaceFile,
  syncFolder,
} from "../../platform/index.ts";

/** Writes a file of any size so that readers see the old content or the new, whole. Makes its folder. */
export async function writeStream(path: string, text: AsyncIterable<string>): Promise<void> {
  await makeFolder(dirname(path));
  const beside = await makeTemporaryFolder(path);
  try {
    const file = join(beside, basename(path));
    await pipeline(Readable.from(text), createWriteStream(file, { flush: true }));
    await replaceFile(file, path);
  } finally {
    await removeTree(beside);
  }
  await syncFolder(dirname(path));
}
