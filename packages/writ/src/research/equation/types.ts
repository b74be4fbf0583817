/** OpenAlex's words for kinds of works, as its `type` filter takes them. */
export const openAlexTypes = [
  "article",
  "book",
  "book-chapter",
  "dataset",
  "dissertation",
  "editorial",
  "erratum",
  "grant",
  "letter",
  "libguides",
  "other",
  "paratext",
  "peer-review",
  "preprint",
  "proceedings-article",
  "reference-entry",
  "report",
  "retraction",
  "review",
  "software",
  "standard",
  "supplementary-materials",
] as const;

// What the great databases write, in lower case with single spaces; Scopus has codes of two letters.
const others: Readonly<Record<string, string>> = {
  ar: "article",
  "journal article": "article",
  re: "review",
  "review article": "review",
  "systematic review": "review",
  bk: "book",
  ch: "book-chapter",
  chapter: "book-chapter",
  cp: "proceedings-article",
  conference: "proceedings-article",
  "conference paper": "proceedings-article",
  "proceedings paper": "proceedings-article",
  thesis: "dissertation",
  ed: "editorial",
  "editorial material": "editorial",
  le: "letter",
  er: "erratum",
  correction: "erratum",
  dp: "dataset",
  "data set": "dataset",
  tb: "retraction",
};

const crossref: Readonly<Record<string, string>> = {
  article: "journal-article",
  preprint: "posted-content",
  book: "book",
  "book-chapter": "book-chapter",
  "proceedings-article": "proceedings-article",
  dissertation: "dissertation",
  report: "report",
  dataset: "dataset",
  "peer-review": "peer-review",
  standard: "standard",
  "reference-entry": "reference-entry",
  other: "other",
};

/** OpenAlex's word for a kind of work; undefined when it is unknown. */
export function workType(text: string): string | undefined {
  const word = text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, " ");
  const dashed = word.replaceAll(" ", "-");
  if (openAlexTypes.some((type) => type === dashed)) return dashed;
  return Object.hasOwn(others, word) ? others[word] : undefined;
}

/** Crossref's word for OpenAlex's; undefined where Crossref makes no such distinction. */
export function crossrefType(type: string): string | undefined {
  return Object.hasOwn(crossref, type) ? crossref[type] : undefined;
}
