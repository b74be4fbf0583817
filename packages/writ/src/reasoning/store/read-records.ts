import { readdirSync, readFileSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { lstatOrNull } from "../../platform/index.ts";
import type { ReasoningRecord } from "../model/record.ts";
import type { IndexLine } from "./facts.ts";
import { at, readRecordName, recordFile, recordsFolder } from "./paths.ts";
import { digestOf, readRecord, type UnreadableCause } from "./record-bytes.ts";

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
  // Bytes that are no UTF-8 read as other text, and so have another digest.
  const text = textOf(at(root, file));
  if (text === undefined) {
    into.unreadable.push({ file, cause: "missing" });
    return;
  }
  const found = readRecord(text);
  if ("cause" in found) into.unreadable.push({ file, cause: found.cause });
  else if (digestOf(text) !== line.digest) into.unreadable.push({ file, cause: "digest" });
  else into.records.push(found.record);
}

function textOf(path: string): string | undefined {
  return orAbsent(() => readFileSync(path, "utf8"));
}

function bytesOf(path: string): Buffer | undefined {
  return orAbsent(() => readFileSync(path));
}

function orAbsent<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "EISDIR"].includes((error as NodeJS.ErrnoException).code ?? ""))
      return undefined;
    throw error;
  }
}

/** One file of the store, as it lies there. */
export interface FoundFile {
  task: string;
  file: string;
  bytes: Buffer;
  named?: { seq: number; id: string };
}

/** The names of the task folders that are there; a link is none. */
export async function taskFolders(root: string): Promise<string[]> {
  if (!(await lstatOrNull(at(root, recordsFolder)))?.isDirectory()) return [];
  return readdirSync(at(root, recordsFolder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

/** The names of the JSON files of one task, in order. */
function filesOf(root: string, task: string): string[] {
  try {
    return readdirSync(at(root, `${recordsFolder}/${task}`))
      .filter((name) => name.endsWith(".json"))
      .sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

/** Every JSON file of the given tasks, read whole. */
export function* readFolders(root: string, tasks: readonly string[]): Generator<FoundFile> {
  for (const task of tasks) {
    for (const name of filesOf(root, task)) {
      const file = `${recordsFolder}/${task}/${name}`;
      const bytes = bytesOf(at(root, file));
      const named = readRecordName(name);
      if (bytes) yield { task, file, bytes, ...(named && { named }) };
    }
  }
}

/** Files of these tasks that no line of the index names. */
export function strangers(
  root: string,
  { tasks, known }: { tasks: readonly string[]; known: ReadonlySet<string> },
): Unreadable[] {
  return tasks.flatMap((task) =>
    filesOf(root, task)
      .map((name) => `${recordsFolder}/${task}/${name}`)
      .filter((file) => !known.has(file))
      .map((file) => {
        const bytes = bytesOf(at(root, file));
        const found = readRecord(bytes?.toString("utf8") ?? "");
        return { file, cause: "cause" in found ? found.cause : ("not_in_index" as const) };
      }),
  );
}
