import type { Database } from "../library/database.ts";
import type { CurationStatus, Decision } from "../model.ts";

/** What a paper is, and what people have said of it last. */
export interface Present {
  status: CurationStatus;
  decision: Decision | null;
  reason: string | null;
  note: string | null;
}

/** The status, the last decision by hand or import, and the last note, of each of the papers. */
export async function presentDecisions(
  db: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Present>> {
  const rows = await db.rows<Present & { id: string }>(
    `SELECT p.id, any_value(p.curation_status) AS status,
       arg_max(d.decision, ${order}) FILTER (${manual}) AS decision,
       arg_max(coalesce(d.reason, ''), ${order}) FILTER (${manual}) AS reason,
       arg_max(d.note, ${order}) FILTER (d.note IS NOT NULL) AS note
     FROM papers p LEFT JOIN (SELECT d.* FROM decisions d JOIN runs r USING (run_id) WHERE r.revoked_by IS NULL) d
       ON d.paper_id = p.id
     WHERE p.id IN (SELECT unnest(CAST($1 AS VARCHAR[]))) GROUP BY p.id`,
    [[...ids]],
  );
  return new Map(rows.map(({ id, ...present }) => [id, { ...present, reason: present.reason || null }]));
}

const order = "{t: d.decided_at, seq: d.seq}";
const manual = "d.kind IN ('manual', 'import') AND d.decision IS NOT NULL";
