import { WritError } from "../../contract/index.ts";
import { pageKey } from "./page-store.ts";
import type { Page, PlannedRequest } from "./port.ts";
import { type Fetched, offlineMiss, type SourceSession } from "./session.ts";

/** A page of a series, and where it lies. */
export interface SeriesPage {
  page: Page;
  request: PlannedRequest;
  /** Absent for a work that the source does not know. */
  key?: string;
  at?: Date;
  version?: string;
}

interface SeriesOptions {
  /** How many works are still wanted; asked before each request but the first. */
  remaining?: () => number;
  /** Pages at most. */
  pages?: number;
}

const nothing: Page = { works: [], skipped: [], entries: 0, remarks: [] };

/**
 * Asks for one page after the other, until the source has no more or no more is wanted.
 *
 * Without a credential the source may want another way of paging; and it may no longer take a token, then the
 * series starts once more, and whoever reads it knows the works it has seen. One token may stand for all pages.
 */
export async function* series(
  session: SourceSession,
  first: PlannedRequest,
  { remaining = () => Number.POSITIVE_INFINITY, pages = Number.POSITIVE_INFINITY }: SeriesOptions = {},
): AsyncGenerator<SeriesPage> {
  const { source } = session.access;
  let start = await beginning(session, first);
  let request = start;
  let restarted = false;
  const seen = new Set<string>();
  const asked = new Map<string, number>();
  for (let count = 0; count < pages; count++) {
    const step = await take(session, request, { again: restarted }).catch((error: unknown) => {
      const refusal = refusalIn(error);
      const other = refusal && !session.access.keyUsed && source.keyless?.(first, refusal.status);
      if (other && start === first) {
        session.tellKeyless();
        start = other;
        return other;
      }
      if (refusal && !restarted && source.isStaleToken?.(request, refusal)) {
        restarted = true;
        seen.clear();
        asked.clear();
        return start;
      }
      throw error;
    });
    if ("path" in step) {
      request = step;
      count -= 1;
      continue;
    }
    yield step;
    const { works, skipped, count: known, next } = step.page;
    const before = seen.size;
    for (const { sourceKey } of works) seen.add(sourceKey);
    for (const { where } of skipped) seen.add(where);
    const left = remaining();
    // A token is given also with the last works; one more request would only fetch an empty page.
    if (!next || left <= 0 || (known !== undefined && seen.size >= known)) return;
    const { repeat: _, ...following } = next(left);
    const key = pageKey(source.id, following);
    const times = asked.get(key) ?? 0;
    // The same token again, after a page of nothing new, would go round for ever.
    if (times > 0 && seen.size === before) return;
    asked.set(key, times + 1);
    request = times > 0 ? { ...following, repeat: times } : following;
  }
}

async function take(
  session: SourceSession,
  request: PlannedRequest,
  options: { again: boolean },
): Promise<SeriesPage> {
  const { source } = session.access;
  const fetched: Fetched = await session.fetch(request, options);
  if ("missing" in fetched) return { page: nothing, request };
  const { key, answer } = fetched;
  const page = source.read(answer, request);
  session.tellPage(page);
  return { page, request, key, at: answer.at, version: source.version(answer) };
}

/** Where the series begins: the way that was taken when no credential was there, if its page is kept. */
async function beginning(session: SourceSession, first: PlannedRequest): Promise<PlannedRequest> {
  const { source, keyUsed } = session.access;
  const other = keyUsed ? undefined : source.keyless?.(first, 401);
  if (!other || (await session.kept(first))) return first;
  return (await session.kept(other)) ? other : first;
}

function refusalIn(error: unknown): { status: number; message: string } | undefined {
  if (!(error instanceof WritError) || error.code !== "NETWORK_ERROR") return undefined;
  const status = error.failure.details?.status;
  return typeof status === "number" ? { status, message: error.failure.message } : undefined;
}

/**
 * Works through several series, some of them at once, and gives the results in the order of the plan. The
 * first failure stops what has not begun; what is under way ends first, so that its pages are kept.
 */
export async function together<T>(
  session: SourceSession,
  requests: readonly PlannedRequest[],
  work: (request: PlannedRequest, at: number) => Promise<T>,
): Promise<T[]> {
  if (session.offline) await requireAll(session, requests);
  const results: T[] = [];
  const failures: unknown[] = [];
  const queue = requests.entries();
  const worker = async () => {
    for (const [at, request] of queue) {
      if (failures.length > 0) return;
      try {
        results[at] = await work(request, at);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  const many = Math.min(session.access.source.pace.series, requests.length);
  await Promise.all(Array.from({ length: many }, worker));
  if (failures.length > 0) throw failures[0];
  return results;
}

/** Offline, what is missing is said at once and in all. */
async function requireAll(session: SourceSession, requests: readonly PlannedRequest[]): Promise<void> {
  let missing = 0;
  for (const request of requests) {
    const begin = await beginning(session, request);
    if (!(await session.kept(begin))) missing += 1;
  }
  if (missing > 0) throw offlineMiss(session.resume, missing);
}
