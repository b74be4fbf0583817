import { statSync } from "node:fs";
import { open, readdir, rm, stat, truncate, type FileHandle } from "node:fs/promises";
import { requireNoLinks, storing, unsafeLink, writeAtomic } from "../../platform/index.ts";
import type { IndexLine } from "./facts.ts";
import { at, indexFile, recordsFolder } from "./paths.ts";
import { rebuildIndex } from "./rebuild.ts";
import { RecordIndex } from "./record-index.ts";
import { opening } from "./refused.ts";
import { readTold } from "./told-file.ts";
import { hasOpenEnd, isWhole } from "./whole.ts";

/** What this process has read of one index, so that the next call reads only what was added. */
interface Kept {
  index: RecordIndex;
  ino: bigint;
  /** Bytes up to the end of the last whole line. */
  size: number;
  lastLine: string;
}

const keptByRoot = new Map<string, Kept>();
// A server may serve many checkouts in its life, and an index is some megabytes.
const mostKept = 8;

/** The index of a checkout, and whether it had to be made from the records themselves. */
export interface OpenedIndex {
  index: RecordIndex;
  rebuilt: boolean;
}

/** The index as its one writer has it. */
export interface WriterIndex extends OpenedIndex {
  /** Numbers up to this one may be those of files. */
  taken: number;
}

/**
 * Reads the index as it stands. A line stands before its record is there, so the last one counts only with its file.
 * An index that cannot be the whole is made from the records; only a writer puts it back.
 */
export async function readIndex(root: string): Promise<OpenedIndex> {
  return opening(indexFile, async () => {
    await opening(recordsFolder, () => requireNoLinks(root, indexFile));
    // Before the lines: nobody is told of a record that those do not have.
    const told = await readTold(root);
    const kept = await refresh(root);
    const index = kept && hasOpenEnd(root, kept.index, told) ? withoutLast(kept.index) : kept?.index;
    if (index && (await isWhole(root, index, told))) return { index, rebuilt: false };
    const made = (await rebuildIndex(root)).index;
    return { index: made, rebuilt: made.lines.length > 0 };
  });
}

/**
 * The same for the holder of the lock: what a dead writer left half done is cleared away first. What is made from the
 * records is on the disk once {@link appendLine} wrote.
 */
export async function readIndexToWrite(root: string): Promise<WriterIndex> {
  return opening(indexFile, async () => {
    await opening(recordsFolder, () => requireNoLinks(root, indexFile));
    const told = await readTold(root);
    const kept = await refresh(root);
    if (kept && hasOpenEnd(root, kept.index, told)) {
      await takeBack(root, kept);
      return readIndexToWrite(root);
    }
    if (kept && (await isWhole(root, kept.index, told))) {
      if ((await stat(at(root, indexFile))).size > kept.size) await cutTo(root, kept.size);
      return { index: kept.index, rebuilt: false, taken: kept.index.head.seq };
    }
    const { index, taken, closed } = await rebuildIndex(root);
    // Behind a closed door numbers may be given already.
    const [hidden] = closed;
    if (hidden !== undefined) await opening(recordsFolder, () => readdir(at(root, hidden)));
    const changed = textOf(index.lines) !== textOf(kept?.index.lines ?? []);
    return { index, rebuilt: changed && index.lines.length > 0, taken: Math.max(taken, index.head.seq) };
  });
}

/** The index after a line was added to it under the lock. */
export async function readBack(root: string): Promise<RecordIndex> {
  return opening(indexFile, async () => (await refresh(root))?.index ?? (await rebuildIndex(root)).index);
}

/** Adds a line and flushes it. Its record follows; until then the line does not count. */
export async function appendLine(root: string, { index }: WriterIndex, line: IndexLine): Promise<void> {
  const path = at(root, indexFile);
  await opening(indexFile, async () => {
    // An index that was made from the records is not on the disk yet.
    if (keptByRoot.get(root)?.index !== index) {
      keptByRoot.delete(root);
      await writeAtomic(path, textOf([...index.lines, line]), { mode: 0o600 });
      return;
    }
    await withFile(path, "a", async (file) => {
      await file.appendFile(textOf([line]));
      await file.sync();
    });
  });
}

/** Takes the last line back, when its record could not be written. */
export async function dropLastLine(root: string): Promise<void> {
  const kept = await refresh(root);
  if (kept) await takeBack(root, kept);
}

const textOf = (lines: readonly IndexLine[]): string =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join("");

async function takeBack(root: string, { index, size, lastLine }: Kept): Promise<void> {
  const left = size - Buffer.byteLength(lastLine) - 1;
  if (left > 0 && index.lines.at(-1)?.after === undefined) return cutTo(root, left);
  // Nothing would be left, or not what is known of the numbers between: the next writer asks the files again.
  keptByRoot.delete(root);
  await storing(indexFile, () => rm(at(root, indexFile), { force: true }));
}

async function cutTo(root: string, size: number): Promise<void> {
  keptByRoot.delete(root);
  await storing(indexFile, () => truncate(at(root, indexFile), size));
}

const withoutLast = ({ lines }: RecordIndex): RecordIndex => RecordIndex.of(lines.slice(0, -1));

/** Brings what is kept up to date, or reads everything; undefined when there is no index that can be read. */
async function refresh(root: string): Promise<Kept | undefined> {
  const path = at(root, indexFile);
  // Asked by whoever only looks, too, and most often nothing is there.
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (!stats) {
    keptByRoot.delete(root);
    return undefined;
  }
  if (stats.isDirectory()) throw Object.assign(new Error("a folder"), { code: "EISDIR", path });
  if (!stats.isFile()) throw unsafeLink(indexFile, "a special file");
  const known = keptByRoot.get(root);
  const grown = known && known.ino === stats.ino && Number(stats.size) >= known.size;
  const kept = (grown && (await readFrom(path, known))) || (await readFrom(path, fresh(stats.ino)));
  keptByRoot.delete(root);
  if (!kept) return undefined;
  if (keptByRoot.size >= mostKept) keptByRoot.delete([...keptByRoot.keys()][0] ?? "");
  keptByRoot.set(root, kept);
  return kept;
}

const fresh = (ino: bigint): Kept => ({ index: new RecordIndex(), ino, size: 0, lastLine: "" });

/** Reads on from the last line that is known; it is read again, since it may have been cut and another written. */
async function readFrom(path: string, known: Kept): Promise<Kept | undefined> {
  const from = known.lastLine === "" ? 0 : known.size - Buffer.byteLength(known.lastLine) - 1;
  const text = await readTail(path, from);
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  const lines = whole.split("\n").slice(0, -1);
  if (known.lastLine !== "" && lines.shift() !== known.lastLine) return undefined;
  for (const line of lines) {
    const read = parseLine(line);
    // A gap that nothing speaks of, or a stranger in the middle: the whole index is made anew.
    const { seq } = known.index.head;
    if (!read || read.seq <= seq || (read.after ?? read.seq - 1) !== seq) return undefined;
    known.index.add(read);
  }
  const size = from + Buffer.byteLength(whole);
  return { ...known, size, lastLine: lines.at(-1) ?? known.lastLine };
}

async function readTail(path: string, from: number): Promise<string> {
  return withFile(path, "r", async (file) => {
    const { size } = await file.stat();
    const bytes = Buffer.alloc(Math.max(0, size - from));
    const { bytesRead } = await file.read(bytes, 0, bytes.length, from);
    return bytes.toString("utf8", 0, bytesRead);
  });
}

async function withFile<T>(path: string, flags: string, work: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await open(path, flags, 0o600);
  try {
    return await work(file);
  } finally {
    await file.close();
  }
}

function parseLine(line: string): IndexLine | undefined {
  try {
    const read = JSON.parse(line) as Partial<IndexLine>;
    const sound =
      typeof read.seq === "number" && typeof read.id === "string" && typeof read.digest === "string";
    return sound ? (read as IndexLine) : undefined;
  } catch {
    return undefined;
  }
}
