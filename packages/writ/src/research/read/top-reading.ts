import { type Readable, readingList } from "../analysis/reading.ts";
import type { Database, Row } from "../library/database.ts";
import { findCitations } from "../networks/citations.ts";
import { kinds } from "../networks/kinds.ts";
import { lacking } from "./lacking.ts";
import { type Asked, type Entry, titlesOf } from "./top-network.ts";

type Candidate = Readable & { centrality: number | null };

/** What to read first, and what the order is without. */
export interface ReadingOrder {
  entries: Entry[];
  lacking: { reason: string; fix_command?: string } | undefined;
}

/** Orders all papers of the network's scope, whether or not they are nodes of it. */
export async function readingOrder(asked: Asked): Promise<ReadingOrder> {
  const { db, given, looked } = asked;
  await findCitations(db, looked.spec);
  const papers = await candidates(asked);
  const list = await readingList(papers, given.n, (ids) => citesOf(db, ids));
  const titles = await titlesOf(
    db,
    list.map(({ id }) => id),
  );
  const centralities = new Map(papers.map(({ id, centrality }) => [id, centrality]));
  const entries = list.map(({ id, priority, community, reasons }) => ({
    id,
    title: titles.get(id) ?? id,
    degree_centrality: centralities.get(id) ?? null,
    ...(community !== null && { community }),
    value: priority,
    reasons,
  }));
  return { entries, lacking: await lacking(db, papers) };
}

async function candidates({ db, looked: { nodes, kind }, columns }: Asked): Promise<Candidate[]> {
  const isPaper = nodes !== undefined && kinds[kind].node === "paper";
  const beside = isPaper
    ? `LEFT JOIN (SELECT id, degree_centrality, ${columns.has("community") ? "community" : "NULL AS community"} FROM (${nodes.sql})) t ON t.id = p.id`
    : "LEFT JOIN (SELECT NULL AS id, NULL AS degree_centrality, NULL AS community) t ON t.id = p.id";
  const rows = db.stream<Row>(
    `SELECT p.id, p.year, p.cited_by_count, coalesce(c.local, 0) AS local, coalesce(s.scent, 0) AS scent, t.community, t.degree_centrality
     FROM net_papers JOIN papers p USING (id) LEFT JOIN net_scent s ON s.id = p.id
     LEFT JOIN (SELECT cited, count(*) AS local FROM net_cites SEMI JOIN net_papers ON net_papers.id = citing GROUP BY cited) c ON c.cited = p.id
     ${beside}`,
    isPaper ? nodes.values : [],
  );
  const papers: Candidate[] = [];
  for await (const chunk of rows) {
    for (const row of chunk)
      papers.push({
        id: row.id as string,
        year: row.year as number | null,
        citedByCount: row.cited_by_count as number | null,
        localCitations: row.local as number,
        scent: row.scent as number,
        community: row.community as number | null,
        centrality: row.degree_centrality as number | null,
      });
  }
  return papers;
}

/** Which of these papers cite which others of them. */
async function citesOf(db: Database, ids: readonly string[]): Promise<Map<string, string[]>> {
  const rows = await db.rows<{ citing: string; cited: string }>(
    "SELECT citing, cited FROM net_cites WHERE citing IN (SELECT unnest($1)) AND cited IN (SELECT unnest($1))",
    [[...ids]],
  );
  const cites = new Map<string, string[]>();
  for (const { citing, cited } of rows) cites.set(citing, [...(cites.get(citing) ?? []), cited]);
  return cites;
}
