import { hash } from "node:crypto";
import { limits, type Work } from "../model.ts";
import { listsOf } from "./authors.ts";
import { normaliseText, paperId } from "./identity.ts";

/** What one source says of one work, as the library keeps it: a text of JSON, and the names it goes by. */
export interface Recorded {
  source: string;
  sourceKey: string;
  /** First 16 hex digits of the SHA-256 of `json`: the same content has the same. */
  hash: string;
  /** The identity that this record alone gives a paper. */
  ownId: string;
  /** The other columns of `records`, as an object. */
  json: string;
  /** Fields that were cut to their bound. */
  cut: string[];
}

/** The columns of `records` beyond its keys, and how DuckDB reads them from JSON. */
export const recordShape = {
  source_id: "VARCHAR",
  doi: "VARCHAR",
  ids: [{ engine: "VARCHAR", value: "VARCHAR" }],
  title: "VARCHAR",
  year: "INTEGER",
  abstract: "VARCHAR",
  venue: "VARCHAR",
  language: "VARCHAR",
  publisher: "VARCHAR",
  research_areas: ["VARCHAR"],
  authors_raw: ["VARCHAR"],
  authors_id: ["VARCHAR"],
  authors_affiliations: ["VARCHAR"],
  keywords_raw: ["VARCHAR"],
  keywords_id: ["VARCHAR"],
  institutions_raw: ["VARCHAR"],
  institutions_id: ["VARCHAR"],
  references_id: ["VARCHAR"],
  references_doi: ["VARCHAR"],
  cited_by_id: ["VARCHAR"],
  type: "VARCHAR",
  publication_date: "DATE",
  cited_by_count: "INTEGER",
  is_retracted: "BOOLEAN",
  authorships: [
    {
      pos: "INTEGER",
      name: "VARCHAR",
      id: "VARCHAR",
      openalex: "VARCHAR",
      orcid: "VARCHAR",
      institutions: [{ id: "VARCHAR", name: "VARCHAR", ror: "VARCHAR", country: "VARCHAR" }],
    },
  ],
  keyword_scores: ["DOUBLE"],
  countries: ["VARCHAR"],
  refs_other: [{ doi: "VARCHAR", id: "VARCHAR", raw: "VARCHAR" }],
  volume: "VARCHAR",
  issue: "VARCHAR",
  pages: "VARCHAR",
  issn: "VARCHAR",
  url: "VARCHAR",
  curation_status: "VARCHAR",
  corpus_provenance: "VARCHAR",
} as const;

type RecordColumns = { [name in keyof typeof recordShape]: unknown };

/** Makes the record of a work. */
export function recordOf(work: Work): Recorded {
  const cut: string[] = [];
  const columns = columnsOf(work, (field, text, limit) => {
    if (text.length <= limit) return text;
    cut.push(field);
    return text.slice(0, limit);
  });
  const json = storable(columns);
  return {
    source: work.source,
    sourceKey: work.sourceKey,
    hash: hash("sha256", json).slice(0, 16),
    ownId: paperId(work),
    json,
    cut,
  };
}

type Cut = (field: string, text: string, limit: number) => string;

function columnsOf(work: Work, cut: Cut): RecordColumns {
  const authorships = work.authorships.slice(0, limits.authors);
  if (authorships.length < work.authorships.length)
    cut("authors", " ".repeat(limits.authors + 1), limits.authors);
  const { keywords } = work;
  return {
    source_id: work.sourceId,
    doi: work.doi,
    ids: filled(idsOf(work)),
    title: cut("title", work.title, limits.title),
    year: work.year,
    abstract: work.abstract === null ? null : cut("abstract", work.abstract, limits.abstract),
    venue: work.venue,
    language: work.language,
    publisher: work.publisher,
    research_areas: filled(work.researchAreas),
    ...listsOf(authorships),
    keywords_raw: filled(keywords.map((one) => one.name)),
    keywords_id: keywords.some((one) => one.id !== null)
      ? keywords.map((one) => one.id ?? normaliseText(one.name))
      : null,
    references_id: filled(work.references),
    references_doi: null,
    // OpenAlex knows citers: that it names none is something it says.
    cited_by_id: work.source === "openalex" ? [] : null,
    type: work.type,
    publication_date: work.publicationDate,
    cited_by_count: work.citedByCount,
    is_retracted: work.isRetracted,
    authorships: filled(authorships),
    keyword_scores: keywords.some((one) => one.score !== null) ? keywords.map((one) => one.score) : null,
    refs_other: filled(work.otherReferences),
    volume: work.volume,
    issue: work.issue,
    pages: work.pages,
    issn: work.issn,
    url: work.url,
    curation_status: null,
    corpus_provenance: null,
  };
}

// The work's own id at its source is one of its ids, whether the source's reader lists it or not.
function idsOf(work: Work): { engine: string; value: string }[] {
  const ids = work.ids.map(({ engine, value }) => ({ engine: engine as string, value }));
  if (work.sourceId !== null) ids.push(engineOf(work.sourceId));
  const seen = new Set<string>();
  return ids.filter(({ engine, value }) => {
    const key = `${engine}:${value}`;
    return engine !== "doi" && value !== "" && !seen.has(key) && seen.add(key);
  });
}

/** Whose id a `source_id` is: `W123` is OpenAlex's, any other says so. */
export function engineOf(sourceId: string): { engine: string; value: string } {
  const at = sourceId.indexOf(":");
  return at === -1
    ? { engine: "openalex", value: sourceId }
    : { engine: sourceId.slice(0, at), value: sourceId.slice(at + 1) };
}

/** JSON that DuckDB stores: no NUL, no half of a surrogate pair. */
function storable(value: unknown): string {
  const json = JSON.stringify(value);
  if (!json.includes("\\u") || !/\\u0000|\\ud[89a-f]/i.test(json)) return json;
  return JSON.stringify(value, (_, one: unknown) =>
    typeof one === "string" ? one.replaceAll("\u0000", "").toWellFormed() : one,
  );
}

function filled<T>(items: readonly T[]): readonly T[] | null {
  return items.length === 0 ? null : items;
}
