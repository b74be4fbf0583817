import type { Reuse, ReuseCause } from "../model/plan.ts";
import type { Evidence, RecordOf } from "../model/record.ts";
import { weight } from "../model/words.ts";
import type { Records } from "../records/records.ts";
import { priorOn, unresolved, unsettledFails, unweighed, validationsOf } from "../records/relations.ts";

/** Facts about the checkout that the policy cannot find out by itself. */
export interface Checkout {
  now: number;
  reuseDays: number;
  head?: string;
  /** Whether a commit is the current head or an ancestor of it. */
  isAncestor(commit: string): boolean;
  /** The digest of a file as it is now; undefined when it is gone. */
  digestOf(path: string): string | undefined;
  /** Whether a record of an assessment is missing or damaged. */
  isDamaged(assessment: string): boolean;
}

/** The earlier conclusion on the same subject and whether it is taken over; undefined when there is none. */
export function reuseFor(
  records: Records,
  { assessment, checkout }: { assessment: RecordOf<"assessment">; checkout: Checkout },
): Reuse | undefined {
  const prior = priorOn(records, { subject: assessment.body.subject, except: assessment.id });
  if (!prior) return undefined;
  const before = records.findOf(prior.body.assessment, "assessment");
  const causes: ReuseCause[] = [];
  if (assessment.body.new_evidence) causes.push("new_evidence");
  if (!before || weight(before.body.materiality) < weight(assessment.body.materiality))
    causes.push("lower_materiality");
  causes.push(...staleCauses(records, prior, checkout));
  return { candidate: prior.id, accepted: causes.length === 0, causes };
}

/** Why a conclusion cannot be taken over by anybody: the causes that depend on it and the checkout alone. */
export function staleCauses(
  records: Records,
  conclusion: RecordOf<"conclusion">,
  checkout: Checkout,
): ReuseCause[] {
  const { assessment, consultations } = conclusion.body;
  const rows: [ReuseCause, boolean][] = [
    ["disputed", unresolved(records, assessment).length > 0],
    ["validation_failed", unsettledFails(records, conclusion).length > 0],
    [
      "unweighed_answer",
      unweighed(records, assessment, consultations).some(({ seq }) => seq > conclusion.seq),
    ],
    ["expired", checkout.now - Date.parse(conclusion.recorded_at) > checkout.reuseDays * 86_400_000],
    ["not_an_ancestor", isElsewhere(conclusion.head, checkout)],
    ["record_damaged", checkout.isDamaged(assessment)],
    [
      "evidence_changed",
      newestDigests(records, conclusion).some(([path, digest]) => checkout.digestOf(path) !== digest),
    ],
  ];
  return rows.filter(([, holds]) => holds).map(([cause]) => cause);
}

function isElsewhere(commit: string | undefined, { head, isAncestor }: Checkout): boolean {
  if (commit === undefined || head === undefined) return commit !== head;
  return commit !== head && !isAncestor(commit);
}

/** The files a conclusion rests on, each with the newest digest that its assessment, itself or its checks recorded. */
export function newestDigests(
  records: Records,
  conclusion: RecordOf<"conclusion">,
): [path: string, digest: string][] {
  const newest = new Map<string, string>();
  const see = (evidence: readonly Evidence[]): void => {
    for (const { kind, reference, sha256 } of evidence) {
      if (kind === "file" && sha256 !== undefined) newest.set(reference, sha256);
    }
  };
  see(records.findOf(conclusion.body.assessment, "assessment")?.body.evidence ?? []);
  see(conclusion.body.evidence);
  for (const { body } of validationsOf(records, conclusion)) see(body.evidence);
  return [...newest];
}
