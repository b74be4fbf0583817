import { mostAttempts } from "../model/bounds.ts";
import type { RecordOf } from "../model/record.ts";
import { isMaterial } from "../model/words.ts";
import { subjectKey } from "../records/clean.ts";
import type { Records } from "../records/records.ts";
import {
  answersOf,
  debtOf,
  openDispatches,
  resolutionOf,
  unresolved,
  unsettledFails,
  unweighed,
  validationsOf,
} from "../records/relations.ts";
import {
  blankEvidence,
  checking,
  consulting,
  disagreeing,
  explaining,
  recording,
  resolving,
  reviewing,
} from "./next-lines.ts";
import { standingFor } from "./standing.ts";
import { short } from "./words.ts";

/** What an assessment calls for, and why that is not over where a check failed. */
export interface Next {
  /** Complete command lines. A text left blank in one is the session's to fill in; unfilled it is refused. */
  next: string[];
  reason?: string;
}

/** What may be recorded or asked next on an assessment; nothing where it is settled. Pure. */
export function nextFor(records: Records, assessment: RecordOf<"assessment">): Next {
  const { id } = assessment;
  const { standing, reuses, prior_superseded_by: by, ...stands } = standingFor(records, assessment);
  const conclusion = records.findOf(stands.conclusion ?? "", "conclusion");
  switch (standing) {
    case "disputed":
      return { next: unresolved(records, id).map(resolving) };
    case "validation_failed":
      return conclusion ? failed(records, { assessment, conclusion }) : { next: [] };
    case "unweighed_answer": {
      const late = unweighed(records, id, conclusion?.body.consultations ?? []).map((one) => one.id);
      return {
        next: [
          ...late.map(explaining),
          concluding(records, { assessment, ...(conclusion && { supersedes: conclusion.id }) }),
          ...late.map((consultation) => recording({ kind: "waiver", consultation, reason: "" })),
        ],
      };
    }
    case "validated":
    case "concluded":
      return { next: conclusion ? unchecked(records, conclusion).map(checking(conclusion.id)) : [] };
    case "superseded":
      return { next: [] };
    case "reused":
      return { next: by === undefined ? [explaining(reuses ?? "")] : [consulting({ assessment: id })] };
    case "planned":
    case "open":
      return { next: undecided(records, assessment) };
  }
}

function undecided(records: Records, assessment: RecordOf<"assessment">): string[] {
  const { id, body } = assessment;
  const material = isMaterial(body.materiality);
  const newest = records.ofRootOf(id, "plan").at(-1);
  if (!newest && material)
    return [recording({ kind: "plan", assessment: id }), consulting({ assessment: id })];
  const debt = debtOf(records, id);
  if (debt.length > 0 || openDispatches(records, id).length > 0) {
    const plans = new Set(debt.map(({ plan }) => plan));
    const again = [...plans].filter((plan) => plan !== newest?.id);
    return [
      consulting({ assessment: id, dry_run: true }),
      consulting({ assessment: id }),
      ...again.map((plan) => consulting({ assessment: id, plan })),
      ...debt.map(({ plan, advisor }) =>
        recording({ kind: "waiver", selection: { plan, advisor }, reason: "" }),
      ),
    ];
  }
  const answers = answersOf(records, id);
  const opposing = unanswered(records, id);
  if (opposing.length > 0) return [disagreeing(id, opposing), concluding(records, { assessment })];
  if (material && answers.length === 0 && records.ofRootOf(id, "local_review").length === 0)
    return [
      reviewing(id),
      ...(newest && mayAskAgain(records, newest) ? [consulting({ assessment: id })] : []),
    ];
  return [concluding(records, { assessment })];
}

/** Whether somebody whom a plan selected, and who gave no answer, may be asked once more. */
function mayAskAgain(records: Records, { id, body }: RecordOf<"plan">): boolean {
  const asked = records.ofRootOf(body.assessment, "dispatch").filter((one) => one.body.plan === id);
  return body.plan.selected.some(({ advisor }) => {
    const attempts = asked.filter((one) => one.body.advisor === advisor).length;
    return attempts > 0 && attempts < mostAttempts;
  });
}

/** Answers that oppose or propose otherwise, and that no disagreement has taken up. */
function unanswered(records: Records, assessment: string): string[] {
  const positions = new Set(
    records
      .ofRootOf(assessment, "disagreement")
      .flatMap(({ body }) => body.positions.map(({ source }) => source)),
  );
  return unweighed(records, assessment, [...positions])
    .filter(({ body }) => body.answer?.stance === "opposes" || body.answer?.stance === "alternative")
    .map(({ id }) => id);
}

function concluding(
  records: Records,
  { assessment, supersedes }: { assessment: RecordOf<"assessment">; supersedes?: string },
): string {
  const { id, body } = assessment;
  const consultations = unweighed(records, id, []).map((one) => one.id);
  const disagreements = records
    .ofRootOf(id, "disagreement")
    .filter((one) => resolutionOf(records, id, one.id))
    .map((one) => one.id);
  const rejected = unanswered(records, id).map((consultation) => ({ option: "", reason: "", consultation }));
  return recording({
    kind: "conclusion",
    assessment: id,
    decision: "",
    rationale: "",
    ...(isMaterial(body.materiality) && { evidence: blankEvidence, validation_plan: [""] }),
    ...(consultations.length > 0 && { consultations }),
    ...(disagreements.length > 0 && { disagreements }),
    ...(rejected.length > 0 && { rejected }),
    ...(supersedes !== undefined && { supersedes }),
  });
}

/** What the validation plan names and nobody has checked yet. */
function unchecked(records: Records, conclusion: RecordOf<"conclusion">): string[] {
  const checked = new Set(validationsOf(records, conclusion).map(({ body }) => subjectKey(body.check)));
  return conclusion.body.validation_plan.filter((check) => !checked.has(subjectKey(check)));
}

/** The two ways out of a failed check: the same check passes at a later commit, or another conclusion takes over. */
function failed(
  records: Records,
  { assessment, conclusion }: { assessment: RecordOf<"assessment">; conclusion: RecordOf<"conclusion"> },
): Next {
  const fails = unsettledFails(records, conclusion);
  const later = fails.filter(({ head }) => head !== undefined).map(({ body }) => body.check);
  const [first] = fails;
  const check = `The check "${short(first?.body.check ?? "", 80)}" failed`;
  const way = "conclude anew, with supersedes";
  return {
    next: [
      ...[...new Set(later)].map(checking(conclusion.id)),
      concluding(records, { assessment, supersedes: conclusion.id }),
    ],
    reason:
      first?.head === undefined
        ? `${check}, and outside git no later commit can settle it: ${way}.`
        : `${check} at ${first.head.slice(0, 12)}: let the same check pass at a later commit, or ${way}.`,
  };
}
