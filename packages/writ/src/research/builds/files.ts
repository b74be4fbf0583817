import { join } from "node:path";
import { makeFolder, canonicalJson } from "../../platform/index.ts";
import { csvLine, harmless } from "../export/csv.ts";
import { graphml } from "../export/graphml.ts";
import { type NetworkReader, openNetwork, quoted } from "../export/network-file.ts";
import { writePieces } from "../export/text-file.ts";
import type { Database } from "../library/database.ts";
import { kinds } from "../networks/kinds.ts";
import type { Projection } from "../networks/project.ts";
import type { NetworkSpec } from "../networks/spec.ts";
import { type Analysed, hasGraphml, measureColumns } from "./analyse.ts";
import { parquet, writeEdges } from "./edge-file.ts";
import { labelNodes } from "./labels.ts";
import { type Facts, metricsOf } from "./metrics.ts";

/** Writes the files of the network that lies in the temporary tables, measured, into a folder of its own. */
export async function writeNetwork(
  db: Database,
  folder: string,
  network: { projection: Projection; analysed: Analysed; facts: Facts; reader: NetworkReader },
): Promise<{ clusters: boolean; metrics: Record<string, unknown> }> {
  const { spec } = network.projection;
  await makeFolder(folder);
  await labelNodes(db, spec);
  await writeNodes(db, join(folder, "nodes.parquet"), spec);
  await writeEdges(db, join(folder, "edges.parquet"), network.projection);
  const metrics = metricsOf(network);
  await writePieces(join(folder, "metrics.json"), [pretty(metrics)]);
  const file = await openNetwork(folder, spec, network.reader);
  if (hasGraphml(network.analysed)) await writePieces(join(folder, "network.graphml"), graphml(file));
  const clusters = kinds[spec.kind].node === "paper" && network.analysed.measures.communities !== null;
  if (clusters) await writePieces(join(folder, "clusters.csv"), clustersCsv(db));
  return { clusters, metrics };
}

/** JSON with sorted keys, for people and for strict parsers: it refuses what JSON cannot say. */
export function pretty(value: Record<string, unknown>): string {
  return `${JSON.stringify(JSON.parse(canonicalJson(value)), undefined, 2)}\n`;
}

const joined = (list: string) => `nullif(array_to_string(${list}, ' | '), '')`;

async function writeNodes(db: Database, file: string, { kind }: NetworkSpec): Promise<void> {
  const measures = Object.keys(measureColumns).map((name) => `m.${name}`);
  const ofPaper = `p.year, p.is_seed, p.curation_status, p.doi,
    coalesce('https://doi.org/' || p.doi, CASE WHEN regexp_matches(p.source_id, '^W[0-9]+$') THEN 'https://openalex.org/' || p.source_id END, p.url) AS url,
    p.source AS venue, ${joined("p.authors_raw")} AS authors, ${joined("p.keywords_raw")} AS keywords, p.type,
    p.cited_by_count, CAST(coalesce(c.local, 0) AS INTEGER) AS local_citations, coalesce(net_scent.scent, 0) AS scent`;
  const isPaper = kinds[kind].node === "paper";
  await db.run(`
    COPY (SELECT n.id, coalesce(l.label, n.id) AS label, ${measures.join(", ")}${isPaper ? `, ${ofPaper}` : ""}
      FROM net_nodes n JOIN net_measures m USING (i) LEFT JOIN net_labels l ON l.n = n.n
      ${isPaper ? papersBeside : ""}
      ORDER BY n.i) TO ${quoted(file)} ${parquet}`);
}

const papersBeside = `JOIN papers p ON p.id = n.id LEFT JOIN net_scent ON net_scent.id = n.id
  LEFT JOIN (SELECT cited, count(*) AS local FROM net_cites SEMI JOIN net_papers ON net_papers.id = citing GROUP BY cited) c
    ON c.cited = n.id`;

interface Cluster {
  cluster: number;
  size: number;
  seed_count: number;
  candidate_count: number;
  accepted_count: number;
  year_min: number | null;
  year_max: number | null;
  year_mean: number | null;
  top_authors: string[] | null;
  top_keywords: string[] | null;
}

const clusterColumns = [
  "cluster",
  "size",
  "seed_count",
  "candidate_count",
  "accepted_count",
  "year_min",
  "year_max",
  "year_mean",
  "top_authors",
  "top_keywords",
] as const satisfies (keyof Cluster)[];

/** The communities of a network of papers, a line each. */
async function* clustersCsv(db: Database): AsyncGenerator<string> {
  const top = (items: string) => `
    SELECT cluster, list(item ORDER BY told DESC, item)[:5] AS items
    FROM (SELECT cluster, item, count(*) AS told FROM (SELECT cluster, unnest(${items}) AS item FROM members) WHERE item <> '' GROUP BY ALL)
    GROUP BY cluster`;
  yield csvLine(clusterColumns);
  const rows = db.stream<Cluster>(`
    WITH members AS (
      SELECT community AS cluster, p.* FROM net_nodes JOIN net_measures USING (i) JOIN papers p USING (id)
    ), authors AS (${top("authors_raw")}),
    keywords AS (${top("coalesce(keywords_id, keywords_raw)")})
    SELECT m.cluster, count(*) AS size, count(*) FILTER (is_seed) AS seed_count,
      count(*) FILTER (curation_status = 'candidate') AS candidate_count,
      count(*) FILTER (curation_status = 'accepted') AS accepted_count,
      min(year) AS year_min, max(year) AS year_max, round(CAST(sum(year) AS DOUBLE) / count(year), 1) AS year_mean,
      any_value(authors.items) AS top_authors, any_value(keywords.items) AS top_keywords
    FROM members m LEFT JOIN authors USING (cluster) LEFT JOIN keywords USING (cluster)
    GROUP BY m.cluster ORDER BY m.cluster`);
  for await (const chunk of rows) {
    for (const row of chunk) yield csvLine(clusterColumns.map((name) => cellOf(row[name])));
  }
}

function cellOf(value: Cluster[keyof Cluster]): string | undefined {
  if (Array.isArray(value)) return harmless(value.join("|"));
  return value === null ? undefined : String(value);
}
