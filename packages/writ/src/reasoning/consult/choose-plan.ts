import { fail } from "../../contract/index.ts";
import { notA } from "../admit/rule.ts";
import { notSelected } from "../admit/other-rules.ts";
import type { RecordOf } from "../model/record.ts";
import type { Records } from "../records/records.ts";
import { waiverOf } from "../records/relations.ts";

/** What a call asks for. */
export interface ConsultInput {
  assessment: string;
  plan?: string | undefined;
  advisors: string[];
  question?: string | undefined;
  timeout: number;
  prior_opinions: string[];
  replan: boolean;
}

/** The plan to carry out: one that is there, or a new one that must be recorded first. */
export type ChosenPlan =
  | { plan: RecordOf<"plan"> }
  | {
      record: { again: boolean } /** The plan that a new one would repeat, unless something changed. */;
      newest?: RecordOf<"plan">;
    };

/** Chooses the plan: the one that was named, the newest that is not done, or a new one. Pure. */
export function choosePlan(records: Records, { assessment, plan, replan }: ConsultInput): ChosenPlan {
  if (plan !== undefined) {
    const wrong = notA(records, plan, { kind: "plan", field: "plan" });
    if (wrong) throw wrong;
    const named = records.findOf(plan, "plan");
    if (named?.body.assessment === assessment) return { plan: named };
    throw fail("E_CITATION", {
      message: `${plan} is no plan of this assessment.`,
      cause: `It belongs to ${named?.body.assessment ?? "another"}.`,
      remediation: `Leave it out: writ reasoning consult --assessment ${assessment}`,
      details: { plan, assessment },
    });
  }
  if (replan) return { record: { again: true } };
  const newest = records.ofRootOf(assessment, "plan").at(-1);
  if (!newest) return { record: { again: false } };
  if (newest.body.plan.outcome === "consult") return { plan: newest };
  // What was decided without anybody may be decided otherwise by now.
  return { record: { again: true }, newest };
}

/** One selected advisor of a plan, and what has become of it. */
export interface Selection {
  advisor: string;
  answer?: RecordOf<"consultation">;
  waived: boolean;
  /** How often it was asked for this plan. */
  attempts: number;
}

/** The selected advisors in the plan's order, as far as the call wants them. */
export function selectionsOf(
  records: Records,
  { plan, advisors }: { plan: RecordOf<"plan">; advisors: readonly string[] },
): Selection[] {
  const selected = plan.body.plan.selected.map(({ advisor }) => advisor);
  const other = advisors.find((one) => !selected.includes(one));
  if (other !== undefined) throw notSelected(other, selected);
  const wanted = advisors.length === 0 ? selected : selected.filter((one) => advisors.includes(one));
  const { assessment } = plan.body;
  return wanted.map((advisor) => {
    const answer = records
      .ofRootOf(assessment, "consultation")
      .find(({ body }) => body.plan === plan.id && body.advisor === advisor && body.status === "completed");
    return {
      advisor,
      ...(answer && { answer }),
      waived: waiverOf(records, assessment, { plan: plan.id, advisor }) !== undefined,
      attempts: records
        .ofRootOf(assessment, "dispatch")
        .filter(({ body }) => body.plan === plan.id && body.advisor === advisor).length,
    };
  });
}
