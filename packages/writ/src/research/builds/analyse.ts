import { type Measures, measure, measureLimits } from "../analysis/measure.ts";
import type { Database, Value } from "../library/database.ts";
import { kinds } from "../networks/kinds.ts";
import type { Projection } from "../networks/project.ts";
import { assortativityAttributes } from "../networks/spec.ts";
import { edgeSource, weightColumn } from "./edge-source.ts";

/** What an analysis adds to a projection; each node's values are in `net_measures(i, …)`. */
export interface Analysed {
  measures: Measures;
  /** Sum of counted weights. */
  weightTotal: number;
  density: number;
}

/** Edges of a network that is written as GraphML, too: whoever reads that holds all of it, and few programs hold more. */
const graphmlEdges = measureLimits.edges;

export function hasGraphml({ measures }: Analysed): boolean {
  return !measures.limited.some(({ measure }) => measure === "graphml");
}

/** The columns of `net_measures`: null is a measure that was left out. */
export const measureColumns = {
  degree: "INTEGER",
  strength: "DOUBLE",
  degree_centrality: "DOUBLE",
  betweenness: "DOUBLE",
  closeness: "DOUBLE",
  pagerank: "DOUBLE",
  core: "INTEGER",
  community: "INTEGER",
} as const;

/** Measures the network that was projected last. */
export async function analyse(
  db: Database,
  projection: Projection,
  options: { noLimits: boolean; onStep: (measure: string) => void },
): Promise<Analysed> {
  const { spec, nodes, edges } = projection;
  const { directed } = kinds[spec.kind];
  const counted = spec.counting === "fractional" ? "frac" : "weight";
  const unit = spec.counting === "fractional" ? 1e12 : 1;
  const { degrees, strengths } = await degreesOf(db, { nodes, counted, unit });
  const weight = weightColumn(spec);
  const source = await edgeSource(db, { nodes, edges, weight, directed, pairs: true });
  const arcs = directed ? await edgeSource(db, { nodes, edges, weight, directed }) : undefined;
  const categories =
    spec.attribute && (await categoriesOf(db, nodes, assortativityAttributes[spec.attribute]));
  const measures = await measure({
    edges: source,
    // Of a directed network the measures of its undirected form speak of neighbours, not of arcs.
    degrees: directed ? await neighboursOf(source) : degrees,
    ...(arcs && { arcs }),
    ...(categories && { categories }),
    ...(spec.clustering === "louvain" && {
      communities: { resolution: spec.resolution, seed: spec.seed, starts: spec.starts },
    }),
    noLimits: options.noLimits,
    onStep: options.onStep,
  });
  if (edges > graphmlEdges && !options.noLimits)
    measures.limited.push({ measure: "graphml", limit: graphmlEdges, found: edges });
  await keep(db, { nodes, degrees, strengths, measures });
  const total = await db.row<{ total: number }>(
    `SELECT CAST(sum(${counted}) AS DOUBLE) AS total FROM net_edges`,
  );
  return {
    measures,
    weightTotal: (total?.total ?? 0) / unit,
    density: nodes < 2 ? 0 : ((directed ? 1 : 2) * edges) / (nodes * (nodes - 1)),
  };
}

async function degreesOf(
  db: Database,
  { nodes, counted, unit }: { nodes: number; counted: string; unit: number },
) {
  const degrees = new Int32Array(nodes);
  const strengths = new Float64Array(nodes);
  const columns = db.columns(
    `SELECT i, count, CAST(w AS DOUBLE) FROM (
       SELECT n, count(*) AS count, sum(w) AS w FROM (
         SELECT s AS n, ${counted} AS w FROM net_edges UNION ALL SELECT t, ${counted} FROM net_edges)
       GROUP BY n) JOIN net_nodes USING (n)`,
  );
  for await (const [is = [], counts = [], sums = []] of columns) {
    is.forEach((i, at) => {
      degrees[i as number] = counts[at] as number;
      strengths[i as number] = (sums[at] as number) / unit;
    });
  }
  return { degrees, strengths };
}

async function neighboursOf(source: Awaited<ReturnType<typeof edgeSource>>): Promise<Int32Array> {
  const degrees = new Int32Array(source.order);
  for await (const { sources, targets } of source.chunks()) {
    for (const ends of [sources, targets]) {
      for (let at = 0; at < ends.length; at += 1) {
        const node = ends[at] as number;
        degrees[node] = (degrees[node] ?? 0) + 1;
      }
    }
  }
  return degrees;
}

/** The category of each paper as a number, by the text of a column; -1 for none. */
async function categoriesOf(db: Database, nodes: number, column: string): Promise<Int32Array> {
  const categories = new Int32Array(nodes).fill(-1);
  const columns = db.columns(
    `SELECT i, dense_rank() OVER (ORDER BY ${column}) FROM net_nodes JOIN papers USING (id) WHERE ${column} IS NOT NULL`,
  );
  for await (const [is = [], ranks = []] of columns) {
    is.forEach((i, at) => {
      categories[i as number] = ranks[at] as number;
    });
  }
  return categories;
}

interface Found {
  nodes: number;
  degrees: Int32Array;
  strengths: Float64Array;
  measures: Measures;
}

async function keep(db: Database, { nodes, degrees, strengths, measures }: Found): Promise<void> {
  const names = Object.entries(measureColumns);
  await db.run(
    `CREATE OR REPLACE TEMP TABLE net_measures (i INTEGER, ${names.map(([name, type]) => `${name} ${type}`).join(", ")})`,
  );
  const value = (list: ArrayLike<number> | null | undefined, i: number): Value => list?.[i] ?? null;
  function* rows(): Generator<Value[]> {
    for (let i = 0; i < nodes; i += 1) {
      yield [
        i,
        value(degrees, i),
        value(strengths, i),
        nodes < 2 ? 0 : (degrees[i] ?? 0) / (nodes - 1),
        value(measures.betweenness, i),
        value(measures.closeness, i),
        value(measures.pageRank, i),
        value(measures.cores, i),
        value(measures.communities?.labels, i),
      ];
    }
  }
  await db.append("temp.net_measures", ["i", ...names.map(([name]) => name)], rows());
}
