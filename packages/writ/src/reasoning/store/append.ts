import { dirname } from "node:path";
import { fail, type WritError } from "../../contract/index.ts";
import {
  canonicalJson,
  formatInstant,
  makeFolder,
  sha256Hex,
  storing,
  withLock,
  writeAtomic,
  readGitHead,
  requireNoLinks,
} from "../../platform/index.ts";
import { admit } from "../admit/admit.ts";
import { bounds } from "../model/bounds.ts";
import type { CallerBody } from "../model/bodies.ts";
import type { DriverBody } from "../model/driver-bodies.ts";
import { type Evidence, RecordSchema, type ReasoningRecord, type StoredBody } from "../model/record.ts";
import { type Cleaned, cleanTree } from "../records/clean.ts";
import type { Records } from "../records/records.ts";
import { priorOn } from "../records/relations.ts";
import type { Room } from "../settings/room.ts";
import { complete } from "./complete.ts";
import { enrichEvidence } from "./enrich.ts";
import {
  appendLine,
  dropLastLine,
  readBack,
  readIndex,
  readIndexToWrite,
  type WriterIndex,
} from "./index-file.ts";
import { tooMuch } from "./parse-body.ts";
import { at, lockFile, recordFile, recordsFolder, requirePlainFolders } from "./paths.ts";
import { preload, type Preloaded } from "./preload.ts";
import { following, lineOf } from "./rebuild.ts";
import { digestOf, recordText } from "./record-bytes.ts";
import type { RecordIndex } from "./record-index.ts";
import { opening } from "./refused.ts";
import { tellLedger } from "./told.ts";

/** A record that was written, or the one that said the same before. */
export interface Appended {
  record: ReasoningRecord;
  /** Its file, relative to the workspace. */
  path: string;
  digest: string;
  changed: boolean;
  /** It among those it belongs to. */
  records: Records;
}

/** Points at which a test may end the process; the program passes none. */
export type FaultPoint = (moment: "line" | "record" | "ledger") => void;

export interface AppendOptions {
  capability: string;
  fault?: FaultPoint;
}

/**
 * The one writer. Judges a body against the records of this moment, under their lock, gives it its place and writes
 * it; the rename of its file is the commit. What says the same as the newest record is not written again.
 */
export async function append(
  room: Room,
  body: CallerBody | DriverBody,
  { capability, fault = () => {} }: AppendOptions,
): Promise<Appended> {
  const { root, ctx } = room;
  const cleaned = cleanOrRefuse(body);
  const evidence = await lookUp(room, cleaned.value);
  await opening(recordsFolder, async () => {
    await requirePlainFolders(root, room.task);
    await makeFolder(at(root, recordsFolder), 0o700);
  });
  return withStoreLock(room, async () => {
    const opened = await readIndexToWrite(root);
    const { index, rebuilt } = opened;
    const draft = await judge(room, { index, cleaned, evidence, capability });
    if ("before" in draft) return draft.before;
    const record = { ...draft.record, seq: opened.taken + 1, prev: index.head.digest };
    const appended = await write(room, record, { opened, records: draft.known.records, fault });
    if (rebuilt) warnRebuilt(room);
    if (Date.parse(index.lines.at(-1)?.at ?? "") - ctx.clock.now() > clockSlackMs) warnClock(room);
    const now = await readBack(root);
    fault("ledger");
    await tellLedger(ctx, now, { rebuilt });
    return appended;
  });
}

/** What a record would be, without its place: nothing is written and nothing is locked. */
export async function rehearse(
  room: Room,
  body: CallerBody,
  { capability }: { capability: string },
): Promise<{ record: Omit<ReasoningRecord, "seq" | "prev">; changed: boolean }> {
  // The lock itself is not taken; what would keep a writer from it is told all the same.
  await requireNoLinks(room.root, lockFile);
  const cleaned = cleanOrRefuse(body);
  const evidence = await lookUp(room, cleaned.value);
  const { index } = await readIndex(room.root);
  const draft = await judge(room, { index, cleaned, evidence, capability });
  return "before" in draft
    ? { record: draft.before.record, changed: false }
    : { record: draft.record, changed: true };
}

const clockSlackMs = 300_000;

interface Judging {
  index: RecordIndex;
  cleaned: Cleaned<CallerBody | DriverBody>;
  evidence: Evidence[];
  capability: string;
}

type Draft = { before: Appended } | { record: Omit<ReasoningRecord, "seq" | "prev">; known: Preloaded };

async function judge(room: Room, { index, cleaned, evidence, capability }: Judging): Promise<Draft> {
  const { ctx, root, task } = room;
  const { value: body, redacted } = cleaned;
  const known = await preload(root, index, { body, task });
  const { head } = await readGitHead(root);
  const input_sha256 = sha256Hex(canonicalJson(body));
  const before = repeatOf({ room, body, known, index, input_sha256, head });
  if (before) return { before };
  const standing = {
    records: known.records,
    vocabulary: room.tables.catalogue.vocabulary.map(({ id }) => id),
    isDeclared: (advisor: string) =>
      room.tables.catalogue.advisors.some(({ id }) => id === advisor) || index.knowsAdvisor(advisor),
  };
  // Judged first as it was given: what the writer adds rests on what it refers to.
  const refused = admit({ ...body, ...("evidence" in body && { evidence }) } as StoredBody, standing);
  if (refused) throw refused;
  const stored = await complete(body, { room, index, known, evidence, ...(head !== undefined && { head }) });
  if (stored.kind === "conclusion") warnOfPrior(room, stored, known);
  const { actor, acts_for } = ctx.caller;
  const record: Omit<ReasoningRecord, "seq" | "prev"> = {
    schema: "writ/reasoning-record",
    version: 1,
    id: ctx.ids.next(body.kind),
    task,
    recorded_at: formatInstant(ctx.clock.now()),
    ...(head !== undefined && { head }),
    actor,
    ...(acts_for !== undefined && { acts_for }),
    act: ctx.act,
    capability,
    ...(room.client !== undefined && { client: room.client }),
    redacted,
    ...(ctx.clock.isTest && { test_clock: true as const }),
    input_sha256,
    body: stored,
  };
  return { record, known };
}

/** The newest record of the same root, when the same caller says the same again. */
function repeatOf(of: {
  room: Room;
  body: CallerBody | DriverBody;
  known: Preloaded;
  index: RecordIndex;
  input_sha256: string;
  head: string | undefined;
}): Appended | undefined {
  const { room, body, known, index } = of;
  if (body.kind === "plan" && body.again) return undefined;
  const root = known.records.rootOf(body);
  const newest =
    root === undefined ? index.newestOfTask(room.task) : (index.ofRoot(root).at(-1) ?? undefined);
  const record = newest && known.records.find(newest.id);
  if (!record || !newest || record.body.kind !== body.kind || record.actor !== room.ctx.caller.actor)
    return undefined;
  if (record.input_sha256 !== of.input_sha256) return undefined;
  // The same check at another commit is another check.
  if (body.kind === "validation" && record.head !== of.head) return undefined;
  const { records } = known;
  return { record, path: recordFile(record), digest: newest.digest, changed: false, records };
}

async function write(
  room: Room,
  record: ReasoningRecord,
  { opened, records, fault }: { opened: WriterIndex; records: Preloaded["records"]; fault: FaultPoint },
): Promise<Appended> {
  const { root } = room;
  // What the checks would never let pass again is a fault of this program, and is not written.
  RecordSchema.parse(record);
  const text = recordText(record);
  const bytes = Buffer.byteLength(text);
  if (bytes > bounds.recordBytes) throw tooMuch("the record's bytes", bounds.recordBytes, bytes);
  const path = recordFile(record);
  const digest = digestOf(text);
  const line = following(opened.index, lineOf(record, { digest, records }));
  await opening(recordsFolder, () => makeFolder(dirname(at(root, path)), 0o700));
  await appendLine(root, opened, line);
  fault("line");
  try {
    await storing(path, () => writeAtomic(at(root, path), text, { mode: 0o600 }));
  } catch (error) {
    await dropLastLine(root).catch(() => undefined);
    throw error;
  }
  fault("record");
  records.add(record);
  return { record, path, digest, changed: true, records };
}

/** Cleans and redacts every text; what cannot be cleaned is not stored. */
function cleanOrRefuse(body: CallerBody | DriverBody): Cleaned<CallerBody | DriverBody> {
  try {
    return cleanTree(body);
  } catch (error) {
    throw redactionFailed(error);
  }
}

function redactionFailed(from: unknown): WritError {
  return fail("E_REDACTION_FAILED", {
    message: "The record could not be cleaned of secrets, and was not stored.",
    cause: "A text of it could not be walked to its end.",
    remediation: "Shorten its texts and record again: writ schema reasoning-record",
    from,
  });
}

async function lookUp(room: Room, body: CallerBody | DriverBody): Promise<Evidence[]> {
  if (!("evidence" in body) || body.evidence.length === 0) return [];
  const { index } = await readIndex(room.root);
  return enrichEvidence(body.evidence, { room, index });
}

function warnOfPrior(
  room: Room,
  body: Extract<StoredBody, { kind: "conclusion" }>,
  { records }: Preloaded,
): void {
  const subject = records.findOf(body.assessment, "assessment")?.body.subject;
  const prior = subject === undefined ? undefined : priorOn(records, { subject, except: body.assessment });
  if (!prior || prior.id === body.supersedes) return;
  room.ctx.warn({
    code: "W_PRIOR_STANDS",
    message: `A conclusion on the same subject stands: ${prior.id}.`,
    remediation: `Look at it: writ reasoning explain ${prior.id}`,
  });
}

function warnClock({ ctx }: Room): void {
  ctx.warn({
    code: "W_CLOCK_BACKWARDS",
    message: "The clock is more than five minutes behind the last record's; the order is kept all the same.",
    remediation: "Set the clock: date",
  });
}

function warnRebuilt({ ctx }: Room): void {
  ctx.warn({
    code: "W_INDEX_REBUILT",
    message: "The index of the records was gone or unreadable, and was made anew from them.",
    remediation: "See whether the records are whole: writ reasoning check",
  });
}

// In one process the turn goes from one to the next; among processes whoever knocks first has it.
const turns = new Map<string, Promise<unknown>>();

/** Runs work as the only writer of the records. */
async function withStoreLock<T>({ root }: Room, work: () => Promise<T>): Promise<T> {
  const before = turns.get(root);
  const turn = (before ?? Promise.resolve())
    .catch(() => undefined)
    .then(() =>
      withLock(
        at(root, lockFile),
        { waitMs: 5000, what: "the reasoning records", folder: recordsFolder, command: "writ reasoning" },
        work,
      ),
    );
  turns.set(root, turn);
  try {
    return await turn;
  } finally {
    if (turns.get(root) === turn) turns.delete(root);
  }
}
