import { counted } from "../../platform/index.ts";
import { bounds } from "../model/bounds.ts";
import type { ReasoningRecord } from "../model/record.ts";
import { isOf } from "../model/is-of.ts";
import type { Records } from "../records/records.ts";
import { resolutionOf, unsettledFails, unweighed } from "../records/relations.ts";
import type { State } from "./state.ts";
import { basisOf } from "./timeline.ts";
import { escaped, quoted } from "./words.ts";

/** What a report is written from. */
export interface ReportInput {
  state: State;
  shown: readonly ReasoningRecord[];
  records: Records;
  mode: { mode: string; source: string };
}

interface Bullet {
  text: string;
  nested: string[];
}

/** The report of a task in Markdown; empty where nothing was recorded. No line compares numbers of stances. */
export function reportOf(input: ReportInput): string {
  if (input.shown.length === 0) return "";
  const groups = [
    decided(input),
    reused(input),
    unresolvedOnes(input),
    disagreements(input),
    debts(input),
    attempts(input),
    failedExchanges(input),
  ];
  return bounded(headOf(input), groups, input.state.task);
}

function headOf({ state, mode }: ReportInput): string {
  const { totals, chain } = state;
  const facts = [
    counted(totals.records, "record"),
    counted(totals.answers, "answer"),
    counted(totals.failed_exchanges, "failed exchange"),
    counted(totals.advisors, "advisor"),
    counted(totals.sources, "independent source"),
    `${counted(totals.input_tokens, "token")} in`,
    `${totals.output_tokens} out`,
  ];
  return `Reasoning: ${facts.join(", ")}; mode ${mode.mode} (${mode.source}); record chain ${chain.seq} at ${chain.digest.slice(0, 12)}.`;
}

function decided({ state, records }: ReportInput): Bullet[] {
  return state.conclusions
    .filter(({ superseded_by }) => superseded_by === undefined)
    .map((one) => {
      const cited = records.findOf(one.id, "conclusion")?.body.consultations ?? [];
      const checks = `${counted(one.checks_passed, "check")} passed, ${one.checks_failed} failed`;
      const { review } = one;
      return {
        text: `Decided: ${escaped(one.decision)} (${one.id}; ${basisOf(review)}; ${checks})`,
        nested: [
          ...cited.flatMap((id) => quoteOf(records, id)),
          ...one.risks.map((risk) => `Risk: ${escaped(risk)}`),
          ...review.waived.map(({ advisor, reason }) => `Not asked: ${advisor}, waived: ${escaped(reason)}`),
          ...review.pending.map(({ advisor }) => `Awaiting: ${advisor}`),
          ...(one.reusable.causes.length > 0 ? [`Stale: ${one.reusable.causes.join(", ")}`] : []),
        ],
      };
    });
}

function quoteOf(records: Records, id: string): string[] {
  const answer = records.findOf(id, "consultation")?.body;
  return answer?.answer ? [quoted(answer.advisor, answer.answer.conclusion)] : [];
}

function reused({ state }: ReportInput): Bullet[] {
  return state.assessments
    .filter(({ standing }) => standing === "reused")
    .map(({ subject, reuses, prior_superseded_by: by }) => ({
      text: `Reused: ${escaped(subject)} rests on ${reuses ?? ""}`,
      nested: by === undefined ? [] : [`Superseded by ${by}`],
    }));
}

const unfinished = new Set(["open", "planned", "disputed", "validation_failed", "unweighed_answer"]);

function unresolvedOnes({ state, records }: ReportInput): Bullet[] {
  return state.assessments
    .filter(({ standing }) => unfinished.has(standing))
    .map(({ id, subject, standing, questions, conclusion }) => {
      const stands = conclusion === undefined ? undefined : records.findOf(conclusion, "conclusion");
      const fails = stands ? unsettledFails(records, stands) : [];
      return {
        text: `Unresolved: ${escaped(subject)} (${id}) [${standing}]`,
        nested: [
          ...questions.map((question) => `Question: ${escaped(question)}`),
          ...fails.map(({ body }) => `Failed check: ${escaped(body.check)}`),
          ...unweighed(records, id, stands?.body.consultations ?? []).flatMap((one) =>
            quoteOf(records, one.id),
          ),
        ],
      };
    });
}

function disagreements({ state, records }: ReportInput): Bullet[] {
  return state.disagreements
    .filter(({ id, assessment }) => !resolutionOf(records, assessment, id))
    .map(({ id, discriminating_question: question }) => plain(`Disagreement: ${escaped(question)} (${id})`));
}

function debts({ state }: ReportInput): Bullet[] {
  return state.assessments.flatMap(({ subject, debt }) =>
    debt.map(({ advisor }) =>
      plain(`Review debt: ${advisor} was selected for ${escaped(subject)} and not asked`),
    ),
  );
}

function attempts({ shown }: ReportInput): Bullet[] {
  return shown
    .filter((record) => isOf(record, "attempt"))
    .map(({ body }) =>
      plain(`Tried and failed: ${escaped(body.attempt)} (${escaped(body.observed_failure)})`),
    );
}

function failedExchanges({ state }: ReportInput): Bullet[] {
  return state.consultations
    .filter(({ status }) => status !== "completed")
    .map(({ advisor, status, id }) => plain(`Failed exchange: ${advisor}, ${status} (${id})`));
}

const plain = (text: string): Bullet => ({ text, nested: [] });

/** Beyond the bound the last groups end with how many more there are; so does a bullet that does not fit whole. */
function bounded(head: string, groups: readonly Bullet[][], task: string): string {
  const more = (count: number) => `- … and ${count} more: writ reasoning status --task ${task}`;
  const sizeOf = (line: string) => Buffer.byteLength(line) + 1;
  // Room for the last line of every group, and of one bullet, is kept from the beginning.
  const reserve = (groups.length + 2) * sizeOf(more(1_000_000));
  let left = bounds.reportBytes - sizeOf(head) - 1 - reserve;
  const lines = [head, ""];
  const add = (line: string): boolean => {
    left -= sizeOf(line);
    if (left >= 0) lines.push(line);
    return left >= 0;
  };
  for (const group of groups) {
    let shown = 0;
    for (const bullet of group) {
      if (!add(`- ${bullet.text}`)) break;
      shown++;
      const cut = bullet.nested.findIndex((line) => !add(`  - ${line}`));
      if (cut !== -1) lines.push(`  ${more(bullet.nested.length - cut)}`);
    }
    if (shown < group.length) lines.push(more(group.length - shown));
  }
  return `${lines.join("\n").trimEnd()}\n`;
}
