import type { ReasoningRecord, RecordSchema } from "../model/record.ts";
import { isOf } from "../model/is-of.ts";
import { Records } from "../records/records.ts";
import { factsOf, type IndexLine } from "./facts.ts";
import { recordsFolder } from "./paths.ts";
import { readFolders, taskFolders } from "./read-records.ts";
import { digestOf, readRecord } from "./record-bytes.ts";
import { RecordIndex } from "./record-index.ts";

/** An index as the files give it. */
export interface Rebuilt {
  index: RecordIndex;
  /** The greatest number in the name of a file, also of one that cannot be read: it is taken. */
  taken: number;
  /** Folders of tasks that this user may not look into. */
  closed: string[];
}

interface Found {
  record: ReasoningRecord;
  digest: string;
}

// What names a greater number is no record of this program, and would leave it none to give.
const greatest = 1e11;

/**
 * Makes the index anew from the files alone: their names say the order. A file that is no sound record under the
 * name it has is left out, and the checks say so.
 */
export async function rebuildIndex(root: string): Promise<Rebuilt> {
  let schema: typeof RecordSchema | undefined;
  let taken = 0;
  const found: Found[] = [];
  const closed: string[] = [];
  for (const one of readFolders(root, await taskFolders(root))) {
    const { task, file, named } = one;
    if (named && named.seq <= greatest) taken = Math.max(taken, named.seq);
    if (file === `${recordsFolder}/${task}`) closed.push(file);
    if ("cause" in one || !named) continue;
    const read = readRecord(one.bytes.toString("utf8"));
    if ("cause" in read) continue;
    const { record } = read;
    if (record.id !== named.id || record.seq !== named.seq || record.task !== task) continue;
    // Loaded with the first record: most workspaces have none.
    schema ??= (await import("../model/record.ts")).RecordSchema;
    if (schema.safeParse(record).success) found.push({ record, digest: digestOf(one.bytes) });
  }
  const records = new Records();
  const index = new RecordIndex();
  for (const { record, digest } of oneChain(found)) {
    records.add(record);
    index.add(following(index, lineOf(record, { digest, records })));
  }
  return { index, taken, closed };
}

/** One record a number: of several, the one that the chosen next one names, or else the oldest. */
function oneChain(found: readonly Found[]): Found[] {
  const age = ({ record }: Found): string => `${record.recorded_at} ${record.id}`;
  const bySeq = Map.groupBy(
    found.toSorted((a, b) => (age(a) < age(b) ? -1 : 1)),
    ({ record }) => record.seq,
  );
  let next: ReasoningRecord | undefined;
  const chosen: Found[] = [];
  for (const seq of [...bySeq.keys()].sort((a, b) => b - a)) {
    const some = bySeq.get(seq) ?? [];
    const one = some.find(({ digest }) => digest === next?.prev) ?? some[0];
    if (!one) continue;
    chosen.push(one);
    next = one.record;
  }
  return chosen.reverse();
}

/** A line as it follows the last of an index: where numbers are left out, it says so. */
export function following({ head }: RecordIndex, line: IndexLine): IndexLine {
  return line.seq === head.seq + 1 ? line : { ...line, after: head.seq };
}

/** The line of a record; `records` hold what it refers to. */
export function lineOf(
  record: ReasoningRecord,
  { digest, records }: { digest: string; records: Records },
): IndexLine {
  const { seq, id, task, body, recorded_at, act, capability } = record;
  const root = records.rootOf(body);
  const asked = body.kind === "consultation" ? records.find(body.dispatch) : undefined;
  return {
    seq,
    id,
    task,
    kind: body.kind,
    at: recorded_at,
    ...(root !== undefined && { root }),
    digest,
    act,
    capability,
    facts: factsOf(body, isOf(asked, "dispatch") ? asked.body.request_bytes : 0),
  };
}
