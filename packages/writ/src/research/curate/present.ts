import type { Database } from "../library/database.ts";
import type { Decision } from "../model.ts";

/** What people have said of a paper last. */
export interface Present {
  decision: Decision | null;
  reason: string | null;
  note: string | null;
}

/** The last decision by hand or import, and the last note, of each of the papers; papers without any are absent. */
export async function presentDecisions(
  db: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Present>> {
  const rows = await db.rows<Present & { id: string }>(
    `SELECT d.paper_id AS id,
       arg_max(d.decision, ${order}) FILTER (${manual}) AS decision,
       arg_max(coalesce(d.reason, ''), ${order}) FILTER (${manual}) AS reason,
       arg_max(d.note, ${order}) FILTER (d.note IS NOT NULL) AS note
     FROM decisions d JOIN runs r USING (run_id)
     WHERE r.revoked_by IS NULL AND list_contains(CAST($1 AS VARCHAR[]), d.paper_id) GROUP BY d.paper_id`,
    [[...ids]],
  );
  return new Map(rows.map(({ id, ...present }) => [id, { ...present, reason: present.reason || null }]));
}

const order = "{t: d.decided_at, seq: d.seq}";
const manual = "d.kind IN ('manual', 'import') AND d.decision IS NOT NULL";
