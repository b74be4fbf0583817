import { canonicalJson } from "../../platform/index.ts";
import { brokenRules } from "../admit/admit.ts";
import { RecordSchema, type ReasoningRecord, type RecordOf } from "../model/record.ts";
import { isOf } from "../model/is-of.ts";
import { isMaterial } from "../model/words.ts";
import { planOf } from "../policy/policy.ts";
import { subjectKey } from "../records/clean.ts";
import { Records } from "../records/records.ts";
import { priorOn } from "../records/relations.ts";
import { reviewOf } from "../records/review.ts";
import type { Finding } from "./finding.ts";

type Said = Pick<Finding, "level" | "message" | "rules">;

/**
 * Judges every record again at its place in the sequence: its rules of admission, the plan its own snapshot gives,
 * the review its exchanges give. A record that is damaged but can be read is judged by what its file says.
 */
export function replay(records: readonly ReasoningRecord[], { now }: { now: number }): Finding[] {
  const known = new Records();
  const findings: Finding[] = [];
  for (const record of [...records].sort((a, b) => a.seq - b.seq)) {
    for (const said of judge(record, known, now))
      findings.push({ check: "records", subject: record.id, ...said });
    known.add(record);
  }
  return findings;
}

function* judge(record: ReasoningRecord, known: Records, now: number): Generator<Said> {
  const parsed = RecordSchema.safeParse(record);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    yield error("schema", `its form is wrong at ${issue?.path.map(String).join(".") ?? ""}`);
    // The rules read what the form promises.
    return;
  }
  for (const { name, refusal } of brokenRules(record.body, { records: known })) {
    yield error(name, `${refusal.code}: ${refusal.failure.cause.replace(/\.$/, "")}`);
  }
  if (isOf(record, "plan")) yield* judgePlan(record, known);
  if (isOf(record, "conclusion") && !same(record.body.review, reviewOf(known, record.body)))
    yield error("review", "its review is not what its exchanges give");
  if (isOf(record, "validation")) yield* judgeSettled(record, known);
  yield* remarks(record, known, now);
}

function* judgePlan(record: RecordOf<"plan">, known: Records): Generator<Said> {
  const { body } = record;
  const assessment = known.findOf(body.assessment, "assessment")?.body;
  if (!assessment) return;
  const { materiality, confidence, capabilities, confidential } = assessment;
  const computed = planOf({
    materiality,
    confidence,
    capabilities,
    confidential,
    mode: body.plan.mode,
    mode_source: body.plan.mode_source,
    states: body.availability,
    ...(body.reuse && { reuse: body.reuse }),
    ...(body.executor_source !== undefined && { executor_source: body.executor_source }),
  });
  if (!same(computed, body.plan)) yield error("plan", "the policy does not compute it from its own snapshot");
  const prior = priorOn(known, { subject: assessment.subject, except: body.assessment });
  const { reuse } = body;
  const follows = reuse === undefined ? prior === undefined : prior?.id === reuse.candidate;
  if (!follows || (reuse && reuse.accepted !== (reuse.causes.length === 0)))
    yield error("reuse", "its reuse does not follow from the records before it");
}

function* judgeSettled({ body, head }: RecordOf<"validation">, known: Records): Generator<Said> {
  for (const id of body.settles) {
    const failed = known.findOf(id, "validation");
    const follows =
      body.outcome === "pass" &&
      failed?.body.outcome === "fail" &&
      failed.body.conclusion === body.conclusion &&
      subjectKey(failed.body.check) === subjectKey(body.check) &&
      failed.head !== head;
    if (!follows) yield error("settles", `it cannot settle ${id}`);
  }
}

const aheadMs = 300_000;

function* remarks(record: ReasoningRecord, known: Records, now: number): Generator<Said> {
  if (Date.parse(record.recorded_at) > now + aheadMs) yield warning("stamp", "its stamp lies ahead of now");
  if (record.test_clock) yield warning("test_clock", "it was written under a clock that was set for a test");
  const root = isOf(record, "assessment") ? record.body : rootBody(record, known);
  if (!root || !isMaterial(root.materiality) || !("evidence" in record.body)) return;
  const lost = record.body.evidence.filter(({ resolved }) => resolved === false);
  for (const { kind, reference } of lost)
    yield warning("evidence", `its evidence ${kind}: ${reference} leads nowhere`);
}

function rootBody(record: ReasoningRecord, known: Records) {
  const root = known.rootOf(record.body);
  return root === undefined ? undefined : known.findOf(root, "assessment")?.body;
}

const error = (rule: string, message: string): Said => ({ level: "error", message, rules: [rule] });
const warning = (rule: string, message: string): Said => ({ level: "warning", message, rules: [rule] });
const same = (a: unknown, b: unknown): boolean => canonicalJson(a) === canonicalJson(b);
