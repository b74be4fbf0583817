import type { Readable } from "../analysis/reading.ts";
import type { Database } from "../library/database.ts";
import { chainForward, waysOut } from "../networks/ways-out.ts";

/**
 * What an order of reading lacks where no paper of `net_papers` cites, or is cited by, another: what it is by then, and
 * what would help. Undefined where citations count.
 */
export async function lacking(
  db: Database,
  papers: readonly Readable[],
): Promise<{ reason: string; fix_command?: string } | undefined> {
  if (papers.length < 2 || papers.some((one) => one.localCitations > 0 || one.scent > 0)) return undefined;
  const found = await db.row<{ holders: number }>(
    `SELECT count(*) AS holders FROM net_papers JOIN papers USING (id)
     WHERE len(references_id) > 0 OR len(refs_other) > 0`,
  );
  const holders = found?.holders ?? 0;
  const { references } = await waysOut(db);
  const fix = holders === 0 ? references : chainForward;
  const why =
    holders === 0
      ? `0 of ${papers.length} papers have references`
      : `none of ${papers.length} papers is cited here`;
  return { reason: `${why}, so the order is by ${madeOf(papers)}`, ...(fix && { fix_command: fix }) };
}

function madeOf(papers: readonly Readable[]): string {
  if (papers.every(({ year }) => year === null)) return "id alone: not even a year is known";
  const cited = papers.some(({ year, citedByCount }) => year !== null && citedByCount !== null);
  return cited ? "citations a year and year alone" : "year alone";
}
