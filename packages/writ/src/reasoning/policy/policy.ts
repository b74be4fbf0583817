import type { AdvisorState, Plan, Reuse } from "../model/plan.ts";
import { type Confidence, defaultLens, isMaterial, type Materiality, type Mode } from "../model/words.ts";
import { budgetOf } from "./budget.ts";
import { type Selected, selectFrom } from "./select.ts";

/** What the policy decides from; there is nothing else. */
export interface PolicyRequest {
  materiality: Materiality;
  confidence: Confidence;
  capabilities: readonly string[];
  confidential: boolean;
  mode: Mode;
  mode_source: string;
  /** Every advisor, in the order of preference. */
  states: readonly AdvisorState[];
  reuse?: Reuse;
  executor_source?: string;
}

/** The five steps of a review without any advisor. */
const localReviewSteps = [
  { step: "rivals", text: "State the hypothesis and its strongest rival, each as its best defender would." },
  {
    step: "assumptions",
    text: "List every assumption with what supports it; mark those that nothing supports.",
  },
  { step: "falsifier", text: "Name an observation that would prove the hypothesis wrong." },
  {
    step: "experiment",
    text: "Run the cheapest experiment whose result differs between the two, and write down what happened.",
  },
  {
    step: "record",
    text: "Record the local review, then the conclusion: evidence, options turned down, risks, how it will be validated.",
  },
] as const;

/** Says what review an uncertainty calls for. Pure: the same request gives the same plan, byte for byte. */
export function planOf(request: PolicyRequest): Plan {
  const wanted = request.capabilities.length > 0 ? [...request.capabilities] : [defaultLens];
  const table = budgetOf(request.mode, request.materiality, request.confidence);
  const reused = request.reuse?.accepted === true;
  const pool = request.states.filter((state) => isAvailable(state) && offers(state, wanted));
  const selected = reused
    ? []
    : selectFrom(pool, {
        wanted,
        budget: table,
        ...(request.executor_source !== undefined && { executorSource: request.executor_source }),
      });
  const verdict = judge(request, { table, selected, wanted });
  return {
    policy_version: 1,
    mode: request.mode,
    mode_source: request.mode_source,
    materiality: request.materiality,
    confidence: request.confidence,
    capabilities: wanted,
    confidential: request.confidential,
    ...verdict,
    selected,
    excluded: excludedOf(request.states, { wanted, selected, table, reused }),
    available: request.states.filter(isAvailable).length,
    uncovered:
      verdict.outcome === "consult" || verdict.reason_code === "nobody_available"
        ? uncoveredOf(request.states, { wanted, selected })
        : [],
    local_review:
      verdict.outcome === "decide_locally" && isMaterial(request.materiality)
        ? localReviewSteps.map((step) => ({ ...step }))
        : [],
    ...(request.reuse && { reuse: request.reuse }),
  };
}

const isAvailable = (state: AdvisorState): boolean => state.status === "available";
const offers = (state: AdvisorState, wanted: readonly string[]): boolean =>
  wanted.some((word) => state.capabilities.includes(word));

type Verdict = Pick<Plan, "outcome" | "reason_code" | "reason" | "budget">;

/** The first row that applies decides. */
function judge(
  { reuse, materiality, mode, confidence }: PolicyRequest,
  { table, selected, wanted }: { table: number; selected: readonly Selected[]; wanted: readonly string[] },
): Verdict {
  const prior =
    reuse && !reuse.accepted
      ? `; the earlier conclusion ${reuse.candidate} is not taken over: ${reuse.causes.join(", ")}`
      : "";
  if (reuse?.accepted) {
    const reason = `the standing conclusion ${reuse.candidate} answers the same subject`;
    return { outcome: "reuse_prior", reason_code: "standing_conclusion", reason, budget: 0 };
  }
  if (selected.length > 0) {
    const reason = `${materiality} in mode ${mode}: ${selected.length} of at most ${table} asked${prior}`;
    return { outcome: "consult", reason_code: "advisors_selected", reason, budget: table };
  }
  const outcome = "decide_locally";
  if (!isMaterial(materiality)) {
    const reason = `${materiality}: local evidence decides${prior}`;
    return { outcome, reason_code: "not_material", reason, budget: 0 };
  }
  if (table === 0) {
    const reason = `mode ${mode} asks nobody at materiality ${materiality} and confidence ${confidence}${prior}`;
    return { outcome, reason_code: "no_budget", reason, budget: 0 };
  }
  const reason = `nobody available offers ${wanted.join(", ")}${prior}`;
  return { outcome, reason_code: "nobody_available", reason, budget: table };
}

function excludedOf(
  states: readonly AdvisorState[],
  of: { wanted: readonly string[]; selected: readonly Selected[]; table: number; reused: boolean },
): Plan["excluded"] {
  const { wanted, selected, table, reused } = of;
  return states
    .filter(({ id }) => !selected.some(({ advisor }) => advisor === id))
    .map((state) => {
      const { id: advisor, status, reason } = state;
      if (reused) return { advisor, status, reason, code: "standing_conclusion" };
      if (!isAvailable(state)) return { advisor, status, reason, code: reason };
      if (!offers(state, wanted))
        return { advisor, status, reason, code: "offers_none", capabilities: [...wanted] };
      return { advisor, status, reason, code: table === 0 ? "budget_zero" : "budget_spent" };
    });
}

function uncoveredOf(
  states: readonly AdvisorState[],
  { wanted, selected }: { wanted: readonly string[]; selected: readonly Selected[] },
): Plan["uncovered"] {
  return wanted
    .filter((word) => !selected.some(({ covers }) => covers.includes(word)))
    .map((capability) => {
      const offering = states.filter(({ capabilities }) => capabilities.includes(capability));
      const cause = offering.some(isAvailable) ? "budget" : offering.length > 0 ? "unavailable" : "nobody";
      return { capability, cause };
    });
}
