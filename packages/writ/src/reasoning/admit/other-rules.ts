import { fail } from "../../contract/index.ts";
import { answersOf } from "../records/relations.ts";
import { refuseBlank } from "./blank.ts";
import { type BodyOfKind, notA, refusal, type Rule } from "./rule.ts";
import { assessmentRule } from "./session-rules.ts";

export const planRules: Rule<BodyOfKind<"plan">>[] = [
  assessmentRule("P1") as unknown as Rule<BodyOfKind<"plan">>,
];

export const validationRules: Rule<BodyOfKind<"validation">>[] = [
  {
    name: "V1",
    refuse: ({ conclusion }, { records }) =>
      notA(records, conclusion, { kind: "conclusion", field: "/conclusion" }),
  },
  { name: "V2", refuse: refuseBlank },
  {
    name: "V3",
    refuse({ outcome, exit_code }) {
      if (exit_code === undefined || (outcome === "pass") === (exit_code === 0)) return undefined;
      return refusal("E_RECEIPT_CONTRADICTS", {
        message: `A ${outcome} does not go with exit code ${exit_code}.`,
        cause: "A command that ends with 0 passed, and one that does not failed.",
        remediation: "Record what happened: writ reasoning record --file FILE",
        details: { field: "/exit_code" },
      });
    },
  },
];

export const attemptRules: Rule<BodyOfKind<"attempt">>[] = [
  {
    name: "T1",
    refuse: (body, { records }) =>
      (body.assessment === undefined
        ? undefined
        : notA(records, body.assessment, { kind: "assessment", field: "/assessment" })) ?? refuseBlank(body),
  },
];

export const waiverRules: Rule<BodyOfKind<"waiver">>[] = [
  {
    name: "Y1",
    refuse(body) {
      const targets = [body.selection, body.consultation].filter((one) => one !== undefined);
      if (targets.length === 1) return refuseBlank(body);
      return fail("USAGE_ERROR", {
        message: "A waiver has exactly one target.",
        cause: `This one has ${targets.length} of selection and consultation.`,
        remediation:
          "Give selection: {plan, advisor}, or consultation: ID. See: writ schema reasoning-record",
        details: { field: "/selection" },
      });
    },
  },
  {
    name: "Y2",
    refuse({ selection }, { records }) {
      if (!selection) return undefined;
      const wrong = notA(records, selection.plan, { kind: "plan", field: "/selection/plan" });
      if (wrong) return wrong;
      const plan = records.findOf(selection.plan, "plan");
      const selected = plan?.body.plan.selected.map(({ advisor }) => advisor) ?? [];
      if (!selected.includes(selection.advisor)) return notSelected(selection.advisor, selected);
      const asked = records
        .ofRootOf(plan?.body.assessment ?? "", "dispatch")
        .find(({ body }) => body.plan === selection.plan && body.advisor === selection.advisor);
      return (
        asked &&
        refusal("E_ALREADY_ASKED", {
          message: `${selection.advisor} was asked already.`,
          cause: `${asked.id} asked it.`,
          remediation: `Weigh what it answered: writ reasoning explain ${asked.id}`,
          details: { advisor: selection.advisor, dispatch: asked.id },
        })
      );
    },
  },
  {
    name: "Y3",
    refuse({ consultation }, { records }) {
      if (consultation === undefined) return undefined;
      const wrong = notA(records, consultation, { kind: "consultation", field: "/consultation" });
      if (wrong) return wrong;
      const answer = records.findOf(consultation, "consultation");
      const root = answer && records.rootOf(answer.body);
      const isAnswer = root !== undefined && answersOf(records, root).some(({ id }) => id === consultation);
      const concluded =
        root !== undefined &&
        records.ofRootOf(root, "conclusion").some(({ seq }) => seq < (answer?.seq ?? 0));
      if (isAnswer && concluded) return undefined;
      return refusal("E_WAIVER_REFUSED", {
        message: "Only a late answer can be set aside.",
        cause: isAnswer
          ? "No conclusion of its assessment was recorded before it."
          : `That exchange ended as ${answer?.body.status}.`,
        remediation: "Cite it in the conclusion: writ reasoning record --file FILE",
        details: { consultation },
      });
    },
  },
];

export const resetRules: Rule<BodyOfKind<"circuit_reset">>[] = [
  {
    name: "Z1",
    refuse(body, { isDeclared, records }) {
      const blank = refuseBlank(body);
      if (blank || !isDeclared || isDeclared(body.advisor)) return blank;
      for (const record of records.all()) {
        if ("advisor" in record.body && record.body.advisor === body.advisor) return undefined;
      }
      return fail("E_NOT_FOUND", {
        message: `There is no advisor "${body.advisor.slice(0, 80)}".`,
        cause: "It is neither declared nor in any record.",
        remediation: "See who there is: writ reasoning advisors",
        details: { kind: "advisor", id: body.advisor.slice(0, 80), field: "/advisor" },
      });
    },
  },
];

/** The refusal of an advisor that a plan did not select; it lists whom the plan did. */
export function notSelected(advisor: string, selected: readonly string[]) {
  return refusal("E_NOT_SELECTED", {
    message: `The plan did not select ${advisor.slice(0, 80)}.`,
    cause: selected.length > 0 ? `It selected ${selected.join(", ")}.` : "It selected none.",
    remediation: "Ask those, or plan again with: writ reasoning consult --assessment ID --replan",
    details: { advisor: advisor.slice(0, 80), selected: [...selected] },
  });
}
