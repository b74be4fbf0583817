import type { Database } from "../library/database.ts";
import type { NetworkKind } from "../model.ts";
import { kinds } from "./kinds.ts";

/** Items that more nodes share than the cap allows, and the pairs they would have made. */
export interface Hub {
  items: number;
  pairs: number;
}

export interface Incidence {
  /** Pairs of nodes that share an item, counted once for each item: exactly the work of the join. */
  pairs: number;
  /** Of these, those of the item that most nodes share. */
  largest: number;
  /** What the cap left out; absent without a cap. */
  hub?: Hub;
}

/** How many pairs are made where nobody says. */
export const usualPairs = {
  most: 200_000_000,
  /** Of the authors, keywords or references of one paper, about 3,160: a list as long as that tells of nothing else. */
  ofPaper: 5_000_000,
} as const;

/**
 * Counts who shares what of `net_links`, papers by key or keys by paper: `net_sizes(item, size)`, and
 * `net_items(item, size)` without items of one node and those above the cap.
 */
export async function measureIncidence(
  db: Database,
  kind: NetworkKind,
  hubCap: number | undefined,
): Promise<Incidence> {
  const { item } = sidesOf(kind);
  await db.run(
    `CREATE OR REPLACE TEMP TABLE net_sizes AS
     SELECT ${item} AS item, CAST(count(*) AS INTEGER) AS size FROM net_links GROUP BY item`,
  );
  const cap = hubCap ?? null;
  const sums = await db.row<{
    pairs: number | null;
    largest: number | null;
    hub_items: number;
    hub_pairs: number | null;
  }>(
    `SELECT sum(pairs) FILTER (NOT hub) AS pairs, max(pairs) FILTER (NOT hub) AS largest, count(*) FILTER (hub) AS hub_items, sum(pairs) FILTER (hub) AS hub_pairs
     FROM (SELECT CAST(size AS BIGINT) * (size - 1) // 2 AS pairs, coalesce(size > $1, false) AS hub FROM net_sizes)`,
    [cap],
  );
  await db.run(
    `CREATE OR REPLACE TEMP TABLE net_items AS
     SELECT item, size FROM net_sizes WHERE size > 1 AND coalesce(size <= $1, true)`,
    [cap],
  );
  return {
    pairs: sums?.pairs ?? 0,
    largest: sums?.largest ?? 0,
    ...(hubCap !== undefined && { hub: { items: sums?.hub_items ?? 0, pairs: sums?.hub_pairs ?? 0 } }),
  };
}

/** Nodes and the shared items of `net_items`, `net_inc(node, item)`; `net_alone(node, items)` counts what a node holds alone. */
export async function makeIncidence(db: Database, kind: NetworkKind): Promise<void> {
  const { node, item } = sidesOf(kind);
  await db.run(
    `CREATE OR REPLACE TEMP TABLE net_inc AS
     SELECT ${node} AS node, ${item} AS item FROM net_links SEMI JOIN net_items ON net_items.item = ${item};
     CREATE OR REPLACE TEMP TABLE net_alone AS
     SELECT ${node} AS node, count(*) AS items FROM net_links JOIN net_sizes ON net_sizes.item = ${item}
     WHERE size = 1 GROUP BY node`,
  );
}

const sidesOf = (kind: NetworkKind) =>
  kinds[kind].node === "paper" ? { node: "paper", item: "key" } : { node: "key", item: "paper" };

/**
 * The largest cap under which no more than `most` pairs are made, and by no item more than `each`, and what it leaves
 * out; `cap` is undefined when even items of two nodes are too many.
 */
export async function fittingCap(
  db: Database,
  { most, each }: { most: number; each: number },
): Promise<{ cap: number | undefined; hub: Hub }> {
  const sizes = await db.rows<{ size: number; items: number; pairs: number }>(
    `SELECT size, count(*) AS items, count(*) * (CAST(size AS BIGINT) * (size - 1) // 2) AS pairs
     FROM net_items GROUP BY size ORDER BY size`,
  );
  let made = 0;
  const out = sizes.findIndex(({ items, pairs }) => {
    made += pairs;
    return made > most || pairs / items > each;
  });
  const left = out === -1 ? [] : sizes.slice(out);
  const smallest = left[0]?.size;
  return {
    cap: smallest === undefined || smallest <= 2 ? undefined : smallest - 1,
    hub: {
      items: left.reduce((sum, { items }) => sum + items, 0),
      pairs: left.reduce((sum, { pairs }) => sum + pairs, 0),
    },
  };
}
