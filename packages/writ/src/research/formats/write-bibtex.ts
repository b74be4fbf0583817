import type { WorkType } from "../model.ts";
import { escaped } from "./bibtex-escapes.ts";
import type { Exported } from "./exported.ts";
import { inverted, personOf } from "./person.ts";

const types: Readonly<Record<WorkType, string>> = {
  article: "article",
  review: "article",
  preprint: "unpublished",
  book: "book",
  "book-chapter": "incollection",
  dissertation: "thesis",
  report: "report",
  dataset: "dataset",
  "proceedings-article": "inproceedings",
  other: "misc",
};

/**
 * A paper as an entry of biblatex, in Unicode. Written by hand: the writer at hand leaves out letters that it has
 * no command for, or else escapes nothing.
 */
export function bibtexEntry(paper: Exported, key: string): string {
  const type = types[paper.type ?? "article"];
  const inBook = type === "incollection" || type === "inproceedings";
  const people = paper.authors.map(personOf);
  // How names are written here is kept beside the parts that styles need.
  const own = paper.authors.some((name, at) => !readsBack(name, people[at] ?? { family: "" }));
  const fields: [string, string | null][] = [
    ["author", people.map(nameText).join(" and ") || null],
    ["writauthors", own ? paper.authors.map(escaped).join("; ") : null],
    ["title", titleText(paper.title)],
    [inBook ? "booktitle" : "journaltitle", escapedOrNull(paper.venue)],
    ["date", paper.date ?? (paper.year === null ? null : String(paper.year).padStart(4, "0"))],
    ["volume", escapedOrNull(paper.volume)],
    ["number", escapedOrNull(paper.issue)],
    ["pages", escapedOrNull(paper.pages)?.replaceAll(/-/g, "--") ?? null],
    ["publisher", paper.publisher === null ? null : `{${escaped(paper.publisher)}}`],
    ["issn", escapedOrNull(paper.issn)],
    ["doi", verbatimOrNull(paper.doi)],
    ["url", verbatimOrNull(paper.url)],
    ["langid", escapedOrNull(paper.language)],
    ["entrysubtype", paper.type === "review" ? "review" : null],
    ["keywords", paper.keywords.map(escaped).join(", ") || null],
    ["openalex", /^W\d+$/.test(paper.source_id ?? "") ? paper.source_id : null],
    ["abstract", escapedOrNull(paper.abstract)],
  ];
  const lines = fields
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `  ${name} = {${value}},\n`);
  return `@${type}{${key},\n${lines.join("")}}\n\n`;
}

function readsBack(name: string, person: ReturnType<typeof personOf>): boolean {
  return inverted(person) === name && !name.includes(";");
}

/** A name in the form that no reader takes apart otherwise; one of several words without a comma is whole. */
function nameText(person: ReturnType<typeof personOf>): string {
  const part = (text: string) => (/[,{}=]|\band\b/i.test(text) ? `{${escaped(text)}}` : escaped(text));
  if (person.given === undefined) return `{${escaped(person.family)}}`;
  // Readers take a space behind a command for its own, and miss the "and" that follows.
  return `${part(person.family)}, ${part(person.given)}`.replace(/\\[&%$#_]$/, "$&{}");
}

/** Words that would lose their capitals are kept in braces. */
function titleText(title: string): string {
  return title
    .split(" ")
    .map((word) => (/\p{Lu}.*\p{Lu}|\p{Ll}\p{Lu}/u.test(word) ? `{${escaped(word)}}` : escaped(word)))
    .join(" ");
}

function escapedOrNull(text: string | null): string | null {
  return text === null ? null : escaped(text);
}

/** A DOI or an address; braces would end the field. */
function verbatimOrNull(text: string | null): string | null {
  return text === null ? null : text.replaceAll(/[{}\\]/g, (letter) => encodeURIComponent(letter));
}
