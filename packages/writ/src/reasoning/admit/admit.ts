import type { WritError } from "../../contract/index.ts";
import type { StoredBody } from "../model/record.ts";
import { conclusionRules } from "./conclusion-rules.ts";
import { consultationRules, dispatchRules } from "./driver-rules.ts";
import { attemptRules, planRules, resetRules, validationRules, waiverRules } from "./other-rules.ts";
import type { Rule, Standing } from "./rule.ts";
import { assessmentRules, disagreementRules, localReviewRules, resolutionRules } from "./session-rules.ts";

/** Every rule of admission, in order, by kind. */
const rulesByKind: { readonly [K in StoredBody["kind"]]: readonly Rule<Extract<StoredBody, { kind: K }>>[] } =
  {
    assessment: assessmentRules,
    plan: planRules,
    local_review: localReviewRules,
    disagreement: disagreementRules,
    resolution: resolutionRules,
    conclusion: conclusionRules,
    validation: validationRules,
    attempt: attemptRules,
    waiver: waiverRules,
    circuit_reset: resetRules,
    dispatch: dispatchRules,
    consultation: consultationRules,
  };

/** The first rule a body breaks, as the refusal of its writer; undefined when it may be recorded. */
export function admit(body: StoredBody, standing: Standing): WritError | undefined {
  return firstOf(brokenRules(body, standing))?.refusal;
}

/** Every rule that a body breaks, in order. Lazy: a writer asks for the first only. */
export function* brokenRules(
  body: StoredBody,
  standing: Standing,
): Generator<{ name: string; refusal: WritError }> {
  for (const rule of rulesByKind[body.kind] as readonly Rule[]) {
    const refusal = rule.refuse(body, standing);
    if (refusal) yield { name: rule.name, refusal };
  }
}

function firstOf<T>(items: Iterable<T>): T | undefined {
  for (const item of items) return item;
  return undefined;
}
