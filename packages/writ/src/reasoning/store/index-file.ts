import { type BigIntStats, statSync } from "node:fs";
import { open, stat, truncate, type FileHandle } from "node:fs/promises";
import { lstatOrNull, makeFolder, requireNoLinks, storing, writeAtomic } from "../../platform/index.ts";
import type { IndexLine } from "./facts.ts";
import { at, indexFile, recordFile, recordsFolder } from "./paths.ts";
import { rebuildIndex } from "./rebuild.ts";
import { RecordIndex } from "./record-index.ts";

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

/**
 * Reads the index as it stands. A line stands before its record is there, so the last one counts only with its file.
 * An index that is gone or unreadable is made from the records; only a writer puts it back.
 */
export async function readIndex(root: string): Promise<OpenedIndex> {
  await requireNoLinks(root, indexFile);
  const kept = await refresh(root);
  if (!kept) {
    const index = await rebuildIndex(root);
    return { index, rebuilt: index.lines.length > 0 };
  }
  const last = kept.index.lines.at(-1);
  if (!last || (await isThere(root, last))) return { index: kept.index, rebuilt: false };
  return { index: RecordIndex.of(kept.index.lines.slice(0, -1)), rebuilt: false };
}

/** The same for the holder of the lock: what a dead writer left half done is cleared away first. */
export async function readIndexToWrite(root: string): Promise<OpenedIndex> {
  await requireNoLinks(root, indexFile);
  await makeFolder(at(root, recordsFolder), 0o700);
  const path = at(root, indexFile);
  const kept = await refresh(root);
  if (!kept) {
    const index = await rebuildIndex(root);
    await writeAtomic(path, index.lines.map((line) => `${JSON.stringify(line)}\n`).join(""), { mode: 0o600 });
    await remember(root, index);
    return { index, rebuilt: index.lines.length > 0 };
  }
  const last = kept.index.lines.at(-1);
  if (last && !(await isThere(root, last))) {
    await cutTo(root, kept.size - Buffer.byteLength(kept.lastLine) - 1);
    return readIndexToWrite(root);
  }
  if ((await stat(path)).size > kept.size) await cutTo(root, kept.size);
  return { index: kept.index, rebuilt: false };
}

/** Adds a line and flushes it. Its record follows; until then the line does not count. */
export async function appendLine(root: string, line: IndexLine): Promise<void> {
  await storing(indexFile, () =>
    withFile(at(root, indexFile), "a", async (file) => {
      await file.appendFile(`${JSON.stringify(line)}\n`);
      await file.sync();
    }),
  );
}

/** Takes the last line back, when its record could not be written. */
export async function dropLastLine(root: string): Promise<void> {
  const kept = await refresh(root);
  if (kept) await cutTo(root, kept.size - Buffer.byteLength(kept.lastLine) - 1);
}

async function cutTo(root: string, size: number): Promise<void> {
  keptByRoot.delete(root);
  await storing(indexFile, () => truncate(at(root, indexFile), Math.max(0, size)));
}

async function isThere(root: string, line: IndexLine): Promise<boolean> {
  return (await lstatOrNull(at(root, recordFile(line)))) !== null;
}

// Asked by whoever only looks, too, and most often nothing is there.
function statsOf(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Brings what is kept up to date, or reads everything; undefined when there is no index that can be read. */
async function refresh(root: string): Promise<Kept | undefined> {
  const path = at(root, indexFile);
  const stats = statsOf(path);
  if (!stats?.isFile()) {
    keptByRoot.delete(root);
    return undefined;
  }
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
    // A gap or a stranger in the middle: the whole index is made anew.
    if (!read || read.seq <= known.index.head.seq) return undefined;
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

async function remember(root: string, index: RecordIndex): Promise<void> {
  const stats = await stat(at(root, indexFile), { bigint: true });
  const last = index.lines.at(-1);
  const lastLine = last ? JSON.stringify(last) : "";
  keptByRoot.set(root, { index, ino: stats.ino, size: Number(stats.size), lastLine });
}
