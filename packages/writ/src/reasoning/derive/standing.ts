import type { RecordOf } from "../model/record.ts";
import type { Records } from "../records/records.ts";
import { checksOf, standingOf, unresolved, unsettledFails, unweighed } from "../records/relations.ts";

export const standings = [
  "disputed",
  "validation_failed",
  "unweighed_answer",
  "validated",
  "concluded",
  "superseded",
  "reused",
  "planned",
  "open",
] as const;

/** Where an assessment stands, and what it leads to. */
export interface Standing {
  standing: (typeof standings)[number];
  conclusion?: string;
  reuses?: string;
  prior_superseded_by?: string;
}

/** The first row that applies. */
export function standingFor(records: Records, assessment: RecordOf<"assessment">): Standing {
  const { id } = assessment;
  const conclusion = standingOf(records, id);
  const named = conclusion && { conclusion: conclusion.id };
  if (unresolved(records, id).length > 0) return { standing: "disputed", ...named };
  if (conclusion) {
    const checks = checksOf(records, conclusion);
    if (unsettledFails(records, conclusion).length > 0) return { standing: "validation_failed", ...named };
    if (unweighed(records, id, conclusion.body.consultations).length > 0)
      return { standing: "unweighed_answer", ...named };
    return { standing: checks.passed > 0 ? "validated" : "concluded", ...named };
  }
  const last = records.ofRootOf(id, "conclusion").at(-1);
  if (last) return { standing: "superseded", conclusion: last.id };
  const plan = records.ofRootOf(id, "plan").at(-1);
  if (plan?.body.plan.outcome === "reuse_prior" && plan.body.reuse) {
    const reuses = plan.body.reuse.candidate;
    const by = records.supersededBy(reuses);
    return { standing: "reused", reuses, ...(by !== undefined && { prior_superseded_by: by }) };
  }
  return { standing: plan ? "planned" : "open" };
}
