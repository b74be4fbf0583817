import type { Answer, Data } from "../api/read.ts";
import { Failed } from "../parts/failed.tsx";
import { Mark } from "../parts/mark.tsx";
import { Advice } from "../parts/advice.tsx";
import { counted, spoken } from "../words.ts";

type Conclusion = Data<"/v1/reasoning/status">["state"]["conclusions"][number];

export function Conclusions({ answer: { ok, data, error } }: { answer: Answer<"/v1/reasoning/status"> }) {
  if (!ok) return <Failed error={error} />;
  if (data.state.conclusions.length === 0)
    return <Advice said="Nothing was concluded here yet." commands={["writ guide reasoning"]} />;
  return (
    <ul className="items">
      {data.state.conclusions.map((one) => (
        <One key={one.id} {...one} />
      ))}
    </ul>
  );
}

function One(one: Conclusion) {
  const { id, decision, review, superseded_by: by, reusable, risks } = one;
  const checks = `${counted(one.checks_passed, "check")} passed, ${one.checks_failed} failed`;
  return (
    <li>
      {decision}
      <Mark {...standingOf(one)} />
      <span className="quiet">{id}</span>
      <span className="quiet">Basis: {basisOf(review)}</span>
      {review.independent_sources.length > 0 && (
        <span className="quiet">Sources: {review.independent_sources.join(", ")}</span>
      )}
      <span className="quiet">{checks}</span>
      {reusable.causes.length > 0 && (
        <span className="quiet">Stale: {reusable.causes.map(spoken).join(", ")}</span>
      )}
      {by !== undefined && <span className="quiet">Superseded by {by}</span>}
      {review.pending.map(({ advisor, dispatch }) => (
        <span key={dispatch} className="quiet">
          Awaiting: {advisor}
        </span>
      ))}
      {review.waived.map(({ advisor, plan, reason }) => (
        <span key={`${plan} ${advisor}`} className="quiet">
          Not asked: {advisor}, waived: {reason}
        </span>
      ))}
      {risks.map((risk) => (
        <span key={risk} className="quiet">
          Risk: {risk}
        </span>
      ))}
    </li>
  );
}

// A failed check that a later pass settled counts as failed still, and no longer stands in the way.
function standingOf({ superseded_by: by, reusable }: Conclusion) {
  if (by !== undefined) return { tone: "quiet", word: "superseded" } as const;
  if (reusable.causes.includes("validation_failed")) return { tone: "bad", word: "a check failed" } as const;
  return reusable.ok
    ? ({ tone: "good", word: "stands" } as const)
    : ({ tone: "bad", word: "stale" } as const);
}

/** What it rests on. "Reviewed" is said only where somebody answered. */
function basisOf(review: Conclusion["review"]): string {
  if (review.basis === "local_review") return "local structured review, no independent advisor";
  if (review.basis === "local") return "local reasoning, no independent advisor";
  const own = review.same_source_as_executor;
  return [
    `reviewed by ${review.reviewed_by.join(", ")}: ${counted(review.review_count, "advisor")}`,
    counted(review.independent_source_count, "independent source"),
    ...(own.length > 0 ? [`${own.join(", ")} of the executor's own source`] : []),
  ].join(", ");
}
