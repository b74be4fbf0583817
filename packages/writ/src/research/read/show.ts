import type { Context } from "../../contract/index.ts";
import { formatInstant } from "../../platform/index.ts";
import type { Database, Row } from "../library/database.ts";
import { provenanceSql } from "../library/provenance.ts";
import { linksOf } from "../library/links.ts";
import { recordShape } from "../library/record.ts";
import { notFound, resolveIds } from "../library/resolve.ts";
import { readLibrary } from "../library/use.ts";

/** Everything the library knows of one paper. */
export function showPaper(ctx: Context, text: string) {
  return readLibrary(ctx, async (db) => {
    const { found } = await resolveIds(db, [text]);
    const id = found.get(text);
    if (id === undefined) throw await notFound(db, [text]);
    const rows = await db.rows(
      "SELECT * EXCLUDE (publication_date), CAST(publication_date AS VARCHAR) AS publication_date FROM papers WHERE id = ?",
      [id],
    );
    const row = rows.find((one) => one.active) ?? rows[0] ?? {};
    const { active, provenance: _, ...paper } = row;
    const { citedBy, cites, scent } = await linksOf(db, id);
    return {
      paper: { ...paper, active },
      ref: `paper:${id}@${String(row.row_hash)}`,
      provenance: await provenanceOf(db, id),
      decisions: await decisionsOf(db, id),
      records: await recordsOf(db, id, row),
      cited_by_papers: citedBy,
      cites_papers: cites,
      external_ids: await db.rows<{ engine: string; value: string }>(
        "SELECT engine, value FROM external_ids WHERE paper_id = ? ORDER BY engine, value",
        [id],
      ),
      aliases: await db.rows<{ id: string; reason: string; run_id: string }>(
        "SELECT DISTINCT old_id AS id, reason, run_id FROM aliases WHERE paper_id = ? AND old_id <> paper_id ORDER BY ALL",
        [id],
      ),
      scent,
      ...(text !== id && /^(doi|src|tt):[0-9a-f]{16}$/.test(text) && { resolved_from: text }),
    };
  });
}

async function provenanceOf(db: Database, id: string): Promise<Record<string, unknown>[]> {
  const row = await db.row<{ events: string }>(`SELECT events FROM (${provenanceSql("id = $1")})`, [id]);
  return row ? (JSON.parse(row.events) as Record<string, unknown>[]) : [];
}

export async function decisionsOf(db: Database, id: string) {
  const rows = await db.rows<{
    decision: string | null;
    kind: string;
    by: string | null;
    reason: string | null;
    note: string | null;
    run_id: string;
    decided_at: Date;
    undone: boolean;
  }>(
    `SELECT d.decision, d.kind, d."by", d.reason, d.note, d.run_id, d.decided_at, r.revoked_by IS NOT NULL AS undone
     FROM decisions d JOIN runs r USING (run_id) WHERE d.paper_id = ? ORDER BY d.seq`,
    [id],
  );
  return rows.map((one) => ({ ...one, decided_at: formatInstant(one.decided_at.getTime()) }));
}

/** Columns that are compared between a record and its paper. */
const compared = Object.keys(recordShape).filter(
  (name) => !["ids", "curation_status", "corpus_provenance", "references_doi", "cited_by_id"].includes(name),
);

async function recordsOf(db: Database, id: string, paper: Row) {
  const rows = await db.rows<
    Row & { source: string; source_key: string; first: { via: string; run: string }; at: Date }
  >(
    `SELECT c.* EXCLUDE (publication_date), CAST(c.publication_date AS VARCHAR) AS publication_date, s.first, s.at
     FROM record_papers p JOIN records c USING (source, source_key, row_hash)
     JOIN (SELECT g.source, g.source_key, max(g.fetched_at) AS at,
         arg_min({via: g.via, run: g.run_id}, {t: g.fetched_at, run: g.run_id}) AS first
       FROM sightings g JOIN runs r USING (run_id)
       WHERE (g.source, g.source_key) IN (SELECT (source, source_key) FROM record_papers WHERE paper_id = $1)
         AND r.revoked_by IS NULL GROUP BY ALL) s USING (source, source_key)
     WHERE p.paper_id = $1 ORDER BY c.source, c.source_key`,
    [id],
  );
  return rows.map((row) => ({
    source: row.source,
    source_key: row.source_key,
    fetched_at: formatInstant(row.at.getTime()),
    run_id: row.first.run,
    via: row.first.via,
    ids: ((row.ids ?? []) as { engine: string; value: string }[]).map(
      ({ engine, value }) => `${engine}:${value}`,
    ),
    differs: compared.filter((name) => differs(row[name], paper[name === "venue" ? "source" : name])),
  }));
}

// What a record does not say is no difference.
function differs(told: unknown, has: unknown): boolean {
  return told !== null && told !== undefined && JSON.stringify(told) !== JSON.stringify(has);
}
