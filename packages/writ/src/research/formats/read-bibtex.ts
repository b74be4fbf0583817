import type { ExternalId, WorkType } from "../model.ts";
import { typeOf } from "../sources/texts.ts";
import { unescaped } from "./bibtex-escapes.ts";
import { type BibtexName, type BibtexTexts, verbatim } from "./bibtex-fields.ts";
import { loadBibtexParser, type ParsedBibtex } from "./parse-bibtex.ts";
import type { Draft, DraftAuthor, Entry, Reader, Tell } from "./reader.ts";
import { type BibtexPart, splitBibtex } from "./split-bibtex.ts";
import { cutList, dayIn, dayOf, monthOf, nameOf, orNull, ownCopy, yearOf } from "./texts.ts";

// Parsed together; one that fails is found by halving.
const groupSize = 200;

/** BibTeX and biblatex. */
export const bibtex: Reader = {
  source: "bibtex",
  async *read(text, tell) {
    const parse = await loadBibtexParser();
    const keys = new Set<string>();
    let strings = "";
    let group: BibtexPart[] = [];
    const flush = function* (): Generator<Entry> {
      const good = parse(
        group.filter((part) => part.bad === undefined),
        strings,
      );
      const parsed = new Map(good.map((one) => [one.part, one]));
      for (const part of group) yield entryOf(part, parsed.get(part));
      group = [];
    };
    for await (const part of splitBibtex(text)) {
      if (part.kind === "string") {
        // It holds from here on.
        yield* flush();
        strings += `@string{${part.body}}\n`;
        continue;
      }
      noteKey(part, keys, tell);
      group.push(part);
      if (group.length === groupSize) yield* flush();
    }
    yield* flush();
  },
};

function noteKey({ key, line }: BibtexPart, keys: Set<string>, tell: Tell): void {
  if (key === "") return;
  if (keys.has(key)) tell("W_DUPLICATE_KEY", `${key} (line ${line})`);
  else keys.add(ownCopy(key));
}

function entryOf(part: BibtexPart, parsed: ParsedBibtex | undefined): Entry {
  const { entry, line } = part;
  const place = { entry, line, ...(part.key !== "" && { key: part.key }) };
  if (part.bad !== undefined) return { ...place, bad: part.bad };
  if (!parsed) return { ...place, bad: "It cannot be read." };
  if ("bad" in parsed) return { ...place, bad: parsed.bad };
  return { ...place, draft: draftOf(part.type, parsed.fields, parsed.texts) };
}

function draftOf(type: string, fields: Readonly<Record<string, string>>, texts: BibtexTexts): Draft {
  const date = verbatim(fields.date) ?? verbatim(fields.year);
  const year = yearOf(date);
  const publisher = texts.publisher;
  const number = verbatim(fields.issue) ?? verbatim(fields.number);
  return {
    title: texts.title ?? null,
    doi: verbatim(fields.doi),
    ids: idsOf(fields),
    year,
    publicationDate:
      dayIn(date) ?? dayOf(year, monthOf(verbatim(fields.month)), Number(verbatim(fields.day) ?? Number.NaN)),
    abstract: texts.abstract ?? null,
    venue: texts["container-title"] ?? null,
    language: verbatim(fields.language) ?? verbatim(fields.langid),
    publisher: Array.isArray(publisher) ? publisher.join(" and ") : (publisher ?? null),
    type: kindOf(type, fields),
    authors: authorsOf(texts.author ?? [], fields.writauthors),
    keywords: cutList(texts.keyword ?? "", /[;,]/),
    volume: verbatim(fields.volume),
    issue: number,
    pages: verbatim(fields.pages)?.replaceAll(/\s*[-–—]+\s*/g, "-") ?? null,
    issn: verbatim(fields.issn),
    url: verbatim(fields.url),
  };
}

/** Names as the library has them, where the file was written by Writ and its authors are still the same. */
function authorsOf(names: readonly BibtexName[], written: string | undefined): DraftAuthor[] {
  const authors = names.flatMap((name, at) => {
    const others = at === names.length - 1 && name.family === "others" && name.given === undefined;
    const text = nameOf(parted(name));
    return others || text === "" ? [] : [{ name: text }];
  });
  const own =
    written === undefined
      ? []
      : unescaped(written)
          .split(";")
          .map((name) => orNull(name));
  return own.length === authors.length
    ? authors.map((author, at) => ({ name: own[at] ?? author.name }))
    : authors;
}

// The parser takes what begins with a brace, as {\'E}tienne does, for a particle; particles are lower case.
function parted({ "non-dropping-particle": particle, ...name }: BibtexName) {
  const isGiven = particle !== undefined && name.given === undefined && /^\p{Lu}/u.test(particle);
  return isGiven ? { ...name, given: particle, particle: null } : { ...name, particle: particle ?? null };
}

function idsOf(fields: Readonly<Record<string, string>>): ExternalId[] {
  const ids: ExternalId[] = [];
  const add = (engine: ExternalId["engine"], value: string | null) => {
    if (value !== null) ids.push({ engine, value });
  };
  const archive = (verbatim(fields.archiveprefix) ?? verbatim(fields.eprinttype) ?? "").toLowerCase();
  if (archive === "arxiv") add("arxiv", verbatim(fields.eprint)?.replace(/^arxiv:/i, "") ?? null);
  if (archive === "pubmed") add("pmid", verbatim(fields.eprint));
  add("pmid", digits(verbatim(fields.pmid)));
  add("openalex", /^W\d+$/.exec(verbatim(fields.openalex) ?? "")?.[0] ?? null);
  return ids;
}

function digits(text: string | null): string | null {
  return text !== null && /^\d+$/.test(text) ? text : null;
}

const kinds: Readonly<Record<string, WorkType>> = {
  article: "article",
  book: "book",
  mvbook: "book",
  booklet: "book",
  collection: "book",
  proceedings: "book",
  inbook: "book-chapter",
  incollection: "book-chapter",
  bookinbook: "book-chapter",
  inproceedings: "proceedings-article",
  conference: "proceedings-article",
  thesis: "dissertation",
  phdthesis: "dissertation",
  mastersthesis: "dissertation",
  report: "report",
  techreport: "report",
  dataset: "dataset",
  unpublished: "preprint",
};

function kindOf(type: string, fields: Readonly<Record<string, string>>): WorkType {
  const finer = typeOf(verbatim(fields.entrysubtype));
  if (finer !== null && finer !== "other") return finer;
  return kinds[type] ?? "other";
}
