import type { Context } from "../../contract/index.ts";
import { changeLibrary } from "../library/change.ts";
import type { Database } from "../library/database.ts";
import { recordRequests, type RequestRow } from "../library/runs.ts";
import { addReferenceDois } from "../library/tell.ts";
import { readLibrary } from "../library/use.ts";
import { answerOf } from "../sources/page-store.ts";
import { series, together } from "../sources/series.ts";
import type { SourceSession } from "../sources/session.ts";

/** What is known of the DOIs of references. */
export interface Enrichment {
  refs_resolved: number;
  refs_total_unique: number;
}

interface Known {
  ref: string;
  doi: string | null;
}

/** A miss is asked again after so long. */
const missDays = 30;

/**
 * Looks up the DOIs of references: of papers in the library itself, of others at the source, each once. A phase with
 * a transaction of its own.
 */
export async function lookUpReferences(
  ctx: Context,
  of: { session: SourceSession; runId: string; wait: number },
): Promise<Enrichment> {
  const { session, runId, wait } = of;
  const { known, ask } = await readLibrary(ctx, (db) => wantedIn(db, new Date(ctx.clock.now())), { wait });
  const before = session.record.rows.length;
  const answered = session.access.source.id === "openalex" ? await askFor(session, ask) : [];
  const found = [...known, ...answered];
  if (found.length === 0 && session.record.rows.length === before)
    return readLibrary(ctx, enrichmentOf, { wait });
  const options = { verb: "chain", params: {}, runId, wait, phase: true };
  return changeLibrary(ctx, options, async (change) => {
    await addReferenceDois(change, found);
    await recordRequests(change, rowsAfter(session.record.rows, before));
    change.setDetails({ usage: { ...session.usage() } });
    const enrichment = await enrichmentOf(change.db);
    change.setCounts({ ...enrichment });
    return enrichment;
  });
}

function rowsAfter(rows: readonly RequestRow[], before: number): readonly RequestRow[] {
  return rows.slice(before);
}

async function askFor(session: SourceSession, refs: readonly string[]): Promise<Known[]> {
  const { source } = session.access;
  const requests = source.plan({ kind: "ids", ids: refs, select: "doi" });
  session.expected += requests.length;
  const pages = await together(session, requests, async (request) => {
    const dois = new Map<string, string | null>();
    for await (const { key } of series(session, request)) {
      if (key === undefined) continue;
      const page = source.read(answerOf(await session.stored(key)), request);
      for (const { id, doi } of page.dois ?? []) dois.set(id, doi);
    }
    const asked = request.want.kind === "ids" ? request.want.ids : [];
    // What the source does not know is a miss that is remembered.
    return asked.map((ref) => ({ ref, doi: dois.get(ref) ?? null }));
  });
  return pages.flat();
}

const references = "SELECT DISTINCT unnest(references_id) AS ref FROM papers WHERE active";
const standing = `
  SELECT ref_id, max(doi) AS doi, max(checked_at) AS at FROM ref_dois JOIN runs USING (run_id)
  WHERE revoked_by IS NULL GROUP BY ref_id`;

/** What the library itself knows and has not noted, and what must be asked. */
async function wantedIn(db: Database, now: Date): Promise<{ known: Known[]; ask: string[] }> {
  const since = new Date(now.getTime() - missDays * 86_400_000);
  const rows = await db.rows<Known & { known: boolean }>(
    `WITH refs AS (${references}), noted AS (${standing}),
     undone AS (
       SELECT ref_id, max(doi) AS doi, max(checked_at) AS at FROM ref_dois JOIN runs USING (run_id)
       WHERE revoked_by IS NOT NULL GROUP BY ref_id)
     SELECT r.ref, coalesce(p.doi, u.doi) AS doi,
       p.id IS NOT NULL OR (n.ref_id IS NULL AND (u.doi IS NOT NULL OR coalesce(u.at > $1, false))) AS known
     FROM refs r LEFT JOIN noted n ON n.ref_id = r.ref LEFT JOIN undone u ON u.ref_id = r.ref
     LEFT JOIN external_ids e ON e.engine = 'openalex' AND e.value = r.ref
     LEFT JOIN papers p ON p.id = e.paper_id AND p.active
     WHERE CASE WHEN p.id IS NOT NULL THEN n.ref_id IS NULL OR n.doi IS DISTINCT FROM p.doi
       ELSE n.ref_id IS NULL OR (n.doi IS NULL AND n.at <= $1) END
     ORDER BY r.ref`,
    [since],
  );
  return {
    known: rows.filter(({ known }) => known).map(({ ref, doi }) => ({ ref, doi })),
    ask: rows.filter(({ known }) => !known).map(({ ref }) => ref),
  };
}

/** How many different references active papers have, and of how many the DOI is known. */
async function enrichmentOf(db: Database): Promise<Enrichment> {
  const row = await db.row<Enrichment>(
    `WITH noted AS (${standing}) SELECT count(*) AS refs_total_unique, count(n.doi) AS refs_resolved
     FROM (${references}) r LEFT JOIN noted n ON n.ref_id = r.ref`,
  );
  return row ?? { refs_resolved: 0, refs_total_unique: 0 };
}
