import type { SourceWord } from "../model.ts";

const names: Readonly<Record<SourceWord, string>> = {
  openalex: "OpenAlex",
  crossref: "Crossref",
  semanticscholar: "Semantic Scholar",
  pubmed: "PubMed",
  wos: "Web of Science",
  scopus: "Scopus",
  csl: "CSL-JSON files",
  ris: "RIS files",
  bibtex: "BibTeX files",
  corpus: "Restored corpus",
};

/** What a reason says, without the word by which those on a full text begin. */
export function reasonName(reason: string): string {
  return reason.replace(/^fulltext:\s*/, "") || "no reason given";
}

/** A source as people call it. */
export function sourceName(word: string): string {
  return (names as Readonly<Record<string, string>>)[word] ?? word;
}
