import type { Change } from "../library/change.ts";
import { addCiters } from "../library/tell.ts";
import type { Work } from "../model.ts";
import { batches } from "../sources/batches.ts";
import { type KeptPage, worksOf } from "../sources/collect.ts";
import type { Page, PlannedRequest } from "../sources/port.ts";
import { series, together } from "../sources/series.ts";
import type { SourceSession } from "../sources/session.ts";
import { prepareSeeds } from "./cites.ts";
import type { Start } from "./survey.ts";

/** Citing works that were kept, before any of them is taken into the library. */
export interface Citers {
  /** Source keys, in the order of their coming. */
  kept: Set<string>;
  pages: KeptPage[];
}

interface CitersOptions {
  /** Kept for each start. */
  maxCiting: number;
  since?: string | undefined;
}

/** Works asked for together; the source takes no more. */
const together50 = 50;
const pageSize = 100;

/** What is asked at once, and how many pages of it. */
export interface Group {
  ids: string[];
  pages: number;
}

/**
 * How citers are asked for: those of works that are not cited much, or of which that is unknown, together; a famous
 * work alone, so that nobody pages through all its citers for the sake of an obscure one.
 */
export function groupsOf(starts: readonly Start[], maxCiting: number): Group[] {
  const known = new Map(starts.map(({ id, cited }) => [id, cited]));
  const obscure = starts.filter(({ cited }) => cited === null || cited <= maxCiting).map(({ id }) => id);
  const famous = starts.filter(({ cited }) => cited !== null && cited > maxCiting).map(({ id }) => id);
  const budget = (id: string) => Math.min(known.get(id) ?? maxCiting, maxCiting);
  return [
    ...batches(obscure, { most: together50 }).map((ids) => ({
      ids,
      pages: Math.max(1, Math.ceil(ids.reduce((sum, id) => sum + budget(id), 0) / pageSize)),
    })),
    ...famous.sort().map((id) => alone(id, maxCiting)),
  ];
}

function alone(id: string, maxCiting: number): Group {
  return { ids: [id], pages: Math.ceil(maxCiting / pageSize) };
}

interface Told {
  group: Group;
  pages: (KeptPage & { works: { id: string; cites: string[] }[] })[];
  /** Whether the source has more than was asked for. */
  more: boolean;
}

/** Asks who cites the starts, and keeps for each at most so many; what is kept depends on the answers alone. */
export async function fetchCiters(
  session: SourceSession,
  starts: readonly Start[],
  options: CitersOptions,
): Promise<Citers> {
  const ids = new Set(starts.map(({ id }) => id));
  const budget = new Budget(starts, options.maxCiting);
  const groups = groupsOf(starts, options.maxCiting);
  session.expected += groups.length;
  const first = await ask(session, groups, { ids, ...options });
  for (const told of first) budget.keep(told);
  const short = first
    .filter(({ more, group }) => more && group.ids.length > 1)
    .flatMap(({ group }) => group.ids.filter((id) => budget.isShort(id)));
  const rest = await ask(
    session,
    short.sort().map((id) => alone(id, options.maxCiting)),
    { ids, ...options },
  );
  for (const told of rest) budget.keep(told);
  const found = { kept: budget.kept, pages: budget.pages };
  return session.access.source.searchLacksReferences ? withReferences(session, found) : found;
}

async function ask(
  session: SourceSession,
  groups: readonly Group[],
  { ids, since }: { ids: ReadonlySet<string>; since?: string | undefined },
): Promise<Told[]> {
  const { source } = session.access;
  const planned = groups.flatMap((group) =>
    source
      .plan({ kind: "citers", ids: group.ids, ...(since !== undefined && { since }) })
      .map((request) => ({ group, request })),
  );
  const requests = planned.map(({ request }) => request);
  return together(session, requests, async (request, at) => {
    const group = planned[at]?.group ?? { ids: [], pages: 1 };
    const told: Told = { group, pages: [], more: false };
    const seen = new Set<string>();
    for await (const { page, key, at: when } of series(session, request, { pages: group.pages })) {
      for (const work of page.works) seen.add(work.sourceKey);
      told.more = page.next !== undefined && !(page.count !== undefined && seen.size >= page.count);
      if (key !== undefined && when)
        told.pages.push({ key, request, at: when, works: citesOf(page, request, ids) });
    }
    return told;
  });
}

/** Which of the starts each work of a page cites. */
function citesOf(page: Page, request: PlannedRequest, ids: ReadonlySet<string>) {
  const asked = request.want.kind === "citers" && request.want.ids.length === 1 ? request.want.ids : [];
  return page.works.map((work) => {
    const references = [
      ...work.references,
      ...work.otherReferences.flatMap(({ id }) => id?.replace(/^s2:/, "") ?? []),
    ];
    const cites = new Set([...asked, ...references.filter((one) => ids.has(one))]);
    return { id: work.sourceKey, cites: [...cites] };
  });
}

/** Counts kept citers for each start. */
class Budget {
  readonly kept = new Set<string>();
  readonly pages: KeptPage[] = [];
  readonly #limit: ReadonlyMap<string, number>;
  readonly #most: number;
  readonly #count = new Map<string, number>();

  constructor(starts: readonly Start[], most: number) {
    this.#most = most;
    this.#limit = new Map(starts.map(({ id, cited }) => [id, Math.min(cited ?? most, most)]));
  }

  /** Whether a start has fewer kept citers than it may, and than the source knows. */
  isShort(id: string): boolean {
    return (this.#count.get(id) ?? 0) < (this.#limit.get(id) ?? 0);
  }

  /** Keeps a work if any start it cites has room, and then counts it for all of them. */
  keep({ pages }: Told): void {
    for (const { works, ...page } of pages) {
      const only = new Set<string>();
      for (const { id, cites } of works) {
        if (this.kept.has(id)) continue;
        if (!cites.some((one) => (this.#count.get(one) ?? 0) < this.#most)) continue;
        for (const one of cites) this.#count.set(one, (this.#count.get(one) ?? 0) + 1);
        this.kept.add(id);
        only.add(id);
      }
      if (only.size > 0) this.pages.push({ ...page, only });
    }
  }
}

/** Asks for the kept works by id, where an answer about citers lacks their references. */
async function withReferences(session: SourceSession, found: Citers): Promise<Citers> {
  const requests = session.access.source.plan({ kind: "ids", ids: [...found.kept] });
  const detailed = await together(session, requests, async (request) => {
    const pages: KeptPage[] = [];
    for await (const { key, at, page } of series(session, request))
      if (key !== undefined && at)
        pages.push({ key, request, at, only: new Set(page.works.map((work) => work.sourceKey)) });
    return pages;
  });
  const known = new Set(detailed.flat().flatMap(({ only }) => [...(only ?? [])]));
  const rest = found.pages.map((page) => ({
    ...page,
    only: new Set([...(page.only ?? [])].filter((id) => !known.has(id))),
  }));
  return { kept: found.kept, pages: [...rest.filter(({ only }) => only.size > 0), ...detailed.flat()] };
}

/** Notes in the library which of the seeds the kept works cite, and takes in no paper. */
export async function noteCiters(change: Change, session: SourceSession, citers: Citers): Promise<void> {
  await prepareSeeds(change.db, "openalex");
  const rows = await change.db.rows<{ id: string }>("SELECT id FROM chain_seed_ids");
  const ids = new Set(rows.map(({ id }) => id));
  const pairs: { cited: string; citer: string }[] = [];
  for await (const work of worksOf(session, citers.pages)) pairs.push(...pairsOf(work, ids));
  await addCiters(change, pairs);
}

/** What a citing work cites among the given ids; OpenAlex only knows such pairs. */
function pairsOf(work: Work, ids: ReadonlySet<string>): { cited: string; citer: string }[] {
  if (work.source !== "openalex") return [];
  return work.references.filter((one) => ids.has(one)).map((cited) => ({ cited, citer: work.sourceKey }));
}
