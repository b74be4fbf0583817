import type { Context } from "../../contract/index.ts";
import type { Database, Value } from "../library/database.ts";
import { readLibrary } from "../library/use.ts";
import type { SourceId } from "../model.ts";
import { worksOf } from "../sources/collect.ts";
import type { SourceSession } from "../sources/session.ts";
import { type Citers, fetchCiters } from "./citers.ts";
import { prepareCites, prepareSeeds, seedEngine } from "./cites.ts";
import { type Direction, referencesOf } from "./rank.ts";
import { fetchNamed, type Named } from "./references.ts";
import type { Start } from "./survey.ts";

/** What one step of citation brought. */
export interface Step {
  hop: number;
  citers: Citers;
  named: Named;
}

export const noCiters: Citers = { kept: new Set(), pages: [] };

export interface Deeper {
  session: SourceSession;
  source: SourceId;
  direction: Direction;
  fetchTop: number;
  maxCiting: number;
  wait: number;
}

/** One step more: from the best of what the last one brought, with what it cites and what cites it. */
export async function stepFrom(ctx: Context, steps: readonly Step[], of: Deeper): Promise<Step> {
  const { session, direction, fetchTop, maxCiting, wait } = of;
  const hop = (steps.at(-1)?.hop ?? 0) + 1;
  const next = await readLibrary(ctx, (db) => nextOf(db, steps, of), { wait });
  const citers = direction === "backward" ? noCiters : await fetchCiters(session, next.starts, { maxCiting });
  const named = await fetchNamed(session, direction === "forward" ? [] : next.references.slice(0, fetchTop));
  const known = new Set(steps.flatMap((step) => [...step.citers.kept, ...step.named.found]));
  return { hop, citers: without(citers, known), named };
}

function without({ kept, pages }: Citers, known: ReadonlySet<string>): Citers {
  return {
    kept: new Set([...kept].filter((id) => !known.has(id))),
    pages: pages.map((page) => ({
      ...page,
      only: new Set([...(page.only ?? [])].filter((id) => !known.has(id))),
    })),
  };
}

/** The best works of the last step, and the best of what these cite. */
async function nextOf(
  db: Database,
  steps: readonly Step[],
  { session, source, fetchTop }: Deeper,
): Promise<{ starts: Start[]; references: string[] }> {
  await prepareCites(db);
  await prepareSeeds(db, seedEngine(source));
  await addWorks(db, steps, session);
  const starts = await db.rows<Start>(
    `SELECT a.id, any_value(a.cited) AS cited FROM chain_added a
     LEFT JOIN chain_points p ON p.work = a.id LEFT JOIN chain_added_refs r ON r.id = a.id
     LEFT JOIN chain_seed_ids s ON s.id = r.ref
     WHERE a.last AND NOT EXISTS (SELECT 1 FROM external_ids e WHERE e.engine = $1 AND e.value = a.id)
     GROUP BY a.id ORDER BY coalesce(any_value(p.n), 0) + count(DISTINCT s.paper) DESC, a.id LIMIT $2`,
    [seedEngine(source), fetchTop],
  );
  const references = await db.rows<{ id: string }>(
    `SELECT p.work AS id FROM chain_points p
     WHERE p.work IN (SELECT ref FROM chain_added_refs WHERE id IN (SELECT unnest($1)))
       AND p.work NOT IN (SELECT id FROM chain_added)
       AND NOT EXISTS (SELECT 1 FROM external_ids e WHERE e.engine = $2 AND e.value = p.work)
     ORDER BY p.n DESC, p.work LIMIT $3`,
    [starts.map(({ id }) => id), seedEngine(source), fetchTop],
  );
  return { starts, references: references.map(({ id }) => id) };
}

/** What all steps brought, and how many papers and works point at each work: `chain_points(work, n)`. */
async function addWorks(db: Database, steps: readonly Step[], session: SourceSession): Promise<void> {
  await db.run(
    `CREATE OR REPLACE TEMP TABLE chain_added (id VARCHAR, cited INTEGER, last BOOLEAN);
     CREATE OR REPLACE TEMP TABLE chain_added_refs (id VARCHAR, ref VARCHAR)`,
  );
  const seen = new Set<string>();
  for (const step of steps) {
    const added: Value[][] = [];
    const refs: Value[][] = [];
    for await (const work of worksOf(session, [...step.citers.pages, ...step.named.pages], seen)) {
      added.push([work.sourceKey, work.citedByCount, step === steps.at(-1)]);
      for (const ref of referencesOf(work)) refs.push([work.sourceKey, ref]);
    }
    await db.append("temp.chain_added", ["id", "cited", "last"], added);
    await db.append("temp.chain_added_refs", ["id", "ref"], refs);
  }
  await db.run(
    `CREATE OR REPLACE TEMP TABLE chain_points AS
     SELECT work, count(*) AS n FROM (
       SELECT paper, work FROM chain_refs UNION SELECT id, ref FROM chain_added_refs) GROUP BY work`,
  );
}
