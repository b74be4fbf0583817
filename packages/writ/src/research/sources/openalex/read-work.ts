import { normaliseDoi, normaliseText } from "../../library/identity.ts";
import {
  type Authorship,
  type ExternalId,
  type Institution,
  type Keyword,
  limits,
  type Skipped,
  type Work,
} from "../../model.ts";
import { day, fields, integer, lastPart, list, number, text, type Fields } from "../json.ts";
import type { Remark } from "../port.ts";
import { cutText, languageOf, noTitle, typeOf } from "../texts.ts";

type Tell = (code: Remark["code"], where: string) => void;

/** One work as OpenAlex writes it, in a page or a line of a dump. What has no title is no record. */
export function openAlexWork(json: unknown, tell: Tell = () => {}): Work | Skipped {
  const work = fields(json);
  const id = lastPart(work.id);
  if (id === null || !/^W\d+$/i.test(id)) return { where: id ?? "?", reason: "It has no OpenAlex id." };
  const title = text(work.title) ?? text(work.display_name);
  if (title === null) return { where: id, reason: noTitle };
  const location = fields(work.primary_location);
  const venue = fields(location.source);
  const biblio = fields(work.biblio);
  const cut = () => tell("W_CUT", id);
  const doi = normaliseDoi(text(work.doi));
  if (doi === null && text(work.doi) !== null) tell("W_DOI_INVALID", id);
  return {
    source: "openalex",
    sourceKey: id,
    sourceId: id,
    doi,
    ids: idsOf(id, fields(work.ids)),
    title: cutText(title, limits.title, cut),
    year: integer(work.publication_year),
    publicationDate: day(work.publication_date),
    abstract: abstractOf(work.abstract_inverted_index, cut),
    venue: text(venue.display_name),
    language: languageOf(text(work.language)),
    publisher: null,
    researchAreas: [],
    type: typeOf(text(work.type)),
    citedByCount: integer(work.cited_by_count),
    isRetracted: typeof work.is_retracted === "boolean" ? work.is_retracted : null,
    authorships: authorsOf(work.authorships, cut),
    keywords: list(work.keywords).flatMap((one) => keywordOf(fields(one))),
    references: list(work.referenced_works).flatMap((one) => lastPart(one) ?? []),
    otherReferences: [],
    volume: text(biblio.volume),
    issue: text(biblio.issue),
    pages: pagesOf(text(biblio.first_page), text(biblio.last_page)),
    issn: text(venue.issn_l),
    url: text(location.landing_page_url),
  };
}

function idsOf(own: string, ids: Fields): ExternalId[] {
  const pmid = lastPart(ids.pmid);
  return [
    { engine: "openalex", value: own },
    ...(pmid !== null && /^\d+$/.test(pmid) ? [{ engine: "pmid" as const, value: pmid }] : []),
  ];
}

/** The words in their places, joined by spaces; places that no word holds leave nothing behind. */
function abstractOf(index: unknown, cut: () => void): string | null {
  const words = (Array.isArray(index) ? index : placed(index)).filter((word) => typeof word === "string");
  const abstract = text(words.join(" "));
  return abstract === null ? null : cutText(abstract, limits.abstract, cut);
}

/** Each word of an index at each of its places. */
function placed(index: unknown): string[] {
  const words: string[] = [];
  for (const [word, places] of Object.entries(fields(index))) {
    for (const place of list(places)) {
      const at = integer(place);
      if (at !== null && at >= 0 && at <= limits.abstractPositions) words[at] = word;
    }
  }
  return words;
}

function authorsOf(given: unknown, cut: () => void): Authorship[] {
  const all = list(given);
  if (all.length > limits.authors) cut();
  const authors: Authorship[] = [];
  for (const one of all.slice(0, limits.authors)) {
    const author = authorOf(fields(one), authors.length);
    if (author) authors.push(author);
  }
  return authors;
}

function authorOf(authorship: Fields, pos: number): Authorship | undefined {
  const author = fields(authorship.author);
  const orcid = lastPart(author.orcid);
  const openalex = lastPart(author.id);
  const name = text(author.display_name) ?? text(authorship.raw_author_name);
  const known = orcid ?? openalex ?? name;
  if (known === null) return undefined;
  const id = normaliseText(known);
  return {
    pos,
    name: name ?? id,
    id,
    openalex,
    orcid,
    institutions: list(authorship.institutions).flatMap((one) => institutionOf(fields(one))),
  };
}

function institutionOf(given: Fields): Institution[] {
  const institution = {
    id: lastPart(given.id),
    name: text(given.display_name),
    ror: lastPart(given.ror),
    country: text(given.country_code)?.toUpperCase() ?? null,
  };
  return institution.id === null && institution.name === null && institution.ror === null
    ? []
    : [institution];
}

function keywordOf(given: Fields): Keyword[] {
  const id = lastPart(given.id);
  const name = text(given.display_name) ?? id;
  return name === null ? [] : [{ id, name, score: number(given.score) ?? null }];
}

function pagesOf(first: string | null, last: string | null): string | null {
  if (first === null) return last;
  return last === null || last === first ? first : `${first}-${last}`;
}
