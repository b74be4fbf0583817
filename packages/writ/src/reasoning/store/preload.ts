import type { CallerBody } from "../model/bodies.ts";
import type { DriverBody } from "../model/driver-bodies.ts";
import { Records } from "../records/records.ts";
import { type IndexLine, subjectDigest } from "./facts.ts";
import { readLines, type Unreadable } from "./read-records.ts";
import type { RecordIndex } from "./record-index.ts";

/** The records that a new one may have to be judged against, and which assessments have lost some. */
export interface Preloaded {
  records: Records;
  damaged: Set<string>;
  unreadable: Unreadable[];
}

/** Reads the records of every assessment that a body names, and of those with the same subject: not the whole store. */
export async function preload(
  root: string,
  index: RecordIndex,
  of: { body?: CallerBody | DriverBody; roots?: readonly string[]; task?: string },
): Promise<Preloaded> {
  const roots = new Set(of.roots);
  for (const id of of.body ? idsIn(of.body) : []) {
    const line = index.find(id);
    if (line) roots.add(line.kind === "assessment" ? line.id : (line.root ?? line.id));
  }
  for (const subject of subjectsOf(index, roots, of.body)) {
    for (const { id } of index.withSubject(subject)) roots.add(id);
  }
  const lines = new Map<string, IndexLine>();
  const add = (line: IndexLine | undefined) => line && lines.set(line.id, line);
  for (const one of roots) {
    add(index.find(one));
    for (const line of index.ofRoot(one)) add(line);
  }
  if (of.task !== undefined) add(index.newestOfTask(of.task));
  const wanted = [...lines.values()].sort((a, b) => a.seq - b.seq);
  const { records, unreadable } = await readLines(root, wanted);
  const read = new Set(records.map(({ id }) => id));
  const lost = wanted.filter(({ id }) => !read.has(id));
  return {
    records: Records.of(records),
    damaged: new Set(lost.map(({ id, root: of }) => of ?? id)),
    unreadable,
  };
}

function subjectsOf(
  index: RecordIndex,
  roots: ReadonlySet<string>,
  body: CallerBody | DriverBody | undefined,
): Set<string> {
  const subjects = new Set<string>();
  if (body?.kind === "assessment") subjects.add(subjectDigest(body.subject));
  for (const root of roots) {
    const subject = index.find(root)?.facts.subject;
    if (subject !== undefined) subjects.add(subject);
  }
  return subjects;
}

/** Every id that a body names. */
function idsIn(body: CallerBody | DriverBody): string[] {
  const ids: (string | undefined)[] = [];
  if ("assessment" in body) ids.push(body.assessment);
  if ("plan" in body) ids.push(body.plan);
  if ("dispatch" in body) ids.push(body.dispatch);
  if ("evidence" in body) {
    ids.push(
      ...body.evidence
        .filter(({ kind }) => kind === "record")
        .map(({ reference }) => reference.replace(/^record:/, "")),
    );
  }
  switch (body.kind) {
    case "disagreement":
      ids.push(...body.positions.map(({ source }) => source));
      break;
    case "resolution":
      ids.push(body.disagreement);
      break;
    case "conclusion":
      ids.push(...body.consultations, ...body.disagreements, body.supersedes);
      ids.push(...body.rejected.map(({ consultation }) => consultation));
      break;
    case "validation":
      ids.push(body.conclusion);
      break;
    case "waiver":
      ids.push(body.selection?.plan, body.consultation);
      break;
    case "assessment":
    case "plan":
    case "local_review":
    case "attempt":
    case "circuit_reset":
    case "dispatch":
    case "consultation":
      break;
  }
  return ids.filter((id) => id !== undefined);
}
