import { type FileHandle, open, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { replaceFile } from "../../platform/index.ts";

const bufferLength = 1 << 16;

/** Pieces of text, of any number; bytes are text in UTF-8 already. */
export type Pieces = AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>;

/** Writes a file piece by piece, beside and then renamed: a reader sees the old one or the new one, whole. */
export async function writePieces(path: string, pieces: Pieces): Promise<void> {
  const beside = join(dirname(path), `.${basename(path)}.partial`);
  try {
    await fill(await open(beside, "w"), pieces);
    await replaceFile(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}

async function fill(file: FileHandle, pieces: Pieces): Promise<void> {
  try {
    let held = "";
    for await (const piece of pieces) {
      if (typeof piece !== "string") {
        // `write` may take a part only, at the end of a disk, and say nothing; `appendFile` writes all or fails.
        await file.appendFile(held);
        await file.appendFile(piece);
        held = "";
        continue;
      }
      held += piece;
      if (held.length < bufferLength) continue;
      await file.appendFile(held);
      held = "";
    }
    await file.appendFile(held);
    await file.sync();
  } finally {
    await file.close();
  }
}
