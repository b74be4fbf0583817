import { type Context, fail, WritError } from "../../contract/index.ts";
import { canonicalJson, withLock } from "../../platform/index.ts";
import { consulting } from "../derive/next-lines.ts";
import { nextFor } from "../derive/next.ts";
import type { RecordOf } from "../model/record.ts";
import { openDispatches } from "../records/relations.ts";
import type { Records } from "../records/records.ts";
import { openRoom, requireUsable, type Room } from "../settings/room.ts";
import { append, type FaultPoint, rehearse } from "../store/append.ts";
import { readIndex } from "../store/index-file.ts";
import { at, recordsFolder } from "../store/paths.ts";
import { askAll } from "./ask-all.ts";
import { choosePlan, type ConsultInput, selectionsOf } from "./choose-plan.ts";
import { rehearseConsult } from "./dry-run.ts";
import { look, readKnown } from "./look.ts";
import type { Brief } from "./prepare.ts";
import { consulted, type Consulted, warnOfResults } from "./results.ts";

const consultCapability = "reasoning.consult";

/** Points at which a test may end the process. */
export type ConsultFaults = (moment: "planned" | "dispatched" | "answered") => void;

/**
 * Asks the advisors that a plan selects, and records each exchange as it ends. Asked again it asks only who has not
 * answered: an answer that was recorded is never paid for twice.
 */
export async function consult(
  ctx: Context,
  input: ConsultInput,
  { fault = () => {}, appendFault }: { fault?: ConsultFaults; appendFault?: FaultPoint } = {},
): Promise<Consulted> {
  const room = await openRoom(ctx);
  requireUsable(room);
  const given = { ...input, assessment: input.assessment.replace(/^record:/, "") };
  if (ctx.dryRun) {
    const { assessment, plan } = given;
    const line = consulting({ assessment, ...(plan !== undefined && { plan }) });
    const rehearsed = await rehearseConsult(room, given);
    return { ...rehearsed, ...(rehearsed.changed ? { next: [line] } : await after(room, given)) };
  }
  await ctx.settle();
  const found = await look(room, given);
  const consultation = new Consultation(room, given, { fault, ...(appendFault && { appendFault }) });
  const answer = await underConsultLock(room, given.assessment, () => consultation.hold(found.brief));
  warnOfResults(ctx, answer);
  if (answer.cancelled) throw interrupted(ctx, answer);
  return { ...answer, ...(await after(room, given)) };
}

/** What follows on the assessment, from the records as they stand now. */
async function after(room: Room, input: ConsultInput): Promise<{ next?: string[] }> {
  const { index } = await readIndex(room.root);
  const { records, assessment } = await readKnown(room, { index, input });
  const { next } = nextFor(records, assessment);
  return next.length > 0 ? { next } : {};
}

/** One consultation, while its lock is held: nobody else asks on this assessment. */
class Consultation {
  readonly #room: Room;
  readonly #input: ConsultInput;
  readonly #faults: { fault: ConsultFaults; appendFault?: FaultPoint };

  constructor(room: Room, input: ConsultInput, faults: { fault: ConsultFaults; appendFault?: FaultPoint }) {
    this.#room = room;
    this.#input = input;
    this.#faults = faults;
  }

  async hold(brief: Brief): Promise<Consulted> {
    const { assessment } = this.#input;
    const { records } = await this.#read();
    const chosen = choosePlan(records, this.#input);
    const left = openDispatches(records, assessment);
    if ("plan" in chosen && left.length === 0 && this.#isDone(records, chosen.plan)) {
      return this.#nothingToDo(records, chosen.plan);
    }
    const same = "newest" in chosen && left.length === 0 ? await this.#sameAgain(chosen.newest) : undefined;
    if (same) return consulted(assessment, { plan: same.body.plan, id: same.id, changed: false });
    return this.#room.ctx.commit(
      ({ plan, results }: Consulted) => ({
        subjects: [`record:${assessment}`],
        detail: {
          assessment,
          plan: plan.id,
          results: results.map(({ advisor, state, consultation }) => ({ advisor, state, consultation })),
        },
      }),
      () => this.#carryOut(brief, left),
    );
  }

  #isDone(records: Records, plan: RecordOf<"plan">): boolean {
    return selectionsOf(records, { plan, advisors: this.#input.advisors }).every(
      ({ answer, waived }) => answer || waived,
    );
  }

  /** The newest plan, when a new one would say the same. */
  async #sameAgain(newest: RecordOf<"plan"> | undefined): Promise<RecordOf<"plan"> | undefined> {
    if (!newest) return undefined;
    const body = { kind: "plan" as const, assessment: this.#input.assessment, again: true };
    const { record } = await rehearse(this.#room, body, { capability: consultCapability });
    const computed = record.body.kind === "plan" ? record.body.plan : undefined;
    return canonicalJson(computed ?? null) === canonicalJson(newest.body.plan) ? newest : undefined;
  }

  #nothingToDo(records: Records, plan: RecordOf<"plan">): Consulted {
    const results = selectionsOf(records, { plan, advisors: this.#input.advisors }).map(
      ({ advisor, answer }) =>
        answer
          ? {
              advisor,
              state: "existing" as const,
              dispatch: answer.body.dispatch,
              consultation: answer.id,
              status: answer.body.status,
              ...(answer.body.answer && { answer: answer.body.answer }),
            }
          : { advisor, state: "skipped" as const, reason: "waived" },
    );
    return consulted(this.#input.assessment, { plan: plan.body.plan, id: plan.id, results, changed: false });
  }

  async #carryOut(brief: Brief, left: readonly RecordOf<"dispatch">[]): Promise<Consulted> {
    const { assessment } = this.#input;
    for (const dispatch of left) await this.#closeAbandoned(dispatch, brief);
    const { records } = await this.#read();
    const chosen = choosePlan(records, this.#input);
    const plan = "plan" in chosen ? chosen.plan : await this.#recordPlan(chosen.record.again);
    this.#faults.fault("planned");
    const body = plan.body.plan;
    const changed = left.length > 0 || !("plan" in chosen);
    if (body.outcome !== "consult") return consulted(assessment, { plan: body, id: plan.id, changed });
    const again = await this.#read();
    const selections = selectionsOf(again.records, { plan, advisors: this.#input.advisors });
    const asked = await askAll(this.#room, {
      plan,
      selections,
      brief,
      assessment: again.assessment,
      timeoutMs: this.#input.timeout * 1000,
      ...this.#faults,
    });
    return consulted(assessment, {
      plan: body,
      id: plan.id,
      results: asked.results,
      ends: asked.ends,
      cancelled: this.#room.ctx.signal.aborted,
      changed: changed || asked.changed,
    });
  }

  async #read() {
    const { index } = await readIndex(this.#room.root);
    return readKnown(this.#room, { index, input: this.#input });
  }

  async #recordPlan(again: boolean): Promise<RecordOf<"plan">> {
    const { assessment } = this.#input;
    const { record } = await append(
      this.#room,
      { kind: "plan", assessment, again },
      { capability: consultCapability, ...(this.#faults.appendFault && { fault: this.#faults.appendFault }) },
    );
    return record as RecordOf<"plan">;
  }

  /** Whoever holds the lock knows that the driver of an open exchange is dead. */
  async #closeAbandoned({ id, body }: RecordOf<"dispatch">, { question }: Brief): Promise<void> {
    await append(
      this.#room,
      {
        kind: "consultation",
        dispatch: id,
        plan: body.plan,
        advisor: body.advisor,
        status: "cancelled",
        question,
        diagnostic: "the driver ended before an answer",
        duration_ms: 0,
        response_bytes: 0,
        source: body.source,
        remote: body.remote,
      },
      { capability: consultCapability },
    );
  }
}

async function underConsultLock<T>(room: Room, assessment: string, work: () => Promise<T>): Promise<T> {
  const lock = at(room.root, `${recordsFolder}/consult-${assessment}.lock`);
  let entered = false;
  try {
    return await withLock(
      lock,
      { waitMs: 0, what: "this consultation", folder: recordsFolder, command: "writ reasoning consult" },
      () => {
        entered = true;
        return work();
      },
    );
  } catch (error) {
    if (entered || !(error instanceof WritError) || error.code !== "E_STORE_LOCKED") throw error;
    throw fail("E_CONSULT_RUNNING", {
      message: "Advisors are being asked on this assessment already.",
      cause: error.failure.cause,
      remediation: "Wait for the answers: writ reasoning status",
      details: { assessment, ...error.failure.details },
    });
  }
}

/** The answer of a call that was given up: what was recorded stands, and is told beside the error. */
function interrupted(ctx: Context, data: Consulted): WritError {
  const { exitCode } = (ctx.signal.reason ?? {}) as { exitCode?: number };
  return fail("E_CANCELLED", {
    message: "The consultation was given up.",
    cause: "Its caller cancelled it; every exchange that was open is recorded as cancelled.",
    remediation: `Ask who has not answered: writ reasoning consult --assessment ${data.assessment}`,
    ...(exitCode !== undefined && { exitCode }),
    data: { ...data, dry_run: false },
  });
}
