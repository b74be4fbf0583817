import type { Context } from "../../contract/index.ts";
import { adapterFacts } from "../advisors/table.ts";
import { statesOf } from "../availability/availability.ts";
import { ceilingsIn, situationOf } from "../availability/situation.ts";
import { missingAdapters } from "../catalogue/findings.ts";
import { unknownCapability } from "../admit/session-rules.ts";
import { assessing } from "../derive/next-lines.ts";
import { nextFor } from "../derive/next.ts";
import { noRecord, readState } from "../derive/read-state.ts";
import { stepOf } from "../derive/timeline.ts";
import type { ReasoningRecord } from "../model/record.ts";
import { isOf } from "../model/is-of.ts";
import type { TaskState } from "../model/task.ts";
import { planOf } from "../policy/policy.ts";
import type { Confidence, Materiality } from "../model/words.ts";
import { openRoom, requireUsable, type Room, warnOfFaults } from "../settings/room.ts";
import { readIndex } from "../store/index-file.ts";
import { preload } from "../store/preload.ts";
import { readTasks } from "../tasks/task-files.ts";
import { attestationOf } from "../derive/attest.ts";

/** Who can be asked now, and why the others cannot. */
export async function readAdvisors(ctx: Context) {
  const room = await openRoom(ctx);
  if (room.tables.broken) throw room.tables.broken;
  warnOfFaults(room);
  for (const { subject, message, file } of room.tables.findings)
    ctx.warn({
      code: "W_CATALOGUE_FINDING",
      message: `${file}: ${subject} ${message}.`,
      remediation: "writ reasoning check",
    });
  for (const { id, message } of missingAdapters(room.tables.catalogue, adapterFacts))
    ctx.warn({
      code: "W_CATALOGUE_FINDING",
      message: `advisors.yml: ${id}: ${message}.`,
      remediation: "writ reasoning check",
    });
  const { index } = await readIndex(room.root);
  const advisors = statesOf(situationOf(room, index));
  const available = advisors.filter(({ status }) => status === "available");
  return {
    operational: true as const,
    mode: modeOf(room),
    available: available.length,
    unavailable: advisors.length - available.length,
    advisors,
    capacity: room.tables.catalogue.vocabulary.map(({ id, description }) => ({
      capability: id,
      description,
      available: available.filter(({ capabilities }) => capabilities.includes(id)).map((one) => one.id),
    })),
    limits: ceilingsIn(room, index),
    diagnostics: room.tables.findings,
  };
}

const modeOf = ({ mode }: Room) => ({ mode: mode.mode, source: mode.source });

/** What review a decision would call for; nothing is stored and no earlier conclusion is looked at. */
export async function previewPlan(
  ctx: Context,
  request: {
    materiality: Materiality;
    confidence: Confidence;
    capabilities: string[];
    confidential: boolean;
  },
) {
  const room = await openRoom(ctx);
  const mode = requireUsable(room);
  const vocabulary = room.tables.catalogue.vocabulary.map(({ id }) => id);
  const capabilities = [
    ...new Set(request.capabilities.flatMap((one) => one.split(",")).map((one) => one.trim())),
  ];
  const unknown = capabilities.find((word) => !vocabulary.includes(word));
  if (unknown !== undefined) throw unknownCapability(unknown, vocabulary);
  const { index } = await readIndex(room.root);
  const { confidential } = request;
  const plan = planOf({
    ...request,
    capabilities,
    mode,
    mode_source: room.mode.source,
    states: statesOf(situationOf(room, index, { confidential })),
    ...(room.executorSource !== undefined && { executor_source: room.executorSource }),
  });
  const { materiality, confidence } = request;
  return { ...plan, next: [assessing({ materiality, confidence, ...(confidential && { confidential }) })] };
}

/** The state of a task and its report. */
export async function readStatus(ctx: Context, task: string | undefined) {
  const room = await openRoom(ctx);
  warnOfFaults(room);
  const { state, report, index, ...read } = await readState(room, task);
  const isDone = room.openTask !== undefined && state.task === room.task && state.assessments.length > 0;
  const next = read.next.length === 0 && isDone ? ["writ task close"] : read.next;
  const advisors = statesOf(situationOf(room, index));
  const available = advisors.filter(({ status }) => status === "available").length;
  return {
    operational: true as const,
    mode: modeOf(room),
    advisors_available: available,
    advisors_unavailable: advisors.length - available,
    state,
    report,
    ...(next.length > 0 && { next }),
    ...(task === undefined && !room.openTask && report === "" && (await nothingOpen(room))),
  };
}

/** Where no task is open and nothing was recorded outside one: that it is so, and the task that was worked on last. */
async function nothingOpen({ root }: Room): Promise<{ reason: string; next?: string[] }> {
  const reason = "No task is open, and nothing was recorded outside one.";
  const when = (one: TaskState): string => one.closed_at ?? one.opened_at;
  const [newest] = (await readTasks(root)).sort((a, b) => (when(a) < when(b) ? 1 : -1));
  return { reason, ...(newest && { next: [`writ reasoning status --task ${newest.id}`] }) };
}

/** One record with the chain of its assessment. */
export async function explainRecord(
  ctx: Context,
  { id: given, attest = false, withText = false }: { id: string; attest?: boolean; withText?: boolean },
) {
  const room = await openRoom(ctx);
  const id = given.replace(/^record:/, "");
  const { index } = await readIndex(room.root);
  const line = index.find(id);
  if (!line) throw noRecord(id);
  const root = line.kind === "assessment" ? id : line.root;
  const { records } = await preload(room.root, index, { roots: [root ?? id] });
  const record = records.find(id);
  if (!record) throw noRecord(id);
  const assessment = root === undefined ? undefined : records.findOf(root, "assessment");
  const chain = root === undefined ? [record] : records.ofRoot(root);
  const reuse = chain.findLast((one) => isOf(one, "plan") && one.body.reuse?.accepted === true);
  const prior = isOf(reuse, "plan")
    ? records.findOf(reuse.body.reuse?.candidate ?? "", "conclusion")
    : undefined;
  const head = { seq: index.head.seq, digest: index.head.digest };
  const { next = [], reason } = assessment ? nextFor(records, assessment) : {};
  return {
    record,
    ...(assessment && { assessment }),
    chain: chain.map((one: ReasoningRecord) => stepOf(one)),
    ...(prior && {
      reuses: { conclusion: prior, chain: records.ofRoot(prior.body.assessment).map((one) => stepOf(one)) },
    }),
    ...(next.length > 0 && { next }),
    ...(reason !== undefined && { reason }),
    ...(attest && { attestation: attestationOf({ record, digest: line.digest, records, head, withText }) }),
  };
}
