import { type Answer, type FakeServer, type Logged, startFake } from "../fake-server.ts";
import { matches, parseSearch } from "../openalex/search.ts";
import type { FakeWork } from "../openalex/works.ts";
import { dateOf } from "../openalex/write-work.ts";

export interface FakeSemanticScholar extends FakeServer {
  works: FakeWork[];
  /** Papers a page of a search; the service's own is 1000. */
  pageSize: number;
}

/** What the service says of a token that it no longer takes. */
export const refusedToken = {
  match: ({ query }: Logged) => query.token !== undefined,
  status: 400,
  body: { error: "The continuation token is invalid." },
};

/** Speaks the protocol of the Semantic Scholar service, as far as Writ uses it. */
export async function startSemanticScholar(works: readonly FakeWork[]): Promise<FakeSemanticScholar> {
  const so = { works: [...works], pageSize: 1000 };
  const server = await startFake((request) => answer(fake, request));
  const fake: FakeSemanticScholar = Object.assign(server, so);
  return fake;
}

const root = "/graph/v1/paper";

/** The service's id of a work. */
export const paperIdOf = (id: string): string => id.toLowerCase().replace("w", "p");

function answer(so: FakeSemanticScholar, request: Logged): Answer {
  if (request.path === `${root}/search/bulk`) return search(so, request);
  if (request.path === `${root}/batch` && request.method === "POST") return batch(so, request);
  const cited = new RegExp(`^${root}/([^/]+)/citations$`).exec(request.path)?.[1];
  if (cited !== undefined) return citations(so, cited, request);
  return { status: 404, body: { error: "Not found" } };
}

function search(so: FakeSemanticScholar, { query }: Logged): Answer {
  const { query: given = "", token, fields = "paperId", year, publicationDateOrYear } = query;
  if (given === "") return { status: 400, body: { error: "Missing query" } };
  const boolean = given
    .replaceAll("+", " AND ")
    .replaceAll("|", " OR ")
    .replaceAll(/(^|[\s(])-/g, "$1NOT ");
  const parsed = parseSearch(boolean);
  const from = /^(\d{4}(?:-\d{2}-\d{2})?)?[:-]/.exec(publicationDateOrYear ?? year ?? "")?.[1] ?? "";
  const found = so.works.filter(
    (work) =>
      (dateOf(work) ?? "") >= from &&
      matches(parsed, { title: work.title, abstract: null }, { field: "title_and_abstract", stemmed: true }),
  );
  const start = token === undefined ? 0 : Number(Buffer.from(token, "base64").toString());
  const data = found.slice(start, start + so.pageSize).map((work) => write(work, so.works, fields));
  const end = start + data.length;
  const more = end < found.length ? { token: Buffer.from(String(end)).toString("base64") } : {};
  return { status: 200, body: { total: found.length, data, ...more } };
}

function batch(so: FakeSemanticScholar, { query, body }: Logged): Answer {
  const { ids } = JSON.parse(body) as { ids: string[] };
  if (ids.length > 500) return { status: 400, body: { error: "At most 500 ids" } };
  const told = ids.map((id) => {
    const work = so.works.find((one) =>
      id.startsWith("DOI:") ? bare(one.doi) === id.slice(4).toLowerCase() : paperIdOf(one.id) === id,
    );
    return work ? write(work, so.works, query.fields ?? "") : null;
  });
  return { status: 200, body: told };
}

function citations(so: FakeSemanticScholar, cited: string, { query }: Logged): Answer {
  const offset = Number(query.offset ?? 0);
  const limit = Number(query.limit ?? 100);
  if (limit > 1000) return { status: 400, body: { error: "limit must be at most 1000" } };
  const from = query.publicationDateOrYear?.replace(/:$/, "") ?? "";
  const found = so.works.filter(
    (work) => (work.references ?? []).some((one) => paperIdOf(one) === cited) && (dateOf(work) ?? "") >= from,
  );
  const data = found
    .slice(offset, offset + limit)
    .map((work) => ({ citingPaper: write(work, so.works, query.fields ?? "") }));
  const next = offset + data.length < found.length ? { next: offset + data.length } : {};
  return { status: 200, body: { offset, data, ...next } };
}

const bare = (doi: string | null | undefined) => (doi ?? "").toLowerCase().replace("https://doi.org/", "");

function write(work: FakeWork, known: readonly FakeWork[], fields: string): Record<string, unknown> {
  const whole: Record<string, unknown> = {
    paperId: paperIdOf(work.id),
    externalIds: work.doi ? { DOI: bare(work.doi) } : {},
    title: work.title,
    abstract: null,
    venue: work.venue ?? "",
    year: Number((dateOf(work) ?? "0").slice(0, 4)) || null,
    publicationDate: dateOf(work),
    publicationTypes: ["JournalArticle"],
    fieldsOfStudy: null,
    citationCount: work.cited ?? 0,
    authors: (work.authors ?? []).map(({ name }) => ({ authorId: null, name })),
    url: `https://www.semanticscholar.org/paper/${paperIdOf(work.id)}`,
  };
  const asked = fields.split(",");
  const told = Object.fromEntries(Object.entries(whole).filter(([name]) => asked.includes(name)));
  if (!asked.some((one) => one.startsWith("references."))) return told;
  return {
    ...told,
    references: (work.references ?? []).map((id) => {
      const cited = known.find((one) => one.id === id);
      return {
        paperId: cited ? paperIdOf(id) : null,
        title: cited?.title ?? `Reference ${id}`,
        externalIds: cited?.doi ? { DOI: bare(cited.doi) } : null,
      };
    }),
  };
}
