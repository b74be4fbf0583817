import { type Answer, type FakeServer, type Logged, startFake } from "../fake-server.ts";
import { readFilter, Refused } from "./filters.ts";
import type { FakeWork } from "./works.ts";
import { writeWork } from "./write-work.ts";

/** How the service behaves; changed at any time. */
export interface OpenAlexBehaviour {
  /** Answers 401 to a cursor without a key. */
  cursorNeedsKey: boolean;
  /** Left of the day's budget; absent for headers without it. */
  credits: number | undefined;
  remainingUsd: number | undefined;
  limitUsd: number | undefined;
  /** In USD. */
  prices: { search: number; list: number; single: number };
  version: string | undefined;
}

export interface FakeOpenAlex extends FakeServer {
  /** What it knows, in its own order; changed at any time. */
  works: FakeWork[];
  behaviour: OpenAlexBehaviour;
}

/** An empty answer whose cursor goes on. */
export const emptyPage = (answer: Answer): Answer => ({
  ...answer,
  body: { ...(answer.body as object), results: [], meta: { count: 4, next_cursor: "goes-on" } },
});

/** The answer with its first work once more at the end. */
export const repeated = (answer: Answer): Answer => {
  const body = answer.body as { results: unknown[] };
  return { ...answer, body: { ...body, results: [...body.results, body.results[0]] } };
};

/** What the service says of a cursor that it no longer takes. */
export const refusedCursor = {
  match: ({ query }: Logged) => query.cursor !== undefined && query.cursor !== "*",
  status: 400,
  body: { error: "Invalid query", message: "The cursor is invalid or has expired." },
};

/** Speaks the protocol of the OpenAlex service, over what it was given to know. */
export async function startOpenAlex(
  works: readonly FakeWork[],
  behaviour: Partial<OpenAlexBehaviour> = {},
): Promise<FakeOpenAlex> {
  const so: Pick<FakeOpenAlex, "works" | "behaviour"> = {
    works: [...works],
    behaviour: {
      cursorNeedsKey: false,
      credits: undefined,
      remainingUsd: undefined,
      limitUsd: undefined,
      prices: { search: 0.001, list: 0.0001, single: 0 },
      version: "2026-09-15",
      ...behaviour,
    },
  };
  const server = await startFake((request) => answer(so, request));
  return Object.assign(server, so);
}

type Known = Pick<FakeOpenAlex, "works" | "behaviour">;

function answer(so: Known, request: Logged): Answer {
  try {
    if (Buffer.byteLength(request.url) > 4094) throw new Refused("The URL is too long");
    if (request.path === "/works") return list(so, request);
    const name = /^\/works\/(.+)$/.exec(request.path)?.[1];
    if (name !== undefined) return one(so, name, request);
    return { status: 404, body: { error: "Not found" } };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { status: 400, body: { error: "Invalid query parameters error.", message: error.message } };
  }
}

const known = new Set(["filter", "per_page", "per-page", "cursor", "page", "select", "mailto", "search"]);

function list(so: Known, { query, credential }: Logged): Answer {
  const unknown = Object.keys(query).find((name) => !known.has(name));
  if (unknown !== undefined) throw new Refused(`${unknown} is not a valid parameter`);
  const { cursor, page, filter = "" } = query;
  const size = Number(query.per_page ?? query["per-page"] ?? 25);
  if (!Number.isInteger(size) || size < 1 || size > 100) throw new Refused("per_page must be 1 to 100");
  if (cursor !== undefined && page !== undefined) throw new Refused("cursor and page exclude each other");
  if (Number(page ?? 1) * size > 10_000) throw new Refused("Maximum results size of 10,000 reached");
  if (cursor !== undefined && so.behaviour.cursorNeedsKey && !credential)
    return {
      status: 401,
      body: { error: "Unauthorized", message: "An API key is needed for cursor paging." },
    };
  const found = so.works.filter(readFilter(filter));
  const start = cursor === undefined ? (Number(page ?? 1) - 1) * size : placeOf(cursor, filter);
  const results = found.slice(start, start + size);
  const next = cursor !== undefined && results.length > 0 ? tokenOf(start + results.length, filter) : null;
  const price = /\.search/.test(filter) || query.search !== undefined ? "search" : "list";
  const body = {
    meta: {
      count: found.length,
      page: cursor === undefined ? Number(page ?? 1) : null,
      per_page: size,
      ...(cursor !== undefined && { next_cursor: next }),
      cost_usd: so.behaviour.prices[price],
    },
    results: results.map((work) => writeWork(work, query.select?.split(","))),
  };
  return { status: 200, headers: headersOf(so, price), body };
}

function one(so: Known, name: string, { query }: Logged): Answer {
  const doi = /^(?:https:\/\/doi\.org\/|doi:)(.+)$/i.exec(name)?.[1]?.toLowerCase();
  const work = so.works.find(({ id, doi: given }) =>
    doi === undefined ? id === name : given?.toLowerCase().replace("https://doi.org/", "") === doi,
  );
  if (work)
    return { status: 200, headers: headersOf(so, "single"), body: writeWork(work, query.select?.split(",")) };
  const heir = so.works.find(({ formerly }) => formerly?.includes(name));
  if (!heir) return { status: 404, headers: headersOf(so, "single"), body: { error: "Not found" } };
  return { status: 301, headers: { location: `/works/${heir.id}` }, body: {} };
}

// A token says nothing to whoever holds it, and belongs to one question.
function tokenOf(place: number, filter: string): string {
  return Buffer.from(JSON.stringify([place, filter.length])).toString("base64url");
}

function placeOf(cursor: string, filter: string): number {
  if (cursor === "*") return 0;
  try {
    const [place, length] = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8")) as number[];
    if (place !== undefined && length === filter.length) return place;
  } catch {
    // Falls through to the refusal.
  }
  throw new Refused("The cursor is invalid");
}

function headersOf({ behaviour }: Known, price: keyof OpenAlexBehaviour["prices"]): Record<string, string> {
  const { version, prices, limitUsd } = behaviour;
  if (behaviour.credits !== undefined) behaviour.credits = Math.max(0, behaviour.credits - 1);
  if (behaviour.remainingUsd !== undefined) behaviour.remainingUsd -= prices[price];
  const { credits, remainingUsd } = behaviour;
  return {
    ...(version !== undefined && { "x-openalex-api-version": version }),
    ...(credits !== undefined && { "x-ratelimit-remaining": String(credits) }),
    ...(limitUsd !== undefined && { "x-ratelimit-limit-usd": String(limitUsd) }),
    ...(remainingUsd !== undefined && { "x-ratelimit-remaining-usd": String(remainingUsd) }),
    "x-ratelimit-credits-used": "1",
    "x-ratelimit-cost-usd": String(prices[price]),
    "x-ratelimit-reset": "3600",
  };
}
