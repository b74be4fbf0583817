import { batches } from "../batches.ts";
import { fields, integer, list, number, text } from "../json.ts";
import {
  type Answer,
  isSkipped,
  type Page,
  type PlannedRequest,
  type Remark,
  type Source,
  type Want,
} from "../port.ts";
import { semanticScholarWork } from "./read-work.ts";

const root = "/graph/v1/paper";
const page = 1000;
const listed = 500;

const told = [
  "paperId",
  "externalIds",
  "url",
  "title",
  "abstract",
  "venue",
  "journal",
  "year",
  "publicationDate",
  "publicationTypes",
  "fieldsOfStudy",
  "citationCount",
  "authors",
];
const bare = told.join(",");
const detailed = [...told, "references.paperId", "references.externalIds", "references.title"].join(",");

/** Semantic Scholar: Boolean search, citations, and references by asking for each work once more. */
export const semanticScholar: Source = {
  id: "semanticscholar",
  name: "Semantic Scholar",
  can: { search: "boolean", byId: true, byDoi: true, citers: true, since: true, abstracts: "some" },
  base: { url: "https://api.semanticscholar.org", env: "WRIT_SEMANTICSCHOLAR_URL" },
  credential: {
    name: "SEMANTIC_SCHOLAR_API_KEY",
    header: (secret) => ["x-api-key", secret],
    about: "a key from https://www.semanticscholar.org/product/api is not refused when many others ask",
  },
  // One request a second.
  pace: { series: 1, interval: 1 },
  searchLacksReferences: true,
  headers: [],
  prices: { search: 0, list: 0, single: 0 },
  plan,
  read,
  cost: () => ({ costUsd: 0 }),
  version: ({ at }) => at.toISOString(),
  probe: (request) => request,
  pages: (count) => Math.ceil(count / page) + Math.ceil(count / listed),
  isStaleToken: ({ query }, { status, message }) =>
    query.token !== undefined && [400, 404].includes(status) && /token/i.test(message),
};

function plan(want: Want): PlannedRequest[] {
  switch (want.kind) {
    case "search": {
      const { year: years, ...asked } = want.query;
      const query: Record<string, string> = { ...asked, fields: bare };
      // A first day is within the years of the equation or after them; both at once are not taken.
      if (want.since !== undefined) query.publicationDateOrYear = `${want.since}:`;
      else if (years !== undefined) query.year = years;
      return [{ method: "GET", path: `${root}/search/bulk`, query, price: "search", want }];
    }
    case "ids":
      return batches(want.ids, { most: listed }).map((ids) => batch(ids, { ...want, ids }));
    case "dois":
      return batches(want.dois, { most: listed }).map((dois) =>
        batch(
          dois.map((doi) => `DOI:${doi}`),
          { ...want, dois },
        ),
      );
    case "citers":
      return batches(want.ids, { most: 1 }).map((ids) => ({
        method: "GET",
        path: `${root}/${encodeURIComponent(ids[0] ?? "")}/citations`,
        query: {
          fields: bare,
          limit: String(page),
          ...(want.since !== undefined && { publicationDateOrYear: `${want.since}:` }),
        },
        price: "list",
        want: { ...want, ids },
      }));
  }
}

function batch(ids: readonly string[], want: Want): PlannedRequest {
  return {
    method: "POST",
    path: `${root}/batch`,
    query: { fields: detailed },
    body: JSON.stringify({ ids }),
    price: "list",
    want,
  };
}

function read({ body }: Answer, request: PlannedRequest): Page {
  const answer = fields(body);
  const entries = Array.isArray(body)
    ? list(body)
    : Array.isArray(answer.data)
      ? list(answer.data)
      : undefined;
  if (!entries) throw new TypeError("no list of papers");
  const cited = request.want.kind === "citers";
  const told: Page = { works: [], skipped: [], entries: entries.length, remarks: [] };
  const tell = (code: Remark["code"], where: string) => void told.remarks.push({ code, where });
  for (const entry of entries) {
    // A batch answers null for what it does not know.
    const paper = cited ? fields(entry).citingPaper : entry;
    if (paper === null || text(fields(paper).paperId) === null) continue;
    const work = semanticScholarWork(paper, tell);
    if (isSkipped(work)) told.skipped.push(work);
    else told.works.push(work);
  }
  const count = integer(answer.total);
  const next = cited ? nextCiters(request, number(answer.next)) : nextSearch(request, text(answer.token));
  return { ...told, ...(count !== null && { count }), ...(next && entries.length > 0 && { next }) };
}

function nextSearch(request: PlannedRequest, token: string | null): Page["next"] {
  if (request.want.kind !== "search" || token === null) return undefined;
  return () => ({ ...request, query: { ...request.query, token } });
}

function nextCiters(request: PlannedRequest, offset: number | undefined): Page["next"] {
  if (offset === undefined) return undefined;
  return () => ({ ...request, query: { ...request.query, offset: String(offset) } });
}
