import type {
  ExternalId,
  Authorship,
  OtherReference,
  SourceWord,
  WorkType,
  Decision,
  Work,
  Skipped,
} from "../model.ts";

/** The formats that can be imported. */
export const importFormats = ["bibtex", "ris", "csl-json", "wos", "pubmed", "scopus", "openalex"] as const;
export type ImportFormat = (typeof importFormats)[number];

/** An author as a file names one. */
export interface DraftAuthor {
  name: string;
  orcid?: string | null;
  institutions?: Authorship["institutions"];
}

/** What an entry says, as it is written there; `finish` makes a work of it. Absent is unknown. */
export interface Draft {
  title?: string | null;
  /** In any spelling. */
  doi?: string | null;
  /** The record's own id, with the prefix of its engine. */
  sourceId?: string | null;
  ids?: ExternalId[];
  year?: number | null;
  /** YYYY-MM-DD. */
  publicationDate?: string | null;
  abstract?: string | null;
  venue?: string | null;
  /** A tag, a code or an English name. */
  language?: string | null;
  publisher?: string | null;
  researchAreas?: string[];
  type?: WorkType | null;
  citedByCount?: number | null;
  isRetracted?: boolean | null;
  authors?: DraftAuthor[];
  keywords?: string[];
  otherReferences?: OtherReference[];
  volume?: string | null;
  issue?: string | null;
  pages?: string | null;
  issn?: string | null;
  url?: string | null;
  decision?: Decision;
  note?: string;
}

/** Where an entry stands in its file: its number and its line, both from 1. */
export interface Place {
  entry: number;
  line: number;
}

/**
 * One entry of a file: what it says, a work where the format is a source's own, or why it cannot be read.
 * `key` is the name that the file gives it.
 */
export type Entry = Place & { key?: string } & (
    | { draft: Draft }
    | { work: Work | Skipped }
    | { bad: string }
  );

/** What a reader may remark beside its entries. */
export type Tell = (code: "W_DOI_INVALID" | "W_CUT" | "W_DUPLICATE_KEY", where: string) => void;

/** One format. `read` is given the text of a file in pieces, with line feeds as line ends. */
export interface Reader {
  source: SourceWord;
  /** True where entries are read as they come, however large the file is. */
  unbounded?: true;
  read(text: AsyncIterable<string>, tell: Tell): AsyncIterable<Entry>;
}
