import type { Row } from "../library/database.ts";
import { type Asked, type Entry, titlesOf } from "./top-network.ts";
import type { TopData } from "./top-shape.ts";

const columnOf = {
  degree: "degree_centrality",
  strength: "strength",
  betweenness: "betweenness",
  pagerank: "pagerank",
  cited: "cited_by_count",
} as const;

type Measure = keyof typeof columnOf;

/** The best by one measure, as SQL sorts them: ids in code-point order. */
export async function ranked(
  { db, given, looked: { nodes }, columns }: Asked,
  by: Measure,
  community?: number,
): Promise<Entry[]> {
  const column = columnOf[by];
  if (!nodes || !columns.has(column)) return [];
  const within = community === undefined ? "" : ` AND community = ${Math.trunc(community)}`;
  const rows = await db.rows<Row>(
    `SELECT id, label, degree_centrality, ${columns.has("community") ? "community," : ""} CAST(${column} AS DOUBLE) AS value
     FROM (${nodes.sql}) WHERE ${column} IS NOT NULL${within} ORDER BY value DESC, id LIMIT ${Math.trunc(given.n)}`,
    nodes.values,
  );
  const titles = await titlesOf(
    db,
    rows.map(({ id }) => id as string),
  );
  return rows.map((row) => ({
    id: row.id as string,
    title: titles.get(row.id as string) ?? (row.label as string),
    degree_centrality: row.degree_centrality as number,
    ...(typeof row.community === "number" && { community: row.community }),
    value: row.value as number,
  }));
}

/** The best of each community, the largest community first; an order of reading has no measure, so degree stands in. */
export async function rankedByCommunity(asked: Asked): Promise<NonNullable<TopData["groups"]>> {
  const { db, given, looked, columns } = asked;
  const { nodes } = looked;
  if (!nodes || !columns.has("community")) return [];
  const sizes = await db.rows<{ community: number; size: number }>(
    `SELECT community, count(*) AS size FROM (${nodes.sql}) WHERE community IS NOT NULL GROUP BY community ORDER BY community`,
    nodes.values,
  );
  const by = given.by === "reading" ? "degree" : given.by;
  const groups: NonNullable<TopData["groups"]> = [];
  for (const { community, size } of sizes)
    groups.push({ community, size, papers: await ranked(asked, by, community) });
  return groups;
}

/** Why nothing ranks by a measure, and the command that would help. */
export function whyUnranked(
  { looked: { name }, columns }: Asked,
  by: Measure,
): { reason: string; fix_command?: string } {
  if (!columns.has(columnOf[by]))
    return name === null
      ? {
          reason: `${by} is known of networks that are built, and none is`,
          fix_command: "writ research build",
        }
      : { reason: `nodes of ${name} have no ${by}` };
  return {
    reason: `${by} is not known of any node of ${name ?? "the network"}`,
    ...(by === "betweenness" || by === "pagerank" ? { fix_command: "writ research build --no-limits" } : {}),
  };
}
