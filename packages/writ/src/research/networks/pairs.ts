import type { Database } from "../library/database.ts";
import { countPairs, type Pairs } from "./count-pairs.ts";
import { readSharedItems, type SharedItems } from "./shared-items.ts";
import { formulas } from "./weights.ts";

export const countings = ["full", "fractional"] as const;
export type Counting = (typeof countings)[number];

/** Fractions are summed as integers of this unit, so that the order of a sum cannot show. */
const fractionUnit = 1e12;

export interface Weighting {
  counting: Counting;
  normalisation: keyof typeof formulas | "none";
  /** Least counted weight of an edge that is kept; 0 keeps every pair. */
  minWeight: number;
}

/** Pairs that are handed to the database at a time. */
const pairsAtOnce = 2048;

/**
 * The edges of an undirected network, `net_edges(s, t, weight[, frac][, norm])`, s before t, sorted: pairs are made here
 * and nowhere else. `weight` counts shared items; `frac` sums 1/(n - 1) in units of 1e-12; `norm` is the normalised weight.
 */
export async function makePairs(
  db: Database,
  { counting, normalisation, minWeight }: Weighting,
  atOnce = pairsAtOnce,
): Promise<void> {
  const fractional = counting === "fractional";
  const least = Math.ceil(fractional ? minWeight * fractionUnit : minWeight);
  const shared = await readSharedItems(db);
  const units = fractional ? unitsOf(shared) : undefined;
  await db.run(
    `CREATE OR REPLACE TEMP TABLE net_edges (s INTEGER, t INTEGER, weight INTEGER${fractional ? ", frac BIGINT" : ""})`,
  );
  const pairs = countPairs(shared, { ...(units && { units }), least, atOnce });
  await db.appendColumns("temp.net_edges", columnsOf(pairs, fractional));
  if (normalisation !== "none") await normalise(db, fractional, formulas[normalisation]);
}

function unitsOf({ holderOffsets }: SharedItems): Float64Array {
  const units = new Float64Array(holderOffsets.length - 1);
  for (let item = 0; item < units.length; item += 1) {
    const size = (holderOffsets[item + 1] as number) - (holderOffsets[item] as number);
    units[item] = Math.round(fractionUnit / (size - 1));
  }
  return units;
}

function* columnsOf(pairs: Iterable<Pairs>, fractional: boolean) {
  for (const { sources, targets, weights, sums } of pairs)
    yield fractional
      ? [sources, targets, weights, BigInt64Array.from(sums, BigInt)]
      : [sources, targets, weights];
}

/** What a formula speaks of: c the pair's weight, a the items of a node, w its weights, m all weights. */
async function normalise(db: Database, fractional: boolean, formula: string): Promise<void> {
  // Before any edge was dropped: each item of n nodes gives a node n - 1 to its weights, or 1 when fractions are counted.
  const unit = fractional
    ? `(CAST(round(${fractionUnit} / (size - 1)) AS BIGINT) * (size - 1))`
    : "(size - 1)";
  await db.run(`
    CREATE OR REPLACE TEMP TABLE net_stats AS
    SELECT node, count(*) + coalesce(any_value(items), 0) AS a, CAST(sum(${unit}) AS DOUBLE) AS w
    FROM net_inc JOIN net_items USING (item) LEFT JOIN net_alone USING (node) GROUP BY node`);
  const c = fractional ? "CAST(frac AS DOUBLE)" : "CAST(weight AS DOUBLE)";
  await db.inOrder(`
    CREATE OR REPLACE TEMP TABLE net_edges AS
    SELECT s, t, weight${fractional ? ", frac" : ""}, ${formula} AS norm
    FROM (SELECT e.*, ${c} AS c, i.a AS ai, j.a AS aj, i.w AS wi, j.w AS wj,
        (SELECT CAST(sum(${unit} * CAST(size AS BIGINT)) AS DOUBLE) / 2 FROM net_items) AS m
      FROM net_edges e JOIN net_stats i ON i.node = s JOIN net_stats j ON j.node = t)`);
}

/** The arcs of direct citation, citing first: each paper with the papers of the selection that it cites. */
export async function makeArcs(db: Database, minWeight: number): Promise<void> {
  await db.run(`
    CREATE OR REPLACE TEMP TABLE net_edges AS
    SELECT DISTINCT paper AS s, cited.n AS t, CAST(1 AS INTEGER) AS weight
    FROM net_links JOIN net_keys ON net_keys.n = key JOIN net_papers cited ON cited.id = net_keys.id
    WHERE paper <> cited.n AND ${Math.ceil(minWeight)} <= 1`);
}
