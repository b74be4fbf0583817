import { fail } from "../../contract/index.ts";
import type { ReasoningRecord } from "../model/record.ts";
import { isOf } from "../model/is-of.ts";
import type { Records } from "../records/records.ts";
import { checksOf } from "../records/relations.ts";
import { standingFor } from "./standing.ts";

/**
 * An in-toto statement about a conclusion that is safe to commit: no text of the session or of an advisor is in it,
 * but for the decision where it is asked for. Signing is left to the tools that sign.
 */
export function attestationOf(of: {
  record: ReasoningRecord;
  digest: string;
  records: Records;
  head: { seq: number; digest: string };
  withText: boolean;
}): Record<string, unknown> {
  const { record, digest, records, head, withText } = of;
  if (!isOf(record, "conclusion")) {
    throw fail("E_WRONG_KIND", {
      message: `${record.id} is no conclusion.`,
      cause: `It is a ${record.body.kind.replaceAll("_", " ")}; what is attested is a conclusion.`,
      remediation: "See which there are: writ reasoning status --task all",
      details: { id: record.id, kind: record.body.kind, needed: "conclusion" },
    });
  }
  const { body, head: commit } = record;
  const assessment = records.findOf(body.assessment, "assessment");
  const plan = records.ofRootOf(body.assessment, "plan").at(-1)?.body.plan;
  const { waived, ...review } = body.review;
  return {
    _type: "https://in-toto.io/Statement/v1",
    subject: [
      { name: `record:${record.id}`, digest: { sha256: digest } },
      ...(commit === undefined ? [] : [{ name: "commit", digest: { gitCommit: commit } }]),
    ],
    predicateType: "urn:writ:reasoning-review:1",
    predicate: {
      ...(assessment && {
        materiality: assessment.body.materiality,
        standing: standingFor(records, assessment).standing,
      }),
      ...(plan && { mode: plan.mode }),
      // The reason of a waiver is text of the session.
      review: { ...review, waived: waived.map(({ advisor, plan: of }) => ({ advisor, plan: of })) },
      checks: checksOf(records, record),
      chain: head,
      ...(withText && { decision: body.decision }),
    },
  };
}
