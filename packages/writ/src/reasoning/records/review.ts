import type { Review, RecordOf } from "../model/record.ts";
import { naturalOrder } from "./natural-order.ts";
import type { Records } from "./records.ts";
import { openDispatches } from "./relations.ts";

/**
 * Who reviewed a conclusion, computed from exchanges alone: nothing a caller gives enters it but which answers are
 * cited. An advisor that answered twice counts once; a failed exchange never counts.
 */
export function reviewOf(
  records: Records,
  { assessment, consultations }: { assessment: string; consultations: readonly string[] },
): Review {
  const cited = [...new Set(consultations)].flatMap((id) => {
    const answer = records.findOf(id, "consultation");
    return answer?.body.status === "completed" && records.rootOf(answer.body) === assessment ? [answer] : [];
  });
  const isExecutors = ({ body }: RecordOf<"consultation">) =>
    records.findOf(body.plan, "plan")?.body.executor_source === body.source;
  const names = (answers: typeof cited) => distinct(answers.map(({ body }) => body.advisor));
  const reviewedBy = names(cited);
  const sources = distinct(cited.filter((one) => !isExecutors(one)).map(({ body }) => body.source));
  const plans = records.ofRootOf(assessment, "plan").length;
  const review = records.ofRootOf(assessment, "local_review").at(-1);
  return {
    plans,
    replans: Math.max(0, plans - 1),
    reviewed_by: reviewedBy,
    review_count: reviewedBy.length,
    independent_sources: sources,
    independent_source_count: sources.length,
    same_source_as_executor: names(cited.filter(isExecutors)),
    failed: records
      .ofRootOf(assessment, "consultation")
      .filter(({ body }) => body.status !== "completed")
      .map(({ body }) => ({ advisor: body.advisor, status: body.status })),
    waived: records
      .ofRootOf(assessment, "waiver")
      .flatMap(({ body }) => (body.selection ? [{ ...body.selection, reason: body.reason }] : []))
      .map(({ advisor, plan, reason }) => ({ advisor, plan, reason })),
    pending: openDispatches(records, assessment).map(({ id, body }) => ({
      advisor: body.advisor,
      dispatch: id,
    })),
    ...(review && { local_review: review.id }),
    basis: reviewedBy.length > 0 ? "reviewed" : review ? "local_review" : "local",
  };
}

function distinct(names: readonly string[]): string[] {
  return [...new Set(names)].sort(naturalOrder);
}
