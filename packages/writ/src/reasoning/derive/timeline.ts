import { counted } from "../../platform/index.ts";
import type { ReasoningRecord, Review, StoredBody } from "../model/record.ts";
import { isOf } from "../model/is-of.ts";
import type { Stance } from "../model/words.ts";
import { short } from "./words.ts";

/** One record as a step: the session's words in `summary`, an advisor's only in `quote`. */
export interface Step {
  seq: number;
  at: string;
  id: string;
  phase: string;
  summary: string;
  quote?: { origin: string; text: string };
}

const stanceWords: Record<Stance, string> = {
  supports: "supports",
  opposes: "opposes",
  alternative: "proposes an alternative",
  inconclusive: "is inconclusive",
};

/** The step of one record. */
export function stepOf(record: ReasoningRecord): Step {
  const { seq, recorded_at, id, body } = record;
  const [phase, summary] = said(body);
  const answer = isOf(record, "consultation") ? record.body.answer : undefined;
  return {
    seq,
    at: recorded_at,
    id,
    phase,
    summary: short(summary, 140),
    ...(answer && { quote: { origin: answer.origin, text: answer.conclusion } }),
  };
}

function said(body: StoredBody): [phase: string, summary: string] {
  switch (body.kind) {
    case "assessment":
      return [
        "uncertainty",
        `${body.subject} (${body.materiality}, ${counted(body.evidence.length, "evidence item")})`,
      ];
    case "plan":
      return planned(body);
    case "dispatch":
      return ["asked", `${body.advisor}, attempt ${body.attempt}`];
    case "consultation":
      return body.answer
        ? ["advisor_response", `${body.advisor} ${stanceWords[body.answer.stance]}`]
        : ["degradation", [body.advisor, body.status, body.diagnostic].filter(Boolean).join(", ")];
    case "local_review":
      return ["local_review", `${body.experiment}: ${body.result}`];
    case "disagreement":
      return [
        "disagreement",
        `${counted(body.positions.length, "position")}: ${body.discriminating_question}`,
      ];
    case "resolution":
      return ["experiment", `${body.experiment}; favours ${body.favours}`];
    case "conclusion":
      return ["conclusion", `${body.decision} (${basisOf(body.review)})`];
    case "validation":
      return ["validation", `${body.outcome}: ${body.check}`];
    case "attempt":
      return ["attempt", `${body.attempt}: ${body.observed_failure}`];
    case "waiver":
      return ["waiver", `${body.selection?.advisor ?? body.consultation ?? ""}: ${body.reason}`];
    case "circuit_reset":
      return ["reset", `${body.advisor}: ${body.reason}`];
  }
}

function planned({ plan }: Extract<StoredBody, { kind: "plan" }>): [string, string] {
  switch (plan.outcome) {
    case "consult":
      return ["consulting", `${plan.selected.map(({ advisor }) => advisor).join(", ")}: ${plan.reason}`];
    case "decide_locally":
      return ["local", plan.reason];
    case "reuse_prior":
      return ["reuse", plan.reason];
  }
}

/** What a conclusion rests on. The word reviewed stands only where an exchange stands behind it. */
export function basisOf(review: Review): string {
  if (review.basis === "local_review") return "local structured review, no independent advisor";
  if (review.basis === "local") return "local reasoning, no independent advisor";
  const own = review.same_source_as_executor;
  const tail = own.length > 0 ? `, ${own.join(", ")} of the executor's own source` : "";
  return `reviewed by ${review.reviewed_by.join(", ")}: ${counted(review.review_count, "advisor")}, ${counted(review.independent_source_count, "independent source")}${tail}`;
}
