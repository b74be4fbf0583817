import type { WorkType } from "../model.ts";
import type { Exported } from "./exported.ts";
import { inverted, personOf } from "./person.ts";

const types: Readonly<Record<WorkType, string>> = {
  article: "article-journal",
  review: "article-journal",
  preprint: "manuscript",
  book: "book",
  "book-chapter": "chapter",
  dissertation: "thesis",
  report: "report",
  dataset: "dataset",
  "proceedings-article": "paper-conference",
  other: "document",
};

/** A paper as an item of CSL-JSON, on one line. */
export function cslItem(paper: Exported): string {
  const people = paper.authors.map(personOf);
  const own = paper.authors.some((name, at) => inverted(people[at] ?? { family: "" }) !== name);
  const openalex = /^W\d+$/.test(paper.source_id ?? "") ? paper.source_id : null;
  const item = {
    id: paper.id,
    type: types[paper.type ?? "article"],
    genre: paper.type === "review" ? "review" : undefined,
    title: paper.title,
    author: filled(
      people.map(({ family, given }) => (given === undefined ? { literal: family } : { family, given })),
    ),
    issued: issuedOf(paper),
    "container-title": paper.venue,
    volume: paper.volume,
    issue: paper.issue,
    page: paper.pages,
    publisher: paper.publisher,
    ISSN: paper.issn,
    DOI: paper.doi,
    URL: paper.url,
    language: paper.language,
    keyword: paper.keywords.join(", ") || undefined,
    abstract: paper.abstract,
    custom:
      own || openalex !== null
        ? { writ: { ...(own && { authors: paper.authors }), ...(openalex !== null && { openalex }) } }
        : undefined,
  };
  return JSON.stringify(item, (_, value: unknown) => (value === null ? undefined : value));
}

function issuedOf({ date, year }: Exported): { "date-parts": number[][] } | undefined {
  if (date !== null) return { "date-parts": [date.split("-").map(Number)] };
  return year === null ? undefined : { "date-parts": [[year]] };
}

function filled<T>(items: T[]): T[] | undefined {
  return items.length === 0 ? undefined : items;
}
