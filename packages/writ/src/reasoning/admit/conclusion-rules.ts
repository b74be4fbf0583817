import type { ErrorCode } from "../../contract/index.ts";
import { isMaterial } from "../model/words.ts";
import { subjectKey } from "../records/clean.ts";
import { debtOf, resolutionOf, standingOf, unresolved, unweighed } from "../records/relations.ts";
import { refuseBlank } from "./blank.ts";
import { type BodyOfKind, notA, refusal, type Rule, type Standing } from "./rule.ts";
import { assessmentRule, hasEvidence, noEvidence } from "./session-rules.ts";

type Body = BodyOfKind<"conclusion">;

export const conclusionRules: Rule<Body>[] = [
  assessmentRule("K1") as unknown as Rule<Body>,
  { name: "K2", refuse: refuseBlank },
  rule("K3", (body, standing) => {
    const materiality = materialOf(body, standing);
    return materiality && !hasEvidence(body.evidence) ? noEvidence(materiality) : undefined;
  }),
  rule("K4", (body, standing) => {
    if (!materialOf(body, standing) || body.validation_plan.length > 0) return undefined;
    return said("E_VALIDATION_PLAN_REQUIRED", {
      message: "A material conclusion says how it will be validated.",
      cause: "validation_plan is empty.",
      remediation: "Add a check to validation_plan and record again: writ reasoning record --file FILE",
      details: { field: "/validation_plan" },
    });
  }),
  rule("K5", (body, standing) => {
    if (!materialOf(body, standing)) return undefined;
    if (standing.records.ofRootOf(body.assessment, "plan").length > 0) return undefined;
    return said("E_PLAN_REQUIRED", {
      message: "A material conclusion needs a plan first.",
      cause: `No plan of ${body.assessment} was recorded.`,
      remediation: `Record one: writ reasoning consult --assessment ${body.assessment}`,
      details: { assessment: body.assessment },
    });
  }),
  rule("K6", ({ assessment }, { records }) => {
    const [debt] = debtOf(records, assessment);
    if (!debt) return undefined;
    return said("E_REVIEW_DEBT", {
      message: `${debt.advisor} was selected, and neither asked nor waived.`,
      cause: `${debt.plan} selected it.`,
      remediation: `Ask it (writ reasoning consult --assessment ${assessment} --plan ${debt.plan}), or record a waiver with a reason.`,
      details: { advisor: debt.advisor, plan: debt.plan },
    });
  }),
  rule("K7", refuseCitedAnswers),
  rule("K8", ({ assessment, consultations }, { records }) => {
    const [left] = unweighed(records, assessment, consultations);
    if (!left) return undefined;
    return said("E_UNWEIGHED_ANSWER", {
      message: `The answer of ${left.body.advisor} was not weighed.`,
      cause: `${left.id} is neither cited nor set aside.`,
      remediation: `Read it and cite it: writ reasoning explain ${left.id}`,
      details: { consultation: left.id, advisor: left.body.advisor },
    });
  }),
  rule("K9", refuseUnansweredOpposition),
  rule("K10", (body, { records }) => {
    for (const id of body.disagreements) {
      const wrong = notA(records, id, { kind: "disagreement", field: "/disagreements" });
      if (wrong) return wrong;
      if (records.findOf(id, "disagreement")?.body.assessment !== body.assessment)
        return citation(id, "It is a disagreement on another assessment.");
    }
    return undefined;
  }),
  rule("K11", ({ assessment }, { records }) => {
    const [open] = unresolved(records, assessment);
    if (!open) return undefined;
    return said("E_UNRESOLVED_DISAGREEMENT", {
      message: "A disagreement on this assessment is open.",
      cause: `${open.id} asks: ${open.body.discriminating_question}`,
      remediation: "Run what answers it, then record a resolution: writ reasoning record --file FILE",
      details: { disagreement: open.id },
    });
  }),
  rule("K12", ({ assessment, disagreements }, { records }) => {
    const settled = records
      .ofRootOf(assessment, "disagreement")
      .find(({ id }) => !disagreements.includes(id) && resolutionOf(records, assessment, id));
    return settled && citation(settled.id, "It was settled on this assessment, and is not cited.");
  }),
  rule("K13", (body, standing) => {
    if (!materialOf(body, standing) || body.consultations.length > 0) return undefined;
    if (standing.records.ofRootOf(body.assessment, "local_review").length > 0) return undefined;
    return said("E_LOCAL_REVIEW_REQUIRED", {
      message: "A material conclusion that no advisor reviewed needs a local review.",
      cause: `No answer is cited, and ${body.assessment} has no local review.`,
      remediation: "Go through the five steps of the plan and record a local_review: writ guide reasoning",
      details: { assessment: body.assessment },
    });
  }),
  rule("K14", refuseSupersede),
  rule("K15", (body, { records }) => {
    const stands = body.supersedes === undefined ? standingOf(records, body.assessment) : undefined;
    if (!stands) return undefined;
    return said("E_CONCLUSION_STANDS", {
      message: "This assessment has a conclusion that stands.",
      cause: `${stands.id} was not superseded.`,
      remediation: `To replace it, add supersedes: ${stands.id} and record again: writ reasoning record --file FILE`,
      details: { conclusion: stands.id },
    });
  }),
];

function rule(name: string, refuse: Rule<Body>["refuse"]): Rule<Body> {
  return { name, refuse };
}

const said = (code: ErrorCode, failure: Parameters<typeof refusal>[1]) => refusal(code, failure);

/** The materiality of the assessment, where it is material or above. */
function materialOf({ assessment }: Body, { records }: Standing): string | undefined {
  const found = records.findOf(assessment, "assessment")?.body.materiality;
  return found && isMaterial(found) ? found : undefined;
}

function citation(id: string, cause: string) {
  return refusal("E_CITATION", {
    message: `${id} cannot be cited so.`,
    cause,
    remediation: "See what belongs to this assessment: writ reasoning status",
    details: { cited: id },
  });
}

function refuseCitedAnswers(body: Body, { records }: Standing) {
  for (const id of body.consultations) {
    const wrong = notA(records, id, { kind: "consultation", field: "/consultations" });
    if (wrong) return wrong;
    const answer = records.findOf(id, "consultation");
    if (answer?.body.status !== "completed")
      return citation(id, `That exchange ended as ${answer?.body.status}.`);
    if (records.rootOf(answer.body) !== body.assessment)
      return citation(id, "It answers another assessment.");
  }
  return undefined;
}

function refuseUnansweredOpposition(body: Body, { records }: Standing) {
  const positions = new Set(
    records
      .ofRootOf(body.assessment, "disagreement")
      .flatMap((one) => one.body.positions.map(({ source }) => source)),
  );
  const rejected = new Set(body.rejected.map(({ consultation }) => consultation));
  for (const id of body.consultations) {
    const answer = records.findOf(id, "consultation")?.body.answer;
    if (answer?.stance !== "opposes" && answer?.stance !== "alternative") continue;
    if (positions.has(id) || rejected.has(id)) continue;
    return refusal("E_OPPOSITION_UNANSWERED", {
      message: `The answer ${id} ${answer.stance === "opposes" ? "opposes" : "proposes an alternative"}, and nothing says why it was not followed.`,
      cause: "It is neither a position of a disagreement nor named by a rejected option.",
      remediation: `Add it to rejected: [{option: TEXT, reason: TEXT, consultation: ${id}}] and record again: writ reasoning record --file FILE`,
      details: { consultation: id, stance: answer.stance },
    });
  }
  return undefined;
}

function refuseSupersede({ supersedes, assessment }: Body, { records }: Standing) {
  if (supersedes === undefined) return undefined;
  const refused = (cause: string) =>
    refusal("E_SUPERSEDE_REFUSED", {
      message: `${supersedes.slice(0, 120)} cannot be superseded by this.`,
      cause,
      remediation: "See which conclusions stand: writ reasoning status --task all",
      details: { field: "/supersedes", conclusion: supersedes.slice(0, 120) },
    });
  const before = records.findOf(supersedes, "conclusion");
  if (!before) return refused("It is no conclusion of this checkout.");
  const by = records.supersededBy(supersedes);
  if (by !== undefined) return refused(`It does not stand: ${by} superseded it.`);
  const subjectOf = (id: string) => subjectKey(records.findOf(id, "assessment")?.body.subject ?? "");
  if (before.body.assessment === assessment || subjectOf(before.body.assessment) === subjectOf(assessment))
    return undefined;
  return refused("It belongs neither to this assessment nor to one with the same subject.");
}
