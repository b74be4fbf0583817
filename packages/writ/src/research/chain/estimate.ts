import { estimate, type Estimate } from "../sources/estimate.ts";
import type { SourceSession } from "../sources/session.ts";
import type { Group } from "./citers.ts";

/**
 * What chaining would take: one request tells how many works cite the first group of seeds and what a page costs;
 * the others are foreseen by their number of pages.
 */
export async function estimateChain(
  session: SourceSession,
  groups: readonly Group[],
  { since, fetchTop }: { since: string | undefined; fetchTop: number },
): Promise<Estimate> {
  const { source } = session.access;
  const [first] = groups;
  const requests = first
    ? source.plan({ kind: "citers", ids: first.ids, ...(since !== undefined && { since }) }).slice(0, 1)
    : [];
  const one = await estimate(session, requests, (first?.pages ?? 0) * 100);
  const price = session.price("list");
  const others = groups.slice(1).reduce((sum, group) => sum + group.pages, 0) + source.pages(fetchTop);
  const pages = one.pages + others;
  return {
    results: one.results,
    pages,
    cost_usd: Math.round((one.cost_usd + others * price.usd) * 1e9) / 1e9,
    assumed: one.assumed || (requests.length === 0 && price.assumed),
    seconds: one.pages === 0 ? others : Math.round((one.seconds / one.pages) * pages * 10) / 10,
  };
}
