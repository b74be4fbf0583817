import { fail } from "../../contract/index.ts";
import type { ReasoningRecord } from "../model/record.ts";
import { Records } from "../records/records.ts";
import { lookAtCheckout } from "../reuse/checkout.ts";
import type { Room } from "../settings/room.ts";
import { requireTaskId, untasked } from "../tasks/task-files.ts";
import { readIndex } from "../store/index-file.ts";
import { preload } from "../store/preload.ts";
import { readLines, strangers, taskFolders } from "../store/read-records.ts";
import { recordFile } from "../store/paths.ts";
import type { RecordIndex } from "../store/record-index.ts";
import { nextFor } from "./next.ts";
import { reportOf } from "./report.ts";
import { standingConclusions, type State, stateOf } from "./state.ts";

export interface ReadState {
  state: State;
  report: string;
  index: RecordIndex;
  /** What the first of the unsettled assessments call for. */
  next: string[];
}

/** Reads the state of a task (or of all) and its report. Looks at the checkout, and contacts nobody. */
export async function readState(room: Room, task: string = room.task): Promise<ReadState> {
  if (task !== "all" && task !== untasked) requireTaskId(task);
  const { root } = room;
  const { index } = await readIndex(root);
  const head = index.head;
  const lines = index.lines.filter((line) => task === "all" || line.task === task);
  const loaded = await readLines(root, lines);
  const records =
    task === "all" ? Records.of(loaded.records) : await withRelated(room, { index, shown: loaded.records });
  const tasks = task === "all" ? await taskFolders(root) : [task];
  const known = new Set(lines.map(recordFile));
  const shown: readonly ReasoningRecord[] = loaded.records;
  const unreadable = [...loaded.unreadable, ...strangers(root, { tasks, known })];
  const damaged = new Set(
    lines
      .filter((line) => loaded.unreadable.some(({ file }) => file === recordFile(line)))
      .map((line) => line.root ?? line.id),
  );
  const conclusions = standingConclusions(records, shown);
  const checkout = await lookAtCheckout(room, { records, conclusions, damaged });
  const state = stateOf({ task, shown, records, checkout, unreadable, chain: head });
  const mode = { mode: room.mode.mode, source: room.mode.source };
  return { state, report: reportOf({ state, shown, records, mode }), index, next: nextOf(records, state) };
}

const nextShown = 10;

function nextOf(records: Records, { assessments }: State): string[] {
  const next: string[] = [];
  for (const { id, standing, prior_superseded_by: by } of assessments) {
    const assessment = records.findOf(id, "assessment");
    // What rests on a conclusion that stands is done.
    if (!assessment || (standing === "reused" && by === undefined)) continue;
    next.push(...nextFor(records, assessment).next);
    if (next.length >= nextShown) break;
  }
  return next.slice(0, nextShown);
}

/** The records of a task refer to some of other tasks. */
async function withRelated(
  { root }: Room,
  { index, shown }: { index: RecordIndex; shown: readonly ReasoningRecord[] },
): Promise<Records> {
  const roots = new Set<string>();
  for (const { id } of shown) {
    const line = index.find(id);
    if (line?.kind === "assessment") roots.add(id);
    else if (line?.root !== undefined) roots.add(line.root);
  }
  const reused = shown.flatMap(({ body }) =>
    body.kind === "plan" && body.reuse ? [body.reuse.candidate] : [],
  );
  for (const id of reused) {
    const line = index.find(id);
    if (line?.root !== undefined) roots.add(line.root);
  }
  const related = await preload(root, index, { roots: [...roots] });
  const all = new Map([...related.records.all()].map((record) => [record.id, record]));
  for (const record of shown) all.set(record.id, record);
  return Records.of(all.values());
}

/** The refusal of an id that no record has. */
export function noRecord(id: string) {
  return fail("E_NOT_FOUND", {
    message: `There is no record "${id.slice(0, 120)}".`,
    cause: "Nobody recorded it in this checkout.",
    remediation: "See what there is: writ reasoning status --task all",
    details: { kind: "record", id: id.slice(0, 120) },
  });
}
