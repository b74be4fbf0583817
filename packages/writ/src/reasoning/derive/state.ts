import type { RecordOf, ReasoningRecord } from "../model/record.ts";
import { isOf } from "../model/is-of.ts";
import type { Records } from "../records/records.ts";
import {
  answersOf,
  checksOf,
  debtOf,
  openDispatches,
  resolutionOf,
  standingOf,
} from "../records/relations.ts";
import { type Checkout, staleCauses } from "../reuse/reuse.ts";
import type { Unreadable } from "../store/read-records.ts";
import { standingFor } from "./standing.ts";
import { type Step, stepOf } from "./timeline.ts";

/** What a state is derived from. Nothing of it is stored. */
export interface StateInput {
  /** The id of a task, or all. */
  task: string;
  /** The records of the task, in order. */
  shown: readonly ReasoningRecord[];
  /** Those and all they refer to. */
  records: Records;
  checkout: Checkout;
  unreadable: readonly Unreadable[];
  chain: { seq: number; digest: string };
}

/** The state of a task: standing, exchanges, conclusions and time line. Pure. */
export function stateOf(input: StateInput) {
  const { task, shown, records, checkout, unreadable, chain } = input;
  const of = <K extends ReasoningRecord["body"]["kind"]>(kind: K) =>
    shown.filter((record): record is RecordOf<K> => isOf(record, kind));
  return {
    task,
    assessments: of("assessment").map((one) => assessmentState(records, one)),
    consultations: of("consultation").map((one) => consultationState(records, one)),
    disagreements: of("disagreement").map((one) => disagreementState(records, one)),
    conclusions: of("conclusion").map((one) => conclusionState(records, one, checkout)),
    timeline: shown.map((record): Step => stepOf(record)),
    totals: totalsOf(shown),
    unreadable: [...unreadable],
    chain,
  };
}
export type State = ReturnType<typeof stateOf>;

function assessmentState(records: Records, one: RecordOf<"assessment">) {
  const { id, task, body } = one;
  return {
    id,
    task,
    subject: body.subject,
    materiality: body.materiality,
    ...standingFor(records, one),
    questions: body.questions,
    plans: records.ofRootOf(id, "plan").length,
    answers: answersOf(records, id).length,
    pending: openDispatches(records, id).map((dispatch) => dispatch.id),
    debt: debtOf(records, id),
  };
}

function consultationState(records: Records, { id, seq, body }: RecordOf<"consultation">) {
  const root = records.rootOf(body);
  const late = root !== undefined && records.ofRootOf(root, "conclusion").some((one) => one.seq < seq);
  return {
    id,
    plan: body.plan,
    advisor: body.advisor,
    source: body.source,
    status: body.status,
    ...(body.answer && {
      stance: body.answer.stance,
      quote: { origin: body.answer.origin, text: body.answer.conclusion },
    }),
    ...(body.diagnostic !== undefined && { diagnostic: body.diagnostic }),
    late,
  };
}

function disagreementState(records: Records, { id, body }: RecordOf<"disagreement">) {
  const resolution = resolutionOf(records, body.assessment, id);
  return {
    id,
    assessment: body.assessment,
    discriminating_question: body.discriminating_question,
    ...(resolution && { resolution: resolution.id, favours: resolution.body.favours }),
  };
}

function conclusionState(records: Records, one: RecordOf<"conclusion">, checkout: Checkout) {
  const { id, body } = one;
  const by = records.supersededBy(id);
  const checks = checksOf(records, one);
  const causes = by === undefined ? staleCauses(records, one, checkout) : [];
  return {
    id,
    assessment: body.assessment,
    decision: body.decision,
    review: body.review,
    checks_passed: checks.passed,
    checks_failed: checks.failed,
    ...(by !== undefined && { superseded_by: by }),
    reusable: { ok: by === undefined && causes.length === 0, causes },
    validation_plan: body.validation_plan,
    risks: body.risks,
  };
}

function totalsOf(shown: readonly ReasoningRecord[]) {
  const ends = shown.filter((record) => isOf(record, "consultation"));
  const answers = ends.filter(({ body }) => body.status === "completed");
  const sum = (field: "input_tokens" | "output_tokens") =>
    ends.reduce((total, { body }) => total + (body.usage?.[field] ?? 0), 0);
  return {
    records: shown.length,
    answers: answers.length,
    failed_exchanges: ends.length - answers.length,
    advisors: new Set(answers.map(({ body }) => body.advisor)).size,
    sources: new Set(answers.map(({ body }) => body.source)).size,
    input_tokens: sum("input_tokens"),
    output_tokens: sum("output_tokens"),
  };
}

/** The conclusions of which a state says whether they may be taken over. */
export function standingConclusions(
  records: Records,
  shown: readonly ReasoningRecord[],
): RecordOf<"conclusion">[] {
  return shown.filter(
    (record): record is RecordOf<"conclusion"> =>
      isOf(record, "conclusion") && standingOf(records, record.body.assessment)?.id === record.id,
  );
}
