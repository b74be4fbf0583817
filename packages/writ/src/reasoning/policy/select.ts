import type { AdvisorState, Plan } from "../model/plan.ts";

export type Selected = Plan["selected"][number];

/** Which of the pool are asked: by what they add, then by independence, then by their order. */
export function selectFrom(
  pool: readonly AdvisorState[],
  { wanted, budget, executorSource }: { wanted: readonly string[]; budget: number; executorSource?: string },
): Selected[] {
  const rest = [...pool];
  const selected: Selected[] = [];
  const covered = new Set<string>();
  const sources = new Set(executorSource === undefined ? [] : [executorSource]);
  while (selected.length < budget && rest.length > 0) {
    const scores = rest.map((state) => ({
      state,
      fresh: wanted.filter((word) => state.capabilities.includes(word) && !covered.has(word)).length,
      independent: sources.has(state.source) ? 0 : 1,
    }));
    const best = scores.reduce((best, one) => (isBetter(one, best) ? one : best));
    const covers = wanted.filter((word) => best.state.capabilities.includes(word));
    selected.push({
      advisor: best.state.id,
      source: best.state.source,
      covers,
      ...why(best, { first: scores[0], chosen: selected.length }),
    });
    for (const word of covers) covered.add(word);
    sources.add(best.state.source);
    rest.splice(rest.indexOf(best.state), 1);
  }
  return selected;
}

interface Score {
  state: AdvisorState;
  fresh: number;
  independent: number;
}

// Strictly greater wins, so that on a tie the earlier stays.
function isBetter(a: Score, b: Score): boolean {
  return a.fresh > b.fresh || (a.fresh === b.fresh && a.independent > b.independent);
}

function why(
  best: Score,
  { first, chosen }: { first: Score | undefined; chosen: number },
): Pick<Selected, "why" | "covers_count"> {
  if (best === first) return { why: chosen === 0 ? "first_in_order" : "next_in_order" };
  if (best.fresh > (first?.fresh ?? 0)) return { why: "covers_more", covers_count: best.fresh };
  return { why: "independent_source" };
}
