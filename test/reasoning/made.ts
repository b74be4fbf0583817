import type { AdvisorState, Plan } from "../../packages/writ/src/reasoning/model/plan.ts";
import type { BodyOf, RecordOf, ReasoningRecord } from "../../packages/writ/src/reasoning/model/record.ts";

/** Records as they would be read, one after the other, without a store. */
export class Made {
  readonly list: ReasoningRecord[] = [];

  /** The next record; what it does not say is as small as its kind allows. */
  add<K extends ReasoningRecord["body"]["kind"]>(
    kind: K,
    body: Partial<BodyOf<K>>,
    frame: Partial<ReasoningRecord> = {},
  ): RecordOf<K> {
    const seq = this.list.length + 1;
    const record = {
      schema: "writ/reasoning-record",
      version: 1,
      id: `${kind}_${seq}`,
      seq,
      prev: "0".repeat(64),
      task: "t",
      recorded_at: new Date(Date.parse("2026-11-30T12:00:00.000Z") + seq * 1000).toISOString(),
      actor: "user:ana",
      act: "act_1",
      capability: "reasoning.record",
      redacted: [],
      input_sha256: "0".repeat(64),
      ...frame,
      body: { kind, ...least[kind], ...body },
    } as unknown as RecordOf<K>;
    this.list.push(record as unknown as ReasoningRecord);
    return record;
  }
}

const review = {
  plans: 0,
  replans: 0,
  reviewed_by: [],
  review_count: 0,
  independent_sources: [],
  independent_source_count: 0,
  same_source_as_executor: [],
  failed: [],
  waived: [],
  pending: [],
  basis: "local",
} as const;

/** A plan that selects these. */
export const planFor = (...selected: string[]): Plan => ({
  policy_version: 1,
  mode: "standard",
  mode_source: "default",
  materiality: "material",
  confidence: "medium",
  capabilities: ["independent_reasoning"],
  confidential: false,
  budget: selected.length,
  outcome: selected.length > 0 ? "consult" : "decide_locally",
  reason_code: selected.length > 0 ? "advisors_selected" : "nobody_available",
  reason: "because",
  selected: selected.map((advisor) => ({ advisor, source: advisor, covers: [], why: "next_in_order" })),
  excluded: [],
  available: selected.length,
  uncovered: [],
  local_review: [],
});

/** An answer of an advisor. */
export const answerOf = (advisor: string, stance: "supports" | "opposes", conclusion = `it ${stance}`) => ({
  origin: `advisor:${advisor}`,
  trust: "data" as const,
  conclusion,
  stance,
  assumptions: [],
  risks: [],
  actions: [],
  falsifiers: [],
});

const states: AdvisorState[] = [];
const least: { readonly [K in ReasoningRecord["body"]["kind"]]: object } = {
  assessment: {
    subject: "x",
    materiality: "low",
    confidence: "medium",
    affects: [],
    facts: [],
    assumptions: [],
    questions: [],
    evidence: [],
    capabilities: [],
    new_evidence: false,
    confidential: false,
  },
  plan: { again: false, plan: planFor(), availability: states, brief_bytes: 1 },
  local_review: {
    alternative: "a",
    assumptions: [{ text: "t" }],
    falsifier: "f",
    experiment: "e",
    result: "r",
    evidence: [],
  },
  disagreement: { positions: [], divergent_assumptions: [], discriminating_question: "which?" },
  resolution: { experiment: "e", outcome: "o", favours: "neither", evidence: [] },
  conclusion: {
    decision: "d",
    rationale: "r",
    evidence: [],
    consultations: [],
    disagreements: [],
    rejected: [],
    assumptions: [],
    risks: [],
    validation_plan: [],
    confidence: "medium",
    review,
  },
  validation: { check: "suite", outcome: "pass", evidence: [], settles: [] },
  attempt: { attempt: "tried", observed_failure: "failed", evidence: [] },
  waiver: { reason: "r" },
  circuit_reset: { advisor: "alpha", reason: "r" },
  dispatch: {
    plan: "plan_none",
    advisor: "alpha",
    attempt: 1,
    adapter: "x",
    adapter_version: "1",
    transport: "api",
    target: "https://a.test",
    remote: true,
    source: "s",
    request_sha256: "0".repeat(64),
    request_bytes: 400,
    reserve_tokens: 1100,
    deadline_at: "2026-11-30T12:01:30.000Z",
  },
  consultation: {
    dispatch: "dispatch_none",
    plan: "plan_none",
    advisor: "alpha",
    status: "timeout",
    question: "q",
    duration_ms: 1,
    response_bytes: 0,
    source: "s",
    remote: true,
  },
};
