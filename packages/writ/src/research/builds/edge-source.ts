import type { EdgeChunk, EdgeSource } from "../analysis/graph.ts";
import { measureLimits } from "../analysis/measure.ts";
import type { Database } from "../library/database.ts";

/** Which weight an edge has in an analysis: the normalised one where it was asked for, else the counted one. */
export function weightColumn({
  counting,
  normalisation,
}: {
  counting: string;
  normalisation: string;
}): string {
  if (normalisation !== "none") return "norm";
  return counting === "fractional" ? "frac / 1e12" : "weight";
}

/**
 * The edges of the projected network with nodes by their `i`, sorted. Those that fit in memory are read once; others are
 * streamed each time. With `pairs` the two arcs between two papers are one edge.
 */
export async function edgeSource(
  db: Database,
  network: { nodes: number; edges: number; weight: string; directed?: boolean; pairs?: boolean },
): Promise<EdgeSource> {
  const { nodes, weight, directed = false, pairs = false } = network;
  const sql =
    directed && pairs
      ? `SELECT least(a.i, b.i) AS s, greatest(a.i, b.i) AS t, CAST(sum(${weight}) AS DOUBLE) AS w
       FROM net_edges JOIN net_nodes a ON a.n = s JOIN net_nodes b ON b.n = t GROUP BY ALL ORDER BY ALL`
      : `SELECT a.i AS s, b.i AS t, CAST(${weight} AS DOUBLE) AS w
       FROM net_edges JOIN net_nodes a ON a.n = s JOIN net_nodes b ON b.n = t ORDER BY a.i, b.i`;
  const chunks = () => streamed(db, sql);
  if (network.edges <= measureLimits.edges) {
    const held = await collected(chunks(), network.edges);
    return { order: nodes, size: held.sources.length, chunks: () => [held] };
  }
  if (directed && pairs) {
    const found = await db.row<{ size: number }>(`SELECT count(*) AS size FROM (${sql})`);
    return { order: nodes, size: found?.size ?? 0, chunks };
  }
  const unordered = () => unjoined(db);
  return { order: nodes, size: network.edges, chunks, unordered };
}

/** As they lie, ends by their `i`, looked up here: joining costs more than all that is done with them. */
async function* unjoined(db: Database): AsyncGenerator<EdgeChunk> {
  const found = await db.row<{ bound: number }>("SELECT max(n) + 1 AS bound FROM net_nodes");
  const places = new Int32Array(found?.bound ?? 0);
  for await (const [ns = [], is = []] of db.numbers("SELECT n, i FROM net_nodes"))
    for (let at = 0; at < ns.length; at += 1) places[ns[at] as number] = is[at] as number;
  for await (const [sources, targets] of db.numbers("SELECT s, t FROM net_edges")) {
    for (const ends of [sources, targets])
      if (ends) for (let at = 0; at < ends.length; at += 1) ends[at] = places[ends[at] as number] as number;
    yield { sources: sources ?? [], targets: targets ?? [] };
  }
}

async function* streamed(db: Database, sql: string): AsyncGenerator<EdgeChunk> {
  for await (const [sources = [], targets = [], weights] of db.numbers(sql))
    yield { sources, targets, ...(weights && { weights }) };
}

async function collected(chunks: AsyncIterable<EdgeChunk>, most: number): Promise<Required<EdgeChunk>> {
  const sources = new Int32Array(most);
  const targets = new Int32Array(most);
  const weights = new Float64Array(most);
  let size = 0;
  for await (const chunk of chunks) {
    sources.set(chunk.sources, size);
    targets.set(chunk.targets, size);
    weights.set(chunk.weights ?? [], size);
    size += chunk.sources.length;
  }
  return {
    sources: sources.subarray(0, size),
    targets: targets.subarray(0, size),
    weights: weights.subarray(0, size),
  };
}
