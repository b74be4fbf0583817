import { type Dirent, lstatSync, readdirSync, readFileSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { errnoOf, lstatOrNull, storeError } from "../../platform/index.ts";
import { bounds } from "../model/bounds.ts";
import type { ReasoningRecord } from "../model/record.ts";
import type { IndexLine } from "./facts.ts";
import { at, readRecordName, recordFile, recordsFolder } from "./paths.ts";
import { digestOf, readRecord, type UnreadableCause } from "./record-bytes.ts";
import { opening } from "./refused.ts";

/** A file that is not part of the state, and why. */
export interface Unreadable {
  /** Relative to the workspace. */
  file: string;
  cause: UnreadableCause;
}

export interface LoadedRecords {
  records: ReasoningRecord[];
  unreadable: Unreadable[];
}

// Small files are read several times faster one after the other; between portions others get their turn.
const portion = 256;

/** Reads the records of these lines. What is damaged or gone is listed, and everything else is there. */
export async function readLines(root: string, lines: readonly IndexLine[]): Promise<LoadedRecords> {
  const loaded: LoadedRecords = { records: [], unreadable: [] };
  for (const [i, line] of lines.entries()) {
    if (i > 0 && i % portion === 0) await setImmediate();
    readLine(root, line, loaded);
  }
  return loaded;
}

function readLine(root: string, line: IndexLine, into: LoadedRecords): void {
  const file = recordFile(line);
  // Read as text at once, which is the fastest; bytes that are no UTF-8 have another digest then, too.
  const looked = look(root, file, (path) => ({ text: readFileSync(path, "utf8") }));
  if ("cause" in looked) {
    into.unreadable.push({ file, cause: looked.cause });
    return;
  }
  const found = readRecord(looked.text);
  if ("cause" in found) into.unreadable.push({ file, cause: found.cause });
  else if (digestOf(looked.text) !== line.digest) into.unreadable.push({ file, cause: "digest" });
  else into.records.push(found.record);
}

/** Whether the record that a line names is not there at all. */
export function isGone(root: string, line: IndexLine): boolean {
  const looked = look(root, recordFile(line), () => ({}));
  return "cause" in looked && looked.cause === "missing";
}

/** The digest of the record that a line names, as it lies there; undefined where it cannot be read. */
export function digestOfFile(root: string, line: IndexLine): string | undefined {
  const looked = look(root, recordFile(line), bytesOf);
  return "bytes" in looked ? digestOf(looked.bytes) : undefined;
}

interface Unread {
  cause: UnreadableCause;
}

const bytesOf = (path: string): { bytes: Buffer } => ({ bytes: readFileSync(path) });

/** Reads a file of a record's size. A pipe would be waited for and a stranger may be huge: neither is opened. */
function look<T extends object>(root: string, file: string, read: (path: string) => T): T | Unread {
  try {
    const stats = lstatSync(at(root, file), { throwIfNoEntry: false });
    if (!stats) return { cause: "missing" };
    if (!stats.isFile() || stats.size > bounds.recordBytes) return { cause: "unparsable" };
    return read(at(root, file));
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(errnoOf(error) ?? "")) return { cause: "missing" };
    if (isDenied(error)) return { cause: "denied" };
    throw storeError(error, file);
  }
}

const isDenied = (error: unknown): boolean => ["EACCES", "EPERM", "EIO"].includes(errnoOf(error) ?? "");

/** One file of the store, as it lies there; or the folder of a task, where the system does not show what is in it. */
export type FoundFile = { task: string; file: string; named?: { seq: number; id: string } } & (
  | { bytes: Buffer }
  | Unread
);

/** The names of the task folders that are there; a link is none. */
export async function taskFolders(root: string): Promise<string[]> {
  return opening(recordsFolder, async () => {
    if (!(await lstatOrNull(at(root, recordsFolder)))?.isDirectory()) return [];
    return readdirSync(at(root, recordsFolder), { withFileTypes: true })
      .filter((entry: Dirent) => entry.isDirectory())
      .map(({ name }) => name)
      .sort();
  });
}

/** The JSON files of one task, in order; undefined where its folder is closed to this user. */
function filesOf(root: string, task: string): string[] | undefined {
  const folder = `${recordsFolder}/${task}`;
  try {
    return readdirSync(at(root, folder))
      .filter((name) => name.endsWith(".json"))
      .sort()
      .map((name) => `${folder}/${name}`);
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(errnoOf(error) ?? "")) return [];
    if (isDenied(error)) return undefined;
    throw storeError(error, folder);
  }
}

const closed = (task: string): FoundFile => ({ task, file: `${recordsFolder}/${task}`, cause: "denied" });

/** Every JSON file of the given tasks, read whole. */
export function* readFolders(root: string, tasks: readonly string[]): Generator<FoundFile> {
  for (const task of tasks) {
    const files = filesOf(root, task);
    if (!files) yield closed(task);
    for (const file of files ?? []) {
      const looked = look(root, file, bytesOf);
      // It went while the folder was read.
      if ("cause" in looked && looked.cause === "missing") continue;
      const named = readRecordName(file.slice(file.lastIndexOf("/") + 1));
      yield { task, file, ...(named && { named }), ...looked };
    }
  }
}

/** Whether a file has the name of a record and no line of the index names it. Opens none of them. */
export async function hasUnlisted(root: string, lines: readonly IndexLine[]): Promise<boolean> {
  const known = new Set(lines.map(recordFile));
  return (await taskFolders(root)).some((task) =>
    filesOf(root, task)?.some(
      (file) => !known.has(file) && readRecordName(file.slice(file.lastIndexOf("/") + 1)) !== undefined,
    ),
  );
}

/** Files of these tasks that no line of the index names. */
export function strangers(
  root: string,
  { tasks, known }: { tasks: readonly string[]; known: ReadonlySet<string> },
): Unreadable[] {
  return tasks.flatMap((task) => {
    const files = filesOf(root, task);
    if (!files) return [{ file: `${recordsFolder}/${task}`, cause: "denied" as const }];
    return files
      .filter((file) => !known.has(file))
      .map((file) => {
        const looked = look(root, file, bytesOf);
        if ("cause" in looked) return { file, cause: looked.cause };
        const found = readRecord(looked.bytes.toString("utf8"));
        return { file, cause: "cause" in found ? found.cause : ("not_in_index" as const) };
      });
  });
}
