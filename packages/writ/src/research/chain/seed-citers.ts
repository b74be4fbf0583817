import type { Context } from "../../contract/index.ts";
import type { Database } from "../library/database.ts";
import { scopeSql } from "../library/scope.ts";
import { readLibrary } from "../library/use.ts";
import type { SourceId } from "../model.ts";
import { openAccess } from "../sources/access.ts";
import { requireAble, sourceOf } from "../sources/registry.ts";
import { type AskingFlags, openSession } from "../sources/run.ts";
import type { SourceSession } from "../sources/session.ts";
import { type Citers, fetchCiters } from "./citers.ts";
import { type Start, surveyOf } from "./survey.ts";

/**
 * Fetches who cites the accepted seeds, or all that are not rejected while none is accepted, through the page store.
 * Changes nothing: `noteCiters` then notes the citations in a change of the caller's. `resume` is the caller's own command.
 */
export async function fetchSeedCiters(
  ctx: Context,
  of: { flags: AskingFlags & { source?: SourceId | undefined }; maxCiting: number; resume: string },
): Promise<{ session: SourceSession; citers: Citers }> {
  const { flags, maxCiting, resume } = of;
  const source = sourceOf(flags.source);
  requireAble(source, "citers", { wanted: "citing works", command: resume });
  const starts = await readLibrary(ctx, (db) => acceptedStarts(db, source.id), { wait: flags.wait });
  const access = await openAccess(ctx, source, { email: flags.email, maxWait: flags.max_wait });
  const session = await openSession(ctx, { access, flags, resume, asOf: new Date(ctx.clock.now()) });
  return { session, citers: await fetchCiters(session, starts, { maxCiting }) };
}

async function acceptedStarts(db: Database, source: SourceId): Promise<Start[]> {
  const { starts } = await surveyOf(db, source);
  const accepted = await db.rows<{ id: string | null }>(
    `SELECT s.id FROM papers p LEFT JOIN chain_seeds s ON s.paper = p.id
     WHERE ${scopeSql("seeds", { as: "p" })} AND p.curation_status = 'accepted'`,
  );
  if (accepted.length === 0) return starts;
  const ids = new Set(accepted.map(({ id }) => id));
  return starts.filter(({ id }) => ids.has(id));
}
