import { batches } from "../batches.ts";
import { type Fields, fields, integer, list, number, text } from "../json.ts";
import {
  type Answer,
  isSkipped,
  type Page,
  type PlannedRequest,
  type Remark,
  type Source,
  type Want,
} from "../port.ts";
import { crossrefWork } from "./read-work.ts";

const works = "/works";
const most = 1000;
const listed = 50;
const listBytes = 3000;

/** Crossref: what publishers register. It ranks by words, and knows references by DOI; who cites whom it does not tell. */
export const crossref: Source = {
  id: "crossref",
  name: "Crossref",
  can: { search: "words", byId: false, byDoi: true, citers: false, since: false, abstracts: "some" },
  base: { url: "https://api.crossref.org", env: "WRIT_CROSSREF_URL" },
  credential: {
    name: "CROSSREF_PLUS_TOKEN",
    header: (secret) => ["crossref-plus-api-token", `Bearer ${secret}`],
    about: "a token of Crossref Metadata Plus gives a pool of its own",
  },
  contact: { agent: true },
  pace: { series: 1, interval: 0, asked: intervalOf },
  headers: ["x-rate-limit-limit", "x-rate-limit-interval"],
  prices: { search: 0, list: 0, single: 0 },
  plan,
  read,
  cost: () => ({ costUsd: 0 }),
  version: ({ at }) => at.toISOString(),
  probe: (request) => ({ ...request, query: { ...request.query, rows: "1" } }),
  pages: (count) => Math.ceil(count / most),
  isStaleToken: ({ query }, { status, message }) =>
    query.cursor !== undefined &&
    query.cursor !== "*" &&
    [400, 404].includes(status) &&
    /cursor/i.test(message),
};

/** So many requests in so many seconds, as the service's headers ask: the distance between two. */
function intervalOf(headers: Readonly<Record<string, string>>): number | undefined {
  const limit = number(headers["x-rate-limit-limit"]);
  const seconds = number(headers["x-rate-limit-interval"]?.replace(/s$/, ""));
  return limit === undefined || seconds === undefined || limit <= 0 ? undefined : (seconds * 1000) / limit;
}

function plan(want: Want): PlannedRequest[] {
  switch (want.kind) {
    case "search": {
      const query = { ...want.query, rows: String(Math.min(most, want.limit)), cursor: "*" };
      return [{ method: "GET", path: works, query, price: "search", want }];
    }
    case "dois":
      return planDois(want);
    case "ids":
    case "citers":
      return [];
  }
}

/** A DOI that holds a comma cannot stand in a list, so it is asked for alone. */
function planDois(want: Extract<Want, { kind: "dois" }>): PlannedRequest[] {
  const together = want.dois.filter((doi) => !doi.includes(","));
  const alone = want.dois.filter((doi) => doi.includes(","));
  return [
    ...batches(together, { most: listed, bytes: listBytes, separator: ",doi:" }).map(
      (dois): PlannedRequest => ({
        method: "GET",
        path: works,
        query: { filter: dois.map((doi) => `doi:${doi}`).join(","), rows: String(listed) },
        price: "list",
        want: { ...want, dois },
      }),
    ),
    ...batches(alone, { most: 1 }).map(
      (dois): PlannedRequest => ({
        method: "GET",
        path: `${works}/${encodeURIComponent(dois[0] ?? "")}`,
        query: {},
        price: "single",
        want: { ...want, dois },
      }),
    ),
  ];
}

function read({ body }: Answer, request: PlannedRequest): Page {
  const message = fields(fields(body).message);
  const items = Array.isArray(message.items) ? list(message.items) : single(message);
  const page: Page = { works: [], skipped: [], entries: items.length, remarks: [] };
  const tell = (code: Remark["code"], where: string) => void page.remarks.push({ code, where });
  for (const item of items) {
    const work = crossrefWork(item, tell);
    if (isSkipped(work)) page.skipped.push(work);
    else page.works.push(work);
  }
  const count = integer(message["total-results"]);
  const cursor = text(message["next-cursor"]);
  const { query } = request;
  // The service gives a token with every page, the last one too; a page that is not full is the last.
  const goesOn = query.cursor !== undefined && cursor !== null && items.length >= Number(query.rows);
  return {
    ...page,
    ...(count !== null && { count }),
    ...(goesOn && {
      next: (remaining) => ({
        ...request,
        query: { ...query, cursor, rows: String(Math.min(Number(query.rows), remaining)) },
      }),
    }),
  };
}

function single(message: Fields): unknown[] {
  if (text(message.DOI) === null) throw new TypeError("neither a list of works nor a work");
  return [message];
}
