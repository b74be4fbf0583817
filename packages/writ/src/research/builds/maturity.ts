import { z } from "zod";
import type { Database } from "../library/database.ts";
import { standingOf } from "../library/standing.ts";
import { type NetworkKind, networkKinds, type Scope } from "../model.ts";

/** How far the library has come, said beside whatever is made from it. */
export const maturityOutput = z.object({
  curated: z.boolean().describe("Whether anybody has decided on any paper."),
  scope: z.string(),
  saturated: z.boolean().describe("Whether, after two rounds at least, new rounds bring next to nothing."),
  saturation: z.number().nullable().describe("1 - new works / known works that several papers point at."),
  empty_networks: z.array(z.enum(networkKinds)),
});
export type Maturity = z.output<typeof maturityOutput>;

const saturated = 0.95;

export async function maturityOf(
  db: Database,
  { scope, empty }: { scope: Scope; empty: readonly NetworkKind[] },
): Promise<Maturity> {
  const row = await db.row<{ curated: boolean; saturation: number | null }>(
    `SELECT EXISTS (SELECT 1 FROM decisions d JOIN runs r USING (run_id) WHERE d.decision IS NOT NULL AND r.revoked_by IS NULL) AS curated,
       (SELECT CAST((counts->>'saturation') AS DOUBLE) FROM runs
        WHERE verb IN ('seed', 'chain') AND state = 'done' AND revoked_by IS NULL ORDER BY seq DESC LIMIT 1) AS saturation`,
  );
  const { round } = await standingOf(db);
  const saturation = row?.saturation ?? null;
  return {
    curated: row?.curated ?? false,
    scope,
    saturated: round >= 2 && saturation !== null && saturation >= saturated,
    saturation,
    empty_networks: [...new Set(empty)],
  };
}
