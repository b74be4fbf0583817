import { mostAttempts } from "../model/bounds.ts";
import { isBlank } from "../records/clean.ts";
import { notSelected } from "./other-rules.ts";
import { type BodyOfKind, notA, refusal, type Rule } from "./rule.ts";

export const dispatchRules: Rule<BodyOfKind<"dispatch">>[] = [
  { name: "X1", refuse: ({ plan }, { records }) => notA(records, plan, { kind: "plan", field: "/plan" }) },
  {
    name: "X2",
    refuse({ plan, advisor }, { records }) {
      const selected = records.findOf(plan, "plan")?.body.plan.selected.map((one) => one.advisor);
      return !selected || selected.includes(advisor) ? undefined : notSelected(advisor, selected);
    },
  },
  {
    name: "X3",
    refuse(body, standing) {
      const answered = endsOf(body, standing.records).find((one) => one.body.status === "completed");
      return (
        answered &&
        refusal("E_ALREADY_ANSWERED", {
          message: `${body.advisor} has answered for this plan.`,
          cause: `${answered.id} is its answer.`,
          remediation: `Read it: writ reasoning explain ${answered.id}`,
          details: { advisor: body.advisor, consultation: answered.id },
        })
      );
    },
  },
  {
    name: "X4",
    refuse(body, { records }) {
      const ended = new Set(endsOf(body, records).map((one) => one.body.dispatch));
      const open = dispatchesOf(body, records).find(({ id }) => !ended.has(id));
      return (
        open &&
        refusal("E_DISPATCH_OPEN", {
          message: `${body.advisor} is being asked.`,
          cause: `${open.id} has no end yet.`,
          remediation: "Wait for it, or run the consultation again: writ reasoning status",
          details: { advisor: body.advisor, dispatch: open.id },
        })
      );
    },
  },
  {
    name: "X5",
    refuse(body, { records }) {
      const attempts = dispatchesOf(body, records).length;
      if (attempts < mostAttempts) return undefined;
      return refusal("E_ATTEMPTS_EXHAUSTED", {
        message: `${body.advisor} was asked ${attempts} times for this plan.`,
        cause: `An advisor is asked at most ${mostAttempts} times for one plan.`,
        remediation: "Record a waiver, or plan again with: writ reasoning consult --assessment ID --replan",
        details: { advisor: body.advisor, plan: body.plan },
      });
    },
  },
];

type Asking = { plan: string; advisor: string };
type Known = Parameters<Rule["refuse"]>[1]["records"];

function rootRecords(plan: string, records: Known): string {
  return records.findOf(plan, "plan")?.body.assessment ?? "";
}

function dispatchesOf({ plan, advisor }: Asking, records: Known) {
  return records
    .ofRootOf(rootRecords(plan, records), "dispatch")
    .filter(({ body }) => body.plan === plan && body.advisor === advisor);
}

function endsOf({ plan, advisor }: Asking, records: Known) {
  return records
    .ofRootOf(rootRecords(plan, records), "consultation")
    .filter(({ body }) => body.plan === plan && body.advisor === advisor);
}

export const consultationRules: Rule<BodyOfKind<"consultation">>[] = [
  {
    name: "C1",
    refuse: ({ dispatch }, { records }) => notA(records, dispatch, { kind: "dispatch", field: "/dispatch" }),
  },
  {
    name: "C3",
    refuse(body, { records }) {
      const asked = records.findOf(body.dispatch, "dispatch");
      const ended =
        asked &&
        records
          .ofRootOf(rootRecords(asked.body.plan, records), "consultation")
          .find((one) => one.body.dispatch === body.dispatch);
      return (
        ended &&
        refusal("E_DISPATCH_CLOSED", {
          message: "That exchange has ended.",
          cause: `${ended.id} recorded its end.`,
          remediation: `Read it: writ reasoning explain ${ended.id}`,
          details: { dispatch: body.dispatch, consultation: ended.id },
        })
      );
    },
  },
  {
    name: "C4",
    refuse({ dispatch, plan, advisor }, { records }) {
      const asked = records.findOf(dispatch, "dispatch");
      if (!asked) return undefined;
      const selected =
        records.findOf(asked.body.plan, "plan")?.body.plan.selected.map((one) => one.advisor) ?? [];
      const same = asked.body.plan === plan && asked.body.advisor === advisor;
      return same && selected.includes(advisor) ? undefined : notSelected(advisor, selected);
    },
  },
  {
    name: "C5",
    refuse: ({ status, answer }) =>
      status === "completed" && (!answer || isBlank(answer.conclusion))
        ? answerShape("A completed exchange has an answer with a conclusion and a stance.")
        : undefined,
  },
  {
    name: "C6",
    refuse: ({ status, answer }) =>
      status !== "completed" && answer
        ? answerShape(`An exchange that ended as ${status} has no answer.`)
        : undefined,
  },
];

function answerShape(cause: string) {
  return refusal("E_ANSWER_SHAPE", {
    message: "The end of the exchange is not as it must be.",
    cause,
    remediation: "Ask again: writ reasoning consult --assessment ID",
    details: { field: "/answer" },
  });
}
