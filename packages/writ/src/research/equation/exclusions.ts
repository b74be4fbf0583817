import type { Dialect } from "./dialect.ts";
import { settle } from "./findings.ts";
import { added, exclusionAst } from "./flags.ts";
import type { Query } from "./query.ts";
import type { ReportItem } from "./report.ts";
import { resolve } from "./resolve.ts";

/** What --exclude adds to a query, each a NOT, and what the report says of it. */
export function exclusionsOf(
  terms: readonly string[],
  dialect: Dialect,
): { queries: Query[]; items: ReportItem[] } {
  if (terms.length === 0) return { queries: [], items: [] };
  const not = dialect.signs?.not ?? "NOT";
  const resolved = terms.map((term) => resolve(exclusionAst(term, not), dialect, false));
  const queries = resolved.flatMap(({ query }) => (query ? [query] : []));
  const details = resolved.flatMap(({ findings }) => settle(findings, true));
  const lost = {
    action: "dropped",
    effect: "broader",
    reason: "no term of it can be asked of this source",
  } as const;
  const whole = added("exclusion", terms.join(", "), queries.length === 0 ? lost : {});
  // Their places are in the term, not in the equation.
  return { queries, items: [whole, ...details.map((item) => ({ ...item, position: null }))] };
}
