import type { RecordOf } from "../model/record.ts";
import type { Records } from "./records.ts";

/** Answers of an assessment: exchanges that were completed. */
export function answersOf(records: Records, assessment: string): RecordOf<"consultation">[] {
  return records.ofRootOf(assessment, "consultation").filter(({ body }) => body.status === "completed");
}

/** The newest conclusion of an assessment that nothing superseded. */
export function standingOf(records: Records, assessment: string): RecordOf<"conclusion"> | undefined {
  return records
    .ofRootOf(assessment, "conclusion")
    .findLast(({ id }) => records.supersededBy(id) === undefined);
}

/** Disagreements of an assessment that nothing settled. */
export function unresolved(records: Records, assessment: string): RecordOf<"disagreement">[] {
  return records
    .ofRootOf(assessment, "disagreement")
    .filter(({ id, body }) => !resolutionOf(records, body.assessment, id));
}

export function resolutionOf(
  records: Records,
  assessment: string,
  disagreement: string,
): RecordOf<"resolution"> | undefined {
  return records.ofRootOf(assessment, "resolution").find(({ body }) => body.disagreement === disagreement);
}

/** Whether a waiver set a late answer aside. */
function isSetAside(records: Records, assessment: string, consultation: string): boolean {
  return records.ofRootOf(assessment, "waiver").some(({ body }) => body.consultation === consultation);
}

/** Completed answers that a conclusion neither cites nor found set aside. */
export function unweighed(
  records: Records,
  assessment: string,
  cited: readonly string[],
): RecordOf<"consultation">[] {
  return answersOf(records, assessment).filter(
    ({ id }) => !cited.includes(id) && !isSetAside(records, assessment, id),
  );
}

/** Advisors that a plan selected and that were neither asked nor waived. */
export function debtOf(records: Records, assessment: string): { advisor: string; plan: string }[] {
  const dispatches = records.ofRootOf(assessment, "dispatch");
  return records
    .ofRootOf(assessment, "plan")
    .flatMap((plan) =>
      plan.body.plan.selected
        .filter(
          ({ advisor }) =>
            !dispatches.some(({ body }) => body.plan === plan.id && body.advisor === advisor) &&
            !waiverOf(records, assessment, { plan: plan.id, advisor }),
        )
        .map(({ advisor }) => ({ advisor, plan: plan.id })),
    );
}

/** The waiver of a selection. */
export function waiverOf(
  records: Records,
  assessment: string,
  { plan, advisor }: { plan: string; advisor: string },
): RecordOf<"waiver"> | undefined {
  return records
    .ofRootOf(assessment, "waiver")
    .find(({ body }) => body.selection?.plan === plan && body.selection.advisor === advisor);
}

/** Dispatches of an assessment whose end is not recorded. */
export function openDispatches(records: Records, assessment: string): RecordOf<"dispatch">[] {
  const ended = new Set(records.ofRootOf(assessment, "consultation").map(({ body }) => body.dispatch));
  return records.ofRootOf(assessment, "dispatch").filter(({ id }) => !ended.has(id));
}

/** The checks of a conclusion that were recorded, in order. */
export function validationsOf(
  records: Records,
  { id, body }: RecordOf<"conclusion">,
): RecordOf<"validation">[] {
  return records.ofRootOf(body.assessment, "validation").filter((one) => one.body.conclusion === id);
}

/** Failed checks of a conclusion that no later pass settled. */
export function unsettledFails(
  records: Records,
  conclusion: RecordOf<"conclusion">,
): RecordOf<"validation">[] {
  const checks = validationsOf(records, conclusion);
  const settled = new Set(checks.flatMap(({ body }) => body.settles));
  return checks.filter(({ id, body }) => body.outcome === "fail" && !settled.has(id));
}

export function checksOf(
  records: Records,
  conclusion: RecordOf<"conclusion">,
): { passed: number; failed: number } {
  const checks = validationsOf(records, conclusion);
  return {
    passed: checks.filter(({ body }) => body.outcome === "pass").length,
    failed: checks.filter(({ body }) => body.outcome === "fail").length,
  };
}

/** The newest standing conclusion on an equal subject, of another assessment. */
export function priorOn(
  records: Records,
  { subject, except }: { subject: string; except?: string },
): RecordOf<"conclusion"> | undefined {
  const standing = records
    .withSubject(subject)
    .filter(({ id }) => id !== except)
    .flatMap(({ id }) => records.ofRootOf(id, "conclusion"))
    .filter(({ id }) => records.supersededBy(id) === undefined);
  return standing.reduce<RecordOf<"conclusion"> | undefined>(
    (last, one) => (!last || one.seq > last.seq ? one : last),
    undefined,
  );
}
