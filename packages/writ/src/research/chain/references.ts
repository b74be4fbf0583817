import type { Database } from "../library/database.ts";
import { type KeptPage, worksOf } from "../sources/collect.ts";
import type { PlannedRequest, Source } from "../sources/port.ts";
import { series, together } from "../sources/series.ts";
import type { SourceSession } from "../sources/session.ts";
import { isReference } from "./observe.ts";

/** Works that were asked for by name, before any of them is taken into the library. */
export interface Named {
  pages: KeptPage[];
  asked: string[];
  found: Set<string>;
}

/** The best works that papers cite and that are no papers; reads `chain_refs`. */
export async function bestReferences(db: Database, most: number): Promise<string[]> {
  if (most === 0) return [];
  const rows = await db.rows<{ id: string }>(
    `SELECT work AS id FROM chain_refs WHERE ${isReference} GROUP BY work ORDER BY count(*) DESC, work LIMIT ?`,
    [most],
  );
  return rows.map(({ id }) => id);
}

/** The requests that fetch works by their names: by id where the source knows it, else by DOI. */
export function planNamed(source: Source, names: readonly string[]): PlannedRequest[] {
  const dois = names.filter((one) => one.startsWith("doi:")).map((one) => one.slice(4));
  const ids = names.filter((one) => !one.startsWith("doi:")).map((one) => one.replace(/^s2:/, ""));
  return [
    ...(source.can.byId && ids.length > 0 ? source.plan({ kind: "ids", ids }) : []),
    ...(source.can.byDoi && dois.length > 0 ? source.plan({ kind: "dois", dois }) : []),
  ];
}

/** Fetches works by their names. What the source does not know is not among what was found. */
export async function fetchNamed(session: SourceSession, names: readonly string[]): Promise<Named> {
  const requests = planNamed(session.access.source, names);
  session.expected += requests.length;
  const pages = await together(session, requests, async (request) => {
    const kept: KeptPage[] = [];
    for await (const { key, at } of series(session, request))
      if (key !== undefined && at) kept.push({ key, request, at });
    return kept;
  });
  const wanted = new Set(names);
  const found = new Set<string>();
  for await (const work of worksOf(session, pages.flat())) {
    for (const name of [work.sourceKey, work.sourceId, work.doi === null ? null : `doi:${work.doi}`])
      if (name !== null && wanted.has(name)) found.add(name);
  }
  return { pages: pages.flat(), asked: [...names], found };
}
