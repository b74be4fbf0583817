import { toWritError } from "../../contract/index.ts";
import { formatInstant } from "../../platform/index.ts";
import { AdvisorFailure } from "../advisors/adapter.ts";
import { findModel, resolvedOf } from "../catalogue/merge.ts";
import type { RecordOf } from "../model/record.ts";
import type { Room } from "../settings/room.ts";
import { append, type FaultPoint } from "../store/append.ts";
import { readIndex } from "../store/index-file.ts";
import { digestOf } from "../store/record-bytes.ts";
import type { Selection } from "./choose-plan.ts";
import { type Brief, prepare, type Prepared } from "./prepare.ts";
import type { Result } from "./results.ts";
import { type Ended, type Running, startExchange } from "./run-exchange.ts";

const capability = "reasoning.consult";

export interface Asking {
  plan: RecordOf<"plan">;
  selections: readonly Selection[];
  brief: Brief;
  assessment: RecordOf<"assessment">;
  timeoutMs: number;
  fault: (moment: "planned" | "dispatched" | "answered") => void;
  appendFault?: FaultPoint;
}

/** What came of asking, in the plan's order whatever the order of ending. */
export interface Asked {
  results: Result[];
  ends: RecordOf<"consultation">[];
  changed: boolean;
}

/** Asks everybody at once and records each end as it comes. */
export async function askAll(room: Room, asking: Asking): Promise<Asked> {
  const running: Running[] = [];
  const ends: RecordOf<"consultation">[] = [];
  const results: Promise<Result>[] = [];
  let done = 0;
  let changed = false;
  const total = asking.selections.length;
  for (const selection of asking.selections) {
    const begun = await begin(room, { asking, selection });
    if ("result" in begun) {
      changed ||= begun.result.dispatch !== undefined && begun.result.state !== "existing";
      results.push(Promise.resolve(begun.result));
      continue;
    }
    changed = true;
    running.push(begun.running);
    room.ctx.emit({ phase: "ask", item: selection.advisor, done, total });
    const ended = begun.running.ended.then(async (end) => {
      const result = await recordEnd(room, { asking, begun, end, ends });
      done++;
      room.ctx.emit({ phase: result.state, item: selection.advisor, done, total });
      return result;
    });
    // Awaited below; until then a refusal of one must not end the others.
    ended.catch(() => undefined);
    results.push(ended);
  }
  const settled = await Promise.all(results);
  // A program that ignores its end has a moment to obey; the records have not waited for it.
  await Promise.all(running.map(({ over }) => over));
  return { results: settled, ends, changed };
}

interface Begun {
  advisor: string;
  dispatch: RecordOf<"dispatch">;
  prepared: Prepared;
  running: Running;
}

async function begin(
  room: Room,
  { asking, selection }: { asking: Asking; selection: Selection },
): Promise<Begun | { result: Result }> {
  const { advisor, answer, waived } = selection;
  const { plan, brief, assessment, timeoutMs } = asking;
  if (answer) {
    const { status, dispatch } = answer.body;
    const said = answer.body.answer && { answer: answer.body.answer };
    return { result: { advisor, state: "existing", dispatch, consultation: answer.id, status, ...said } };
  }
  if (waived) return { result: { advisor, state: "skipped", reason: "waived" } };
  if (room.ctx.signal.aborted) return { result: { advisor, state: "skipped", reason: "cancelled" } };
  const { index } = await readIndex(room.root);
  const { confidential } = assessment.body;
  const prepared = await prepare(room, { index, plan, selection, brief, confidential });
  if ("skipped" in prepared) return { result: { advisor, state: "skipped", reason: prepared.skipped } };
  if ("broken" in prepared) return { result: brokenAdapter(advisor, prepared.broken) };
  const dispatch = await recordDispatch(room, { asking, selection, prepared });
  asking.fault("dispatched");
  const running = startExchange(
    { adapter: prepared.adapter, exchange: prepared.exchange, origin: `advisor:${advisor}`, timeoutMs },
    {
      environment: room.ctx.settings.environment(),
      root: room.root,
      now: () => room.ctx.clock.now(),
      signal: room.ctx.signal,
    },
  );
  return { advisor, dispatch, prepared, running };
}

function brokenAdapter(advisor: string, broken: unknown): Result {
  const known = broken instanceof AdvisorFailure;
  return {
    advisor,
    state: "failed",
    status: known ? broken.status : "error",
    diagnostic: known ? broken.diagnostic : "its exchange could not be described",
  };
}

async function recordDispatch(
  room: Room,
  { asking, selection, prepared }: { asking: Asking; selection: Selection; prepared: Prepared },
): Promise<RecordOf<"dispatch">> {
  const { state, adapter, exchange, maxOutputTokens } = prepared;
  const { text } = asking.brief;
  const bytes = Buffer.byteLength(text);
  const { record } = await append(
    room,
    {
      kind: "dispatch",
      plan: asking.plan.id,
      advisor: selection.advisor,
      attempt: selection.attempts + 1,
      adapter: adapter.name,
      adapter_version: adapter.version,
      transport: state.transport,
      target: exchange.target,
      remote: state.remote,
      ...(state.vendor !== undefined && { vendor: state.vendor }),
      ...(state.model !== undefined && { model: state.model }),
      source: state.source,
      request_sha256: digestOf(text),
      request_bytes: bytes,
      reserve_tokens: Math.ceil(bytes / 4) + maxOutputTokens,
      deadline_at: formatInstant(room.ctx.clock.now() + asking.timeoutMs),
    },
    { capability, ...(asking.appendFault && { fault: asking.appendFault }) },
  );
  return record as RecordOf<"dispatch">;
}

/** Records how an exchange ended. A record that is refused stands in the result, and the others go on. */
async function recordEnd(
  room: Room,
  of: { asking: Asking; begun: Begun; end: Ended; ends: RecordOf<"consultation">[] },
): Promise<Result> {
  const { asking, begun, end, ends } = of;
  const { advisor, dispatch } = begun;
  asking.fault("answered");
  const shown = {
    advisor,
    dispatch: dispatch.id,
    status: end.status,
    ...(end.answer && { answer: end.answer }),
    ...(end.diagnostic !== undefined && { diagnostic: end.diagnostic }),
  };
  if (end.retry_after_capped) {
    room.ctx.warn({
      code: "W_RETRY_AFTER_CAPPED",
      message: `${advisor} asked to be left alone for longer than a day; it is asked again after a day.`,
    });
  }
  try {
    const { record } = await append(
      room,
      {
        kind: "consultation",
        dispatch: dispatch.id,
        plan: asking.plan.id,
        advisor,
        question: asking.brief.question,
        ...end,
        source: sourceOf(room, { dispatch, model: end.model }),
        remote: dispatch.body.remote,
      },
      { capability },
    );
    ends.push(record as RecordOf<"consultation">);
    const answer = (record as RecordOf<"consultation">).body.answer;
    const state = end.status === "completed" ? "answered" : "failed";
    return { ...shown, ...(answer && { answer }), state, consultation: record.id };
  } catch (error) {
    const { code, failure } = toWritError(error);
    return { ...shown, state: "failed", refusal: { code, message: failure.message } };
  }
}

/** The maker of the model that answered, where the table knows it; else what was expected. */
function sourceOf(
  { tables }: Room,
  { dispatch, model }: { dispatch: RecordOf<"dispatch">; model: string | undefined },
): string {
  const known = model === undefined ? undefined : findModel(tables.catalogue.models, model);
  return (known && resolvedOf(known).maker) ?? dispatch.body.source;
}
