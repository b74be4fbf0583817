import type { Database } from "../library/database.ts";

/** Which nodes share which items, both ways, as numbers: lists one after the other, each found by its offset. */
export interface SharedItems {
  /** Where the items of a node begin in `items`; one longer than there are nodes. */
  offsets: Int32Array;
  items: Int32Array;
  /** Where the nodes of an item begin in `holders`; one longer than there are items. */
  holderOffsets: Int32Array;
  /** Sorted within each item. */
  holders: Int32Array;
}

/** Reads `net_inc(node, item)`: 16 bytes a row while it is read, 8 after. */
export async function readSharedItems(db: Database): Promise<SharedItems> {
  const found = await db.row<{ size: number; nodes: number | null; items: number | null }>(
    "SELECT count(*) AS size, max(node) + 1 AS nodes, max(item) + 1 AS items FROM net_inc",
  );
  const { size = 0, nodes, items } = found ?? {};
  const rows = { nodes: new Int32Array(size), items: new Int32Array(size) };
  let at = 0;
  for await (const [node = [], item = []] of db.numbers("SELECT node, item FROM net_inc")) {
    rows.nodes.set(node, at);
    rows.items.set(item, at);
    at += node.length;
  }
  return listsOf(rows, { nodes: nodes ?? 0, items: items ?? 0 });
}

/** The lists of rows that lie in any order. */
export function listsOf(
  rows: { nodes: Int32Array; items: Int32Array },
  counts: { nodes: number; items: number },
): SharedItems {
  const byNode = grouped(rows.nodes, rows.items, counts.nodes);
  const nodes = new Int32Array(rows.nodes.length);
  for (let node = 0; node < counts.nodes; node += 1)
    nodes.fill(node, byNode.offsets[node], byNode.offsets[node + 1]);
  // Taken node by node, so that the holders of an item are sorted.
  const byItem = grouped(byNode.values, nodes, counts.items);
  return {
    offsets: byNode.offsets,
    items: byNode.values,
    holderOffsets: byItem.offsets,
    holders: byItem.values,
  };
}

/** Values by key, in the order in which they come. */
function grouped(keys: Int32Array, values: Int32Array, groups: number) {
  const offsets = new Int32Array(groups + 1);
  for (const key of keys) offsets[key + 1] = (offsets[key + 1] as number) + 1;
  for (let group = 0; group < groups; group += 1)
    offsets[group + 1] = (offsets[group + 1] as number) + (offsets[group] as number);
  const next = offsets.slice(0, groups);
  const placed = new Int32Array(values.length);
  for (let row = 0; row < keys.length; row += 1) {
    const key = keys[row] as number;
    const place = next[key] as number;
    placed[place] = values[row] as number;
    next[key] = place + 1;
  }
  return { offsets, values: placed };
}
