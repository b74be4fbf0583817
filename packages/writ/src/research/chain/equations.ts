import { type Context, WritError } from "../../contract/index.ts";
import { translateEquation } from "../equation/translate.ts";
import type { TranslateOptions } from "../equation/translation.ts";
import type { Change } from "../library/change.ts";
import type { Database } from "../library/database.ts";
import { ingest } from "../library/ingest.ts";
import { byTime, collect, type Collected, worksOf } from "../sources/collect.ts";
import type { Source } from "../sources/port.ts";
import type { SourceSession } from "../sources/session.ts";

/** An equation that the library was seeded with. */
export interface Recorded {
  id: string;
  text: string;
  options: TranslateOptions;
  maxResults: number;
}

interface Params extends TranslateOptions {
  equation?: string;
  max_results?: number;
}

/** The equations that a source was asked, each once, oldest first. */
export async function recordedEquations(db: Database, source: Source): Promise<Recorded[]> {
  const rows = await db.rows<{ id: string; text: string; params: string }>(
    `SELECT equation_id AS id, equation_text AS text, CAST(params AS VARCHAR) AS params FROM runs
     WHERE verb = 'seed' AND state = 'done' AND revoked_by IS NULL AND equation_text IS NOT NULL AND source = ?
     ORDER BY seq`,
    [source.id],
  );
  const each = new Map<string, Recorded>();
  for (const { id, text, params } of rows) {
    if (each.has(params)) continue;
    const { equation: _, max_results: maxResults = 200, ...options } = JSON.parse(params) as Params;
    each.set(params, { id, text, options, maxResults });
  }
  return [...each.values()];
}

/** Asks an equation again, for what was published since. */
export async function askAgain(
  session: SourceSession,
  { text, options, maxResults }: Recorded,
  since: string,
): Promise<Collected> {
  const { source } = session.access;
  const { requests } = translateEquation(source.id, text, options);
  const planned = requests.flatMap((request) =>
    source.plan({
      kind: "search",
      query: request.params ?? { filter: request.filter },
      limit: maxResults,
      since,
    }),
  );
  return collect(session, planned, maxResults);
}

/** Takes in what an equation brought; answers how many papers are new. */
export async function takeAgain(change: Change, session: SourceSession, found: Collected): Promise<number> {
  const before = (await change.fold()).added;
  for (const { fetchedAt, pages } of byTime(found.pages))
    await ingest(change, worksOf(session, pages), { via: "search", seed: true, hop: 0, fetchedAt });
  return (await change.fold()).added - before;
}

const equationErrors: ReadonlySet<string> = new Set([
  "E_EQUATION_EMPTY",
  "E_EQUATION_SYNTAX",
  "E_EQUATION_UNSUPPORTED",
]);

/** An equation that an older Writ took and this one does not is no reason to ask none of the others. */
export async function orSkipped<T>(
  ctx: Context,
  { id, text }: Recorded,
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof WritError) || !equationErrors.has(error.code)) throw error;
    ctx.warn({
      code: "W_PHASE_SKIPPED",
      message: `Equation ${id} was not asked again: ${error.failure.message}`,
      remediation: `See why: writ research seed --equation '${text.replaceAll("'", `'\\''`).slice(0, 500)}' --preview`,
    });
    return undefined;
  }
}
