import { normaliseDoi } from "../../library/identity.ts";
import { type Fields, fields, integer, lastPart, list, text } from "../json.ts";
import { type Answer, isSkipped, type Page, type PlannedRequest, type Remark } from "../port.ts";
import { openAlexWork } from "./read-work.ts";

/** Results that pages by number reach. */
const pageLimit = 10_000;

/** A list of works, or one work asked for by name. */
export function readOpenAlex({ body }: Pick<Answer, "body">, request: PlannedRequest): Page {
  const answer = fields(body);
  const results = Array.isArray(answer.results) ? list(answer.results) : single(answer);
  const page: Page = { works: [], skipped: [], entries: results.length, remarks: [] };
  if (request.want.kind === "ids" && request.want.select === "doi") return { ...page, dois: doisOf(results) };
  const tell = (code: Remark["code"], where: string) => void page.remarks.push({ code, where });
  for (const one of results) {
    const work = openAlexWork(one, tell);
    if (isSkipped(work)) page.skipped.push(work);
    else page.works.push(work);
  }
  const count = integer(fields(answer.meta).count);
  const next = results.length === 0 ? undefined : nextOf(request, { answer, count, page });
  return { ...page, ...(count !== null && { count }), ...(next && { next }) };
}

function single(answer: Fields): unknown[] {
  if (text(answer.id) === null) throw new TypeError("neither a list of works nor a work");
  return [answer];
}

function doisOf(results: readonly unknown[]): NonNullable<Page["dois"]> {
  return results.flatMap((one) => {
    const id = lastPart(fields(one).id);
    return id === null ? [] : [{ id, doi: normaliseDoi(text(fields(one).doi)) }];
  });
}

function nextOf(
  request: PlannedRequest,
  { answer, count, page }: { answer: Fields; count: number | null; page: Page },
): Page["next"] {
  const { query } = request;
  if (query.page !== undefined) {
    const size = Number(query.per_page);
    const at = Number(query.page);
    if (page.entries < size || (count !== null && at * size >= count)) return undefined;
    if ((at + 1) * size > pageLimit) {
      page.remarks.push({ code: "W_PAGE_LIMIT", where: `${count ?? "more"} works` });
      return undefined;
    }
    // A page's place is counted in pages, so their size stays.
    return () => ({ ...request, query: { ...query, page: String(at + 1) } });
  }
  const cursor = text(fields(answer.meta).next_cursor);
  if (query.cursor === undefined || cursor === null) return undefined;
  return (remaining) => ({
    ...request,
    query: { ...query, cursor, per_page: String(Math.min(Number(query.per_page), remaining)) },
  });
}
