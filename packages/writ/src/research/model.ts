/**
 * The words of research: what a source says of a work, and what the library makes of it. Types and constants
 * only; nothing here reads or writes.
 */

/** Who may tell of a work, in the order in which they are believed. "corpus" is a restored Parquet file. */
export const sourceWords = [
  "openalex",
  "crossref",
  "semanticscholar",
  "pubmed",
  "wos",
  "scopus",
  "csl",
  "ris",
  "bibtex",
  "corpus",
] as const;
export type SourceWord = (typeof sourceWords)[number];

/** Sources that can be asked over the network. */
export type SourceId = "openalex" | "crossref" | "semanticscholar";

/** How a record came to the library. Those of "lookup" identify nothing. */
export type Via = "search" | "import" | "citer" | "reference" | "lookup" | "corpus";

/** Who gives out an identifier; a DOI is one of them where identity is decided. */
export type Engine = "doi" | "openalex" | "s2" | "pmid" | "wos" | "eid" | "arxiv";

export interface ExternalId {
  engine: Engine;
  value: string;
}

export interface Institution {
  /** As the source writes it, case kept. */
  id: string | null;
  name: string | null;
  ror: string | null;
  /** Two letters. */
  country: string | null;
}

/** One author's place on a work. */
export interface Authorship {
  /** From 0, in the order of the work. */
  pos: number;
  name: string;
  /** The value of `authors_id`; null where a source gives only names. */
  id: string | null;
  /** Last part of the OpenAlex author id, as written. */
  openalex: string | null;
  /** Last part of the ORCID address, as written. */
  orcid: string | null;
  institutions: Institution[];
}

export interface Keyword {
  id: string | null;
  name: string;
  score: number | null;
}

/** A reference without an OpenAlex id. */
export interface OtherReference {
  doi: string | null;
  id: string | null;
  raw: string | null;
}

/** OpenAlex's words for kinds of works; any other is "other". */
export const workTypes = [
  "article",
  "review",
  "preprint",
  "book",
  "book-chapter",
  "dissertation",
  "report",
  "dataset",
  "proceedings-article",
  "other",
] as const;
export type WorkType = (typeof workTypes)[number];

/**
 * One work as one source tells it, before it is a record of the library. Texts are plain and trimmed; what a
 * source does not say is null or an empty list. Order of lists is the source's.
 */
export interface Work {
  source: SourceWord;
  /** Stable for the same entry of the same source; two entries of one file never share one. */
  sourceKey: string;
  /** Column 2 of a paper: `W123`, `s2:…`, `pmid:…`, `wos:…`, `eid:…`. */
  sourceId: string | null;
  /** Normalised. */
  doi: string | null;
  /** Every other identifier the entry names, its own included; no DOI. */
  ids: ExternalId[];
  title: string;
  year: number | null;
  /** YYYY-MM-DD. */
  publicationDate: string | null;
  abstract: string | null;
  venue: string | null;
  /** First subtag, lower case. */
  language: string | null;
  publisher: string | null;
  researchAreas: string[];
  type: WorkType | null;
  citedByCount: number | null;
  isRetracted: boolean | null;
  authorships: Authorship[];
  keywords: Keyword[];
  /** OpenAlex ids. */
  references: string[];
  otherReferences: OtherReference[];
  volume: string | null;
  issue: string | null;
  pages: string | null;
  issn: string | null;
  url: string | null;
  /** A decision or note that an import carries (RIS written by Writ). */
  decision?: Decision;
  note?: string;
}

/** An entry that is no record, and why. */
export interface Skipped {
  /** `works.bib:12`, or the entry's key or id. */
  where: string;
  /** Entry number in its file, from 1, and line, where there is a file. */
  entry?: number;
  line?: number;
  reason: string;
}

export type Decision = "accepted" | "rejected";
export type CurationStatus = "candidate" | Decision;

/** all: active, not rejected; seeds: of these the seeds; accepted: of these seeds and accepted. */
export type Scope = "all" | "seeds" | "accepted";

export type LoopState = "SEEDED" | "FORAGED" | "FILTERED" | "BUILT" | "MONITORED";

/** The kinds of networks. */
export const networkKinds = [
  "bibliographic_coupling",
  "cocitation",
  "author_collab",
  "institution_collab",
  "keyword_cooccurrence",
  "cocitation_refs",
  "country_collab",
  "direct_citation",
] as const;
export type NetworkKind = (typeof networkKinds)[number];

/** The canonical columns, in order: what a corpus file holds and what the corpus hash is made of. */
export const canonicalColumns = [
  "id",
  "source_id",
  "doi",
  "title",
  "year",
  "abstract",
  "source",
  "language",
  "publisher",
  "research_areas",
  "is_seed",
  "curation_status",
  "provenance",
  "authors_raw",
  "authors_id",
  "authors_affiliations",
  "keywords_raw",
  "keywords_id",
  "institutions_raw",
  "institutions_id",
  "references_id",
  "references_doi",
  "cited_by_id",
] as const;
export type CanonicalColumn = (typeof canonicalColumns)[number];

/** Bounds on input from outside; the bound is told in the error. */
export const limits = {
  equationBytes: 16 * 1024,
  equationTerms: 1000,
  equationNesting: 64,
  importBytes: 256 * 1024 * 1024,
  gzipRatio: 200,
  responseBytes: 64 * 1024 * 1024,
  title: 10_000,
  abstract: 100_000,
  authors: 10_000,
  abstractPositions: 100_000,
  thesaurusAliases: 100_000,
  ids: 10_000,
} as const;
