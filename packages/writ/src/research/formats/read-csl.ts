import type { ExternalId, WorkType } from "../model.ts";
import { fields, type Fields, integer, list, text } from "../sources/json.ts";
import { typeOf, withoutTags } from "../sources/texts.ts";
import type { Draft, DraftAuthor, Reader } from "./reader.ts";
import { splitJson } from "./split-json.ts";
import { cutList, dayOf, nameOf, yearOf } from "./texts.ts";

/** CSL-JSON: an array of references. */
export const csl: Reader = {
  source: "csl",
  async *read(pieces) {
    for await (const { entry, line, text: source, closed } of splitJson(pieces)) {
      const place = { entry, line };
      try {
        const json: unknown = JSON.parse(source);
        const item = fields(json);
        const key = nameIn(item.id);
        yield { ...place, ...(key !== null && { key }), draft: draftOf(item) };
      } catch {
        yield { ...place, bad: closed ? "It is no JSON." : "Its closing brace is missing." };
      }
    }
  },
};

function draftOf(item: Fields): Draft {
  return {
    title: marked(item.title),
    doi: text(item.DOI),
    ids: idsOf(item),
    ...dateOf(fields(item.issued)),
    abstract: marked(item.abstract),
    venue: marked(item["container-title"]),
    language: text(item.language),
    publisher: marked(item.publisher),
    type: kindOf(text(item.type), text(item.genre)),
    authors: authorsOf(item),
    keywords: cutList(
      list(item.keyword).length > 0
        ? list(item.keyword).flatMap((word) => text(word) ?? [])
        : (text(item.keyword) ?? ""),
      /[,;]/,
    ),
    volume: nameIn(item.volume),
    issue: nameIn(item.issue),
    pages: nameIn(item.page),
    issn: nameIn(list(item.ISSN)[0] ?? item.ISSN),
    url: text(item.URL),
  };
}

/** Text in which CSL allows a little mark-up. A list, as Crossref writes them, is its first text. */
function marked(value: unknown): string | null {
  const plain = text(list(value)[0] ?? value);
  return plain === null || !plain.includes("<") ? plain : withoutMarks(plain);
}

const mark = /<(\/?)(i|b|sup|sub|sc|span|jats:[a-z]+|p)\b[^<>]*>/gi;

function withoutMarks(plain: string): string {
  return /<\/[a-z:]+>/i.test(plain)
    ? withoutTags(plain.replaceAll(mark, (all) => (/^<\/?(jats|p)/i.test(all) ? all : "")))
    : plain;
}

/** A text or a number, as text. */
function nameIn(value: unknown): string | null {
  return typeof value === "number" ? String(value) : text(value);
}

function idsOf(item: Fields): ExternalId[] {
  const pmid = nameIn(item.PMID);
  const openalex = text(fields(fields(item.custom).writ).openalex);
  return [
    ...(pmid !== null && /^\d+$/.test(pmid) ? [{ engine: "pmid" as const, value: pmid }] : []),
    ...(openalex !== null && /^W\d+$/.test(openalex)
      ? [{ engine: "openalex" as const, value: openalex }]
      : []),
  ];
}

/** Parts may be texts, and null where a part is not known. */
function dateOf(issued: Fields): Pick<Draft, "year" | "publicationDate"> {
  const parts = list(list(issued["date-parts"])[0]);
  const [year, month, day] = parts.map((part) => integer(part) ?? undefined);
  const known = year ?? yearOf(text(issued.raw) ?? text(issued.literal)) ?? null;
  return {
    year: known,
    publicationDate: known === null ? null : dayOf(known, month, day),
  };
}

function authorsOf(item: Fields): DraftAuthor[] {
  const authors = list(item.author).flatMap((one) => {
    const author = fields(one);
    const name =
      text(author.literal) ??
      nameOf({
        family: text(author.family),
        given: text(author.given),
        particle: text(author["non-dropping-particle"]) ?? text(author["dropping-particle"]),
        suffix: text(author.suffix),
      });
    return name === "" ? [] : [{ name, orcid: orcidOf(author) }];
  });
  const written = list(fields(fields(item.custom).writ).authors).map(text);
  return written.length === authors.length
    ? authors.map((author, at) => ({ ...author, name: written[at] ?? author.name }))
    : authors;
}

function orcidOf(author: Fields): string | null {
  return /\d{4}-\d{4}-\d{4}-\d{3}[\dX]/i.exec(text(author.ORCID) ?? text(author._orcid) ?? "")?.[0] ?? null;
}

const kinds: Readonly<Record<string, WorkType>> = {
  "article-journal": "article",
  "article-magazine": "article",
  "article-newspaper": "article",
  "review-book": "review",
  chapter: "book-chapter",
  "paper-conference": "proceedings-article",
  thesis: "dissertation",
  manuscript: "preprint",
};

function kindOf(type: string | null, genre: string | null): WorkType | null {
  const finer = typeOf(genre);
  if (finer !== null && finer !== "other") return finer;
  return type === null ? null : (kinds[type] ?? typeOf(type));
}
