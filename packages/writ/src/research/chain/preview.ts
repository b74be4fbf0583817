import type { Context } from "../../contract/index.ts";
import type { Database } from "../library/database.ts";
import { prepareCites } from "./cites.ts";
import type { ChainInput } from "./input.ts";
import { isReference } from "./observe.ts";
import type { ChainData } from "./output.ts";
import type { Survey } from "./survey.ts";

/** What chaining would find, as far as the library can tell without asking. */
export async function previewChain(
  ctx: Context,
  db: Database,
  { given, survey }: { given: ChainInput; survey: Survey },
): Promise<ChainData> {
  const { direction, max_candidates: most, max_citing: budget } = given;
  await prepareCites(db);
  const backward =
    direction === "forward"
      ? 0
      : await countOf(db, `SELECT DISTINCT work FROM chain_refs WHERE ${isReference}`);
  const citers =
    "SELECT DISTINCT citer FROM (SELECT unnest(cited_by_id) AS citer FROM papers WHERE active AND is_seed)";
  const unknown = "citer NOT IN (SELECT value FROM external_ids WHERE engine = 'openalex')";
  const forward = direction === "backward" ? 0 : await countOf(db, `${citers} WHERE ${unknown}`);
  const known = direction === "backward" ? false : (await countOf(db, citers)) > 0;
  const found = backward + forward;
  const fetches = direction !== "backward" && survey.starts.length > 0;
  if (fetches)
    ctx.warn({
      code: "W_FORWARD_UNKNOWN",
      message: "How many works cite your seeds cannot be known without asking.",
      remediation: "writ research chain --estimate",
    });
  return {
    preview: true,
    direction,
    estimated_candidates: most === undefined ? found : Math.min(found, most),
    by_direction: { backward, forward },
    forward_upper_bound: direction === "backward" ? 0 : upperBound(survey, budget),
    capped_by_max: most !== undefined && found > most,
    forward_requires_fetch: fetches,
    forward_from_cited_by: known,
  };
}

/** At most so many citers can be kept; null when no seed's count is known. */
function upperBound({ starts }: Survey, budget: number): number | null {
  const known = starts.filter(({ cited }) => cited !== null);
  if (known.length === 0) return null;
  return known.reduce((sum, { cited }) => sum + Math.min(cited ?? 0, budget), 0);
}

async function countOf(db: Database, query: string): Promise<number> {
  return (await db.row<{ n: number }>(`SELECT count(*) AS n FROM (${query})`))?.n ?? 0;
}
