import { batches } from "../batches.ts";
import type { PlannedRequest, Want } from "../port.ts";

const works = "/works";
const page = 100;
/** Values in an OR list that the service takes; citing works are asked for fewer at once. */
const listed = 100;
const cited = 50;
/** The service refuses addresses of more than 4,094 bytes; the rest is for the other parameters. */
const listBytes = 3000;

const selected = [
  "id",
  "doi",
  "title",
  "display_name",
  "publication_year",
  "publication_date",
  "language",
  "type",
  "cited_by_count",
  "is_retracted",
  "abstract_inverted_index",
  "authorships",
  "keywords",
  "referenced_works",
  "primary_location",
  "biblio",
  "ids",
].join(",");

/** The first requests for what is wanted; searches and citers go on by cursor, lists are one page. */
export function planOpenAlex(want: Want): PlannedRequest[] {
  switch (want.kind) {
    case "search": {
      const filter = from(want.query.filter ?? "", want.since);
      const perPage = String(Math.min(page, want.limit));
      const query = { ...want.query, filter, per_page: perPage, cursor: "*", select: selected };
      const price = /\.search[:.]/.test(filter) ? ("search" as const) : ("list" as const);
      return [{ method: "GET", path: works, query, price, want }];
    }
    case "ids":
      return batches(want.ids, { most: listed, bytes: listBytes }).map((ids) =>
        listOf({ ...want, ids }, `openalex_id:${ids.join("|")}`, want.select && "id,doi"),
      );
    case "dois":
      return planDois(want);
    case "citers":
      return batches(want.ids, { most: cited }).map((ids) => {
        const filter = from(`cites:${ids.join("|")}`, want.since);
        const query = { filter, per_page: String(page), cursor: "*", select: selected };
        return { method: "GET", path: works, query, price: "list", want: { ...want, ids } };
      });
  }
}

function listOf(want: Want, filter: string, select = selected): PlannedRequest {
  return {
    method: "GET",
    path: works,
    query: { filter, per_page: String(page), select },
    price: "list",
    want,
  };
}

/** A DOI that holds a comma or a bar cannot stand in a list, so it is asked for alone. */
function planDois(want: Extract<Want, { kind: "dois" }>): PlannedRequest[] {
  const alone = want.dois.filter((doi) => /[,|]/.test(doi));
  const together = want.dois.filter((doi) => !/[,|]/.test(doi));
  return [
    ...batches(together, { most: listed, bytes: listBytes }).map((dois) =>
      listOf({ ...want, dois }, `doi:${dois.join("|")}`),
    ),
    ...batches(alone, { most: 1 }).map(
      (dois): PlannedRequest => ({
        method: "GET",
        path: `${works}/doi:${encodeURIComponent(dois[0] ?? "")}`,
        query: { select: selected },
        price: "single",
        want: { ...want, dois },
      }),
    ),
  ];
}

const fromClause = /^from_publication_date:(\d{4}-\d{2}-\d{2})$/;

/** The filter with a first day of publication, the later one if it has one already. */
function from(filter: string, since: string | undefined): string {
  if (since === undefined) return filter;
  const clauses = filter.split(",");
  const known = clauses.flatMap((clause) => fromClause.exec(clause)?.[1] ?? []);
  const day = [since, ...known].sort().at(-1);
  return [...clauses.filter((clause) => !fromClause.test(clause)), `from_publication_date:${day}`].join(",");
}

/** One result is enough to learn count and price. */
export function probe(request: PlannedRequest): PlannedRequest {
  const { cursor: _, select: __, ...query } = request.query;
  return { ...request, query: { ...query, per_page: "1", select: "id" } };
}

/** Without a key the service may refuse to go on by cursor; pages go to 10,000 results. */
export function keyless(request: PlannedRequest, status: number): PlannedRequest | undefined {
  const { cursor, ...query } = request.query;
  if (status !== 401 || cursor === undefined) return undefined;
  return { ...request, query: { ...query, page: "1" } };
}

export function isStaleToken(request: PlannedRequest, refusal: { status: number; message: string }): boolean {
  const { cursor } = request.query;
  if (cursor === undefined || cursor === "*") return false;
  return [400, 404, 410, 422].includes(refusal.status) && /cursor/i.test(refusal.message);
}
