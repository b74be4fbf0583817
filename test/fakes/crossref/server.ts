import { type Answer, type FakeServer, type Logged, startFake } from "../fake-server.ts";
import type { FakeWork } from "../openalex/works.ts";
import { dateOf } from "../openalex/write-work.ts";

export interface FakeCrossref extends FakeServer {
  /** What it knows; works without a DOI are not registered there. */
  works: FakeWork[];
  /** Gives one token for all pages of a search, and keeps the place itself. */
  scrolls: boolean;
  place: number;
}

/** What the service says of a cursor that it no longer takes. */
export const refusedCursor = {
  match: ({ query }: Logged) => query.cursor !== undefined && query.cursor !== "*",
  status: 400,
  body: { status: "failed", message: [{ message: "The cursor has expired." }] },
};

/** Speaks the protocol of the Crossref service, as far as Writ uses it. */
export async function startCrossref(works: readonly FakeWork[]): Promise<FakeCrossref> {
  const so = { works: works.filter(({ doi }) => typeof doi === "string"), scrolls: false, place: 0 };
  const server: FakeCrossref = Object.assign(await startFake((request) => answer(server, request)), so);
  return server;
}

const headers = { "x-rate-limit-limit": "50", "x-rate-limit-interval": "1s" };
const bare = (doi: string | null | undefined) => (doi ?? "").toLowerCase().replace("https://doi.org/", "");

function answer(so: FakeCrossref, request: Logged): Answer {
  const { works } = so;
  const name = /^\/works\/(.+)$/.exec(request.path)?.[1];
  if (name !== undefined) {
    const work = works.find(({ doi }) => bare(doi) === name.toLowerCase());
    if (!work) return { status: 404, headers, body: "Resource not found." };
    return { status: 200, headers, body: { status: "ok", message: write(work, works) } };
  }
  if (request.path !== "/works") return { status: 404, headers, body: "Resource not found." };
  return list(so, request);
}

function list(so: FakeCrossref, { query }: Logged): Answer {
  const { works } = so;
  const rows = Number(query.rows ?? 20);
  if (!Number.isInteger(rows) || rows < 0 || rows > 1000) return refused("rows must be 0 to 1000");
  const filters = (query.filter ?? "").split(",").filter(Boolean);
  const unknown = filters.find((one) => !/^(doi|from-pub-date|until-pub-date|type):/.test(one));
  if (unknown !== undefined) return refused(`Filter ${unknown} is not known`);
  const words = (query["query.bibliographic"] ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const found = works.filter((work) => {
    const title = (work.title ?? "").toLowerCase();
    return (words.length === 0 || words.some((word) => title.includes(word))) && passes(work, filters);
  });
  const { cursor } = query;
  const isFirst = cursor === undefined || cursor === "*";
  const told = so.scrolls ? so.place : Number(Buffer.from(cursor ?? "", "base64").toString());
  const start = isFirst ? 0 : told;
  if (Number.isNaN(start)) return refused("The cursor is not valid.");
  const items = found.slice(start, start + rows).map((work) => write(work, works));
  so.place = start + items.length;
  const next = so.scrolls ? "c2Nyb2xs" : Buffer.from(String(so.place)).toString("base64");
  const message = {
    "total-results": found.length,
    items,
    ...(cursor !== undefined && { "next-cursor": next }),
  };
  return { status: 200, headers, body: { status: "ok", "message-type": "work-list", message } };
}

function passes(work: FakeWork, filters: readonly string[]): boolean {
  const dois = filters.filter((one) => one.startsWith("doi:")).map((one) => bare(one.slice(4)));
  const date = dateOf(work) ?? "";
  return (
    (dois.length === 0 || dois.includes(bare(work.doi))) &&
    filters.every((one) => !one.startsWith("from-pub-date:") || date >= one.slice(14)) &&
    filters.every((one) => !one.startsWith("until-pub-date:") || date <= one.slice(15))
  );
}

function refused(message: string): Answer {
  return { status: 400, headers, body: { status: "failed", message: [{ type: "error", message }] } };
}

function write(work: FakeWork, known: readonly FakeWork[]): Record<string, unknown> {
  return {
    DOI: bare(work.doi),
    title: work.title === null ? [] : [work.title],
    ...(work.venue && { "container-title": [work.venue] }),
    issued: { "date-parts": [(dateOf(work) ?? "").split("-").filter(Boolean).map(Number)] },
    type: work.type === "review" ? "journal-article" : "journal-article",
    language: work.language,
    "is-referenced-by-count": work.cited ?? 0,
    author: (work.authors ?? []).map(({ name, orcid }) => {
      const [given = "", family = ""] = name.split(" ");
      return { given, family, ...(orcid && { ORCID: `https://orcid.org/${orcid}` }) };
    }),
    reference: (work.references ?? []).map((id) => {
      const cited = known.find((one) => one.id === id);
      return cited ? { key: id, DOI: bare(cited.doi) } : { key: id, unstructured: `Reference ${id}` };
    }),
    URL: `https://doi.org/${bare(work.doi)}`,
  };
}
