import { WritError } from "../../contract/index.ts";
import type { PlannedRequest } from "./port.ts";
import type { SourceSession } from "./session.ts";

/** What fetching would take. */
export interface Estimate {
  results: number;
  pages: number;
  cost_usd: number;
  assumed: boolean;
  seconds: number;
}

/** Asks for one result of each series, to learn how many there are and what a page costs. */
export async function estimate(
  session: SourceSession,
  requests: readonly PlannedRequest[],
  limit: number,
): Promise<Estimate> {
  const { source } = session.access;
  let results = 0;
  let pages = 0;
  let usd = 0;
  let assumed = false;
  for (const request of requests) {
    const probe = source.probe(request);
    const fetched = await session.fetch(probe).catch((error: unknown) => {
      throw error instanceof WritError ? withUsage(error, session) : error;
    });
    const count = "missing" in fetched ? 0 : (source.read(fetched.answer, probe).count ?? 0);
    const wanted = source.pages(Math.min(count, limit));
    const price = session.price(request.price);
    results += count;
    pages += wanted;
    usd += wanted * price.usd;
    assumed ||= price.assumed;
  }
  const { ms, requests: asked } = session.usage();
  const each = Math.max(asked === 0 ? 500 : ms / asked, source.pace.interval * session.access.backoffMs);
  return {
    results,
    pages,
    cost_usd: Math.round(usd * 1e9) / 1e9,
    assumed,
    seconds: Math.round((pages * each) / 100) / 10,
  };
}

function withUsage(error: WritError, session: SourceSession): WritError {
  return new WritError(error.code, {
    ...error.failure,
    data: { ...error.failure.data, usage: session.usage() },
  });
}
