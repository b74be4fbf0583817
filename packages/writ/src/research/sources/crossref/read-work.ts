import { normaliseDoi, normaliseText } from "../../library/identity.ts";
import { type Authorship, limits, type OtherReference, type Skipped, type Work } from "../../model.ts";
import { day, type Fields, fields, integer, lastPart, list, text } from "../json.ts";
import type { Remark } from "../port.ts";
import { cutText, languageOf, noTitle, typeOf, withoutTags } from "../texts.ts";

type Tell = (code: Remark["code"], where: string) => void;

/** One work as Crossref writes it. What has no title is no record. */
export function crossrefWork(json: unknown, tell: Tell = () => {}): Work | Skipped {
  const work = fields(json);
  const doi = normaliseDoi(text(work.DOI));
  if (doi === null) return { where: text(work.DOI) ?? "?", reason: "It has no DOI." };
  const title = plain(list(work.title)[0]);
  if (title === null) return { where: doi, reason: noTitle };
  const cut = () => tell("W_CUT", doi);
  const { year, date } = dateOf(fields(work.issued));
  const abstract = plain(work.abstract);
  return {
    source: "crossref",
    sourceKey: doi,
    sourceId: null,
    doi,
    ids: [],
    title: cutText(title, limits.title, cut),
    year,
    publicationDate: date,
    abstract: abstract === null ? null : cutText(abstract, limits.abstract, cut),
    venue: plain(list(work["container-title"])[0]),
    language: languageOf(text(work.language)),
    publisher: plain(work.publisher),
    researchAreas: list(work.subject).flatMap((one) => text(one) ?? []),
    type: typeOf(text(work.type)),
    citedByCount: integer(work["is-referenced-by-count"]),
    isRetracted: null,
    authorships: authorsOf(list(work.author)),
    keywords: [],
    references: [],
    otherReferences: list(work.reference).flatMap((one) => referenceOf(fields(one))),
    volume: text(work.volume),
    issue: text(work.issue),
    pages: text(work.page),
    issn: text(list(work.ISSN)[0]),
    url: text(work.URL),
  };
}

/** Text without mark-up; null where nothing is left of it. */
function plain(value: unknown): string | null {
  return withoutTags(text(value) ?? "") || null;
}

/** `{"date-parts": [[2020, 5, 1]]}`; a day is one only when all three parts are there. */
function dateOf(issued: Fields): { year: number | null; date: string | null } {
  const [year, month, dayOfMonth] = list(list(issued["date-parts"])[0]).map(integer);
  if (year === null || year === undefined) return { year: null, date: null };
  if (!month || !dayOfMonth) return { year, date: null };
  const two = (part: number) => String(part).padStart(2, "0");
  return { year, date: day(`${String(year).padStart(4, "0")}-${two(month)}-${two(dayOfMonth)}`) };
}

/** Names as `Family, Given`; where any author has an ORCID, all have an id. */
function authorsOf(given: readonly unknown[]): Authorship[] {
  const authors = given.slice(0, limits.authors).flatMap((one) => {
    const author = fields(one);
    const family = text(author.family);
    const first = text(author.given);
    const name =
      family === null ? (text(author.name) ?? first) : first === null ? family : `${family}, ${first}`;
    if (name === null) return [];
    const institutions = list(author.affiliation).flatMap((place) => {
      const called = text(fields(place).name);
      return called === null ? [] : [{ id: null, name: called, ror: null, country: null }];
    });
    return [{ name, orcid: lastPart(author.ORCID), institutions }];
  });
  const identified = authors.some(({ orcid }) => orcid !== null);
  return authors.map(({ name, orcid, institutions }, pos) => ({
    pos,
    name,
    id: identified ? normaliseText(orcid ?? name) : null,
    openalex: null,
    orcid,
    institutions,
  }));
}

function referenceOf(reference: Fields): OtherReference[] {
  const doi = normaliseDoi(text(reference.DOI));
  const parts = [reference.author, reference.year, reference["article-title"], reference["journal-title"]];
  const raw = text(reference.unstructured) ?? (parts.flatMap((one) => text(one) ?? []).join(", ") || null);
  return doi === null && raw === null ? [] : [{ doi, id: null, raw }];
}
