import type { Skipped, Work } from "../model.ts";
import { answerOf } from "./page-store.ts";
import type { Page, PlannedRequest } from "./port.ts";
import { series, type SeriesPage } from "./series.ts";
import type { SourceSession } from "./session.ts";

/** A page that is kept, and what of it is wanted: all works, or those of some ids. */
export interface KeptPage {
  key: string;
  request: PlannedRequest;
  at: Date;
  only?: ReadonlySet<string>;
}

/** What several series brought, before any of it is taken into the library. */
export interface Collected {
  pages: KeptPage[];
  /** Source keys of the works, in the order of their coming. */
  ids: Set<string>;
  skipped: Skipped[];
  /** How many works the source knows; of several series the sum. */
  count: number | null;
  version: string | null;
}

/** Asks one series after the other until `limit` different works have come. */
export async function collect(
  session: SourceSession,
  requests: readonly PlannedRequest[],
  limit: number,
): Promise<Collected> {
  const found: Collected = { pages: [], ids: new Set(), skipped: [], count: null, version: null };
  const remaining = () => limit - found.ids.size - found.skipped.length;
  for (const request of requests) {
    if (remaining() <= 0) break;
    let isFirst = true;
    for await (const one of series(session, request, { remaining })) {
      if (isFirst) foresee(session, found, { page: one.page, limit });
      isFirst = false;
      take(found, one, limit);
    }
  }
  return session.access.source.searchLacksReferences ? withDetails(session, found) : found;
}

function foresee(
  session: SourceSession,
  found: Collected,
  { page, limit }: { page: Page; limit: number },
): void {
  if (page.count === undefined) return;
  found.count = (found.count ?? 0) + page.count;
  session.expected = session.access.source.pages(Math.min(limit, found.count));
}

function take(found: Collected, { page, key, at, version, request }: SeriesPage, limit: number): void {
  found.version ??= version ?? null;
  found.skipped.push(...page.skipped);
  const only = new Set<string>();
  for (const { sourceKey } of page.works) {
    if (found.ids.size >= limit && !found.ids.has(sourceKey)) continue;
    found.ids.add(sourceKey);
    only.add(sourceKey);
  }
  if (key !== undefined && at && only.size > 0) found.pages.push({ key, request, at, only });
}

/** Asks for the same works by id, where an answer to a search lacks their references. */
async function withDetails(session: SourceSession, found: Collected): Promise<Collected> {
  const { source } = session.access;
  const detailed: KeptPage[] = [];
  const ids = new Set<string>();
  for (const request of source.plan({ kind: "ids", ids: [...found.ids] })) {
    for await (const { page, key, at } of series(session, request)) {
      if (key === undefined || !at) continue;
      for (const { sourceKey } of page.works) ids.add(sourceKey);
      detailed.push({ key, request, at });
    }
  }
  const rest = found.pages.map((page) => ({
    ...page,
    only: new Set([...(page.only ?? [])].filter((id) => !ids.has(id))),
  }));
  return { ...found, pages: [...rest.filter(({ only }) => only.size > 0), ...detailed] };
}

const nearMs = 3_600_000;

/** Pages in groups that were fetched within an hour: one time of telling for each. */
export function byTime(pages: readonly KeptPage[]): { fetchedAt: Date; pages: KeptPage[] }[] {
  const groups: { fetchedAt: Date; pages: KeptPage[] }[] = [];
  for (const page of pages) {
    const last = groups.at(-1);
    const near = last && Math.abs(page.at.getTime() - last.fetchedAt.getTime()) < nearMs;
    if (near) last.pages.push(page);
    else groups.push({ fetchedAt: page.at, pages: [page] });
  }
  return groups;
}

/** The works of kept pages, each once, read from the store one page at a time. */
export async function* worksOf(
  session: SourceSession,
  pages: readonly KeptPage[],
  seen: Set<string> = new Set(),
): AsyncGenerator<Work> {
  for (const { key, request, only } of pages) {
    const page = session.access.source.read(answerOf(await session.stored(key)), request);
    for (const work of page.works) {
      if (seen.has(work.sourceKey) || only?.has(work.sourceKey) === false) continue;
      seen.add(work.sourceKey);
      yield work;
    }
  }
}
