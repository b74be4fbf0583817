import { AttributeMixing, type Coefficient, DegreeMixing } from "./assortativity.ts";
import { BitRows, type Clustering, clusteringOf, triangleEndsOf } from "./clustering.ts";
import { type Communities, type CommunityOptions, communitiesOf } from "./communities.ts";
import { Components } from "./components.ts";
import { coreNumbers } from "./cores.ts";
import { at, type EdgeSource, type Graph, readGraph } from "./graph.ts";
import { pageRank } from "./page-rank.ts";
import { pathMeasures } from "./paths.ts";

/** How large a graph may be for a measure; what is larger is told, not computed. */
export const measureLimits = {
  /** Nodes, for rows of bits. */
  bitRows: 16_384,
  /** Sum over edges of the smaller degree, for clustering without rows of bits. */
  clusteringWork: 2_000_000_000,
  /** Edges, for what needs the graph in memory. */
  edges: 2_500_000,
  /** Nodes times edges, for shortest paths. */
  paths: 100_000_000,
} as const;

/** A measure that was left out, the bound it broke and what was found. */
interface Limited {
  measure: string;
  limit: number;
  found: number;
}

interface MeasureRequest {
  /** Undirected; of a directed network each linked pair once. Weights are those of communities and PageRank. */
  edges: EdgeSource;
  /** Edges at each node. */
  degrees: Int32Array;
  /** The arcs of a directed network, citing first. */
  arcs?: EdgeSource;
  /** Absent where no communities are wanted. */
  communities?: CommunityOptions;
  /** The category of each node as a number from 0, -1 for none. */
  categories?: ArrayLike<number>;
  noLimits?: boolean;
  /** Told before each step; may throw to stop. */
  onStep?: (measure: string) => void;
}

/** A list holds a value for each node; null is a measure that was left out. */
export interface Measures {
  components: { count: number; largest: number };
  clustering: Clustering | null;
  cores: Int32Array | null;
  communities: Communities | null;
  pageRank: Float64Array | null;
  betweenness: Float64Array | null;
  closeness: Float64Array | null;
  degreeMixing: Coefficient;
  attributeMixing?: Coefficient & { missing: number };
  limited: Limited[];
}

/** Every measure of a network, within the limits. Edges are streamed once or twice; memory grows only within them. */
export async function measure(request: MeasureRequest): Promise<Measures> {
  const { edges, degrees, noLimits = false, onStep } = request;
  const limited: Limited[] = [];
  /** Whether these measures may be computed; if not, each is told. */
  const within = (measures: readonly string[], found: number, limit: number): boolean => {
    if (noLimits || found <= limit) return true;
    limited.push(...measures.map((name) => ({ measure: name, limit, found })));
    return false;
  };
  onStep?.("components");
  const first = await firstPass(request);
  const rowsFit = edges.order <= measureLimits.bitRows;
  const clusters =
    rowsFit || within(["clustering", "transitivity"], first.work, measureLimits.clusteringWork);
  const inMemory = within(["core", "communities", "pagerank"], edges.size, measureLimits.edges);
  const paths = within(["betweenness", "closeness"], edges.order * edges.size, measureLimits.paths);
  const graph = inMemory || paths || (clusters && !rowsFit) ? await readGraph(edges) : undefined;
  onStep?.("clustering");
  const ends = first.rows?.triangleEnds() ?? (clusters && graph ? triangleEndsOf(graph) : undefined);
  onStep?.("betweenness");
  const shortest = paths && graph ? pathMeasures(graph, everyHundredth(onStep)) : undefined;
  const rest = inMemory && graph ? await inMemoryMeasures(graph, request) : undefined;
  if (rest && rest.pageRank === null) limited.push({ measure: "pagerank", limit: 1000, found: 1001 });
  return {
    components: first.components.summary(),
    clustering: ends ? clusteringOf(ends, degrees) : null,
    cores: rest?.cores ?? null,
    communities: rest?.communities ?? null,
    pageRank: rest?.pageRank ?? null,
    betweenness: shortest?.betweenness ?? null,
    closeness: shortest?.closeness ?? null,
    degreeMixing: first.degrees.coefficient(),
    ...(first.categories && {
      attributeMixing: { ...first.categories.coefficient(), missing: first.categories.missing },
    }),
    limited,
  };
}

/** What needs each edge once and little memory. */
async function firstPass({ edges, degrees, categories }: MeasureRequest) {
  const components = new Components(edges.order);
  const degreeMixing = new DegreeMixing(degrees);
  const attributeMixing = categories && new AttributeMixing(categories);
  const rows = edges.order <= measureLimits.bitRows ? new BitRows(edges.order) : undefined;
  let work = 0;
  for await (const { sources, targets } of edges.unordered?.() ?? edges.chunks()) {
    for (let edge = 0; edge < sources.length; edge += 1) {
      const [source, target] = [at(sources, edge), at(targets, edge)];
      components.join(source, target);
      degreeMixing.add(source, target);
      attributeMixing?.add(source, target);
      rows?.join(source, target);
      work += Math.min(at(degrees, source), at(degrees, target));
    }
  }
  return { components, degrees: degreeMixing, categories: attributeMixing, rows, work };
}

async function inMemoryMeasures(graph: Graph, { arcs, communities, onStep }: MeasureRequest) {
  onStep?.("core");
  const cores = coreNumbers(graph);
  onStep?.("communities");
  const found = communities ? communitiesOf(graph, communities) : null;
  onStep?.("pagerank");
  const ranks = pageRank(arcs ? await readGraph(arcs, { directed: true }) : graph);
  return { cores, communities: found, pageRank: ranks };
}

/** Long walks are left between nodes, too. */
function everyHundredth(onStep: MeasureRequest["onStep"]) {
  return (done: number) => {
    if (done % 100 === 0) onStep?.("betweenness");
  };
}
