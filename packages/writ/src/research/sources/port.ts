import type { SourceId, Skipped, Work } from "../model.ts";

/** What a source can be asked for. */
export interface Abilities {
  /** Whether it evaluates Boolean expressions, or ranks by words. */
  search: "boolean" | "words";
  byId: boolean;
  byDoi: boolean;
  citers: boolean;
  /** Whether citers can be limited to those published from a day on. */
  since: boolean;
  abstracts: "most" | "some";
}

/** What is wanted of a source. Ids are the source's own (`W1`; `s2:…` without its prefix). */
export type Want =
  | {
      kind: "search";
      /** The parameters of one translated query. */
      query: Readonly<Record<string, string>>;
      /** Works in all. */
      limit: number;
      /** YYYY-MM-DD: only what was published from that day on. */
      since?: string;
    }
  | { kind: "ids"; ids: readonly string[]; select?: "doi" }
  | { kind: "dois"; dois: readonly string[] }
  | { kind: "citers"; ids: readonly string[]; since?: string };

/** One request, before it has an address, a credential or a reader's address. */
export interface PlannedRequest {
  method: "GET" | "POST";
  /** From the source's base address, with a leading slash. */
  path: string;
  query: Readonly<Record<string, string>>;
  /** JSON, for POST. */
  body?: string;
  /** What its price depends on. */
  price: "search" | "list" | "single";
  /** How often the same was asked before in its series: a source may go on under one token, and keep the place itself. */
  repeat?: number;
  want: Want;
}

/** What one answer says. */
export interface Page {
  works: Work[];
  skipped: Skipped[];
  /** For `select: "doi"`: ids and their DOIs, and no works. */
  dois?: { id: string; doi: string | null }[];
  /** The request that goes on, when there is more. It asks for no more than `remaining` works. */
  next?: (remaining: number) => PlannedRequest;
  /** How many works the source knows that fit. */
  count?: number;
  /** How many entries the answer held, readable or not. */
  entries: number;
  remarks: Remark[];
}

/** Something worth a warning in an answer that is used all the same. */
export interface Remark {
  code: "W_DOI_INVALID" | "W_CUT" | "W_PAGE_LIMIT";
  where: string;
}

/** What one answer cost, as far as the source says. */
export interface Cost {
  costUsd?: number;
  credits?: number;
  remainingUsd?: number;
  remainingCredits?: number;
  resetsInSeconds?: number;
  /** From 0 to 1: what is left of the budget. */
  leftShare?: number;
}

/** The headers of an answer that anything here looks at, in lower case. */
export type Headers = Readonly<Record<string, string>>;

/** An answer, fetched or kept. */
export interface Answer {
  headers: Headers;
  body: unknown;
  /** When it was fetched. */
  at: Date;
}

/** A service that tells of works. All of it is pure; requests are made elsewhere. */
export interface Source {
  id: SourceId;
  /** In the reader's words. */
  name: string;
  can: Abilities;
  base: {
    /** Without a slash at the end. */
    url: string;
    /** The variable that replaces it. */
    env: `WRIT_${string}`;
  };
  credential: {
    /** The variable, and the name in the keychain. */
    name: string;
    header(secret: string): readonly [name: string, value: string];
    /** Where it comes from, and what it changes; for remediations. */
    about: string;
  };
  /** How the reader's address is told, where it is. */
  contact?: { query?: string; agent?: true };
  pace: {
    /** Series at once. */
    series: number;
    /** Least time between two requests, in units of the first pause after a failure. */
    interval: number;
    /** The same, as the source's own headers ask; milliseconds. */
    asked?(headers: Headers): number | undefined;
  };
  /** True when answers to a search lack references, which asking for the same works by id brings. */
  searchLacksReferences?: true;
  /** The headers that are kept with a page. */
  headers: readonly string[];
  /** Prices in USD before any was seen. */
  prices: Readonly<Record<PlannedRequest["price"], number>>;
  /** The first requests of the series that answer `want`, in a settled order. */
  plan(want: Want): PlannedRequest[];
  /** What an answer to `request` says. Throws a TypeError on what is no such answer. */
  read(answer: Answer, request: PlannedRequest): Page;
  cost(answer: Pick<Answer, "headers" | "body">): Cost;
  version(answer: Pick<Answer, "headers" | "at">): string;
  /** The request of one result that tells count and price. */
  probe(request: PlannedRequest): PlannedRequest;
  /** How many requests fetch `works` works, the first included. */
  pages(works: number): number;
  /** Another way to ask the same, when a request was refused with this status and no credential was used. */
  keyless?(request: PlannedRequest, status: number): PlannedRequest | undefined;
  /** Whether a refusal means that the token to go on with is no longer taken. */
  isStaleToken?(request: PlannedRequest, refusal: { status: number; message: string }): boolean;
}

/** Whether an entry was no work. */
export function isSkipped(entry: Work | Skipped): entry is Skipped {
  return "reason" in entry;
}
