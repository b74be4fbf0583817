import type { Change } from "../library/change.ts";
import { prepareCites } from "./cites.ts";

/** Works that are no papers; ids of papers are known by their form. An id of OpenAlex has no colon at all. */
export const isReference =
  "(NOT contains(work, ':') OR NOT regexp_matches(work, '^(doi|src|tt):[0-9a-f]{16}$'))";

/**
 * Notes every reference that is no paper, with the round in which it was first seen; `ofThisRun` looks at the papers
 * that this run changed only. Leaves `chain_refs` as the library is now.
 */
export async function observeAll(
  { db, run }: Change,
  round: number,
  { ofThisRun = false }: { ofThisRun?: boolean } = {},
): Promise<void> {
  await prepareCites(db);
  const own = ofThisRun ? "AND paper IN (SELECT id FROM papers WHERE last_run = $3)" : "";
  await db.run(
    `INSERT INTO referenced_but_not_fetched
     SELECT DISTINCT work, CAST($1 AS INTEGER), CAST($2 AS TIMESTAMPTZ), $3 FROM chain_refs
     WHERE ${isReference} ${own} AND work NOT IN (
       SELECT ref_id FROM referenced_but_not_fetched JOIN runs USING (run_id) WHERE revoked_by IS NULL)`,
    [round, run.at, run.id],
  );
}
