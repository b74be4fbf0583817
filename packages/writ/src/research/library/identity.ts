import { hash } from "node:crypto";

const doiForm = /^10\.\d{4,9}\/\S+$/;
const doiPrefix = /^(?:https?:\/\/|(?:dx\.|www\.)?doi\.org\/|doi:\s*)/;
const pairs: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{", ">": "<" };

/** A DOI in its one spelling: lower case, no address, no trailing punctuation. Null when the text is none. */
export function normaliseDoi(text: string | null | undefined): string | null {
  if (text === null || text === undefined) return null;
  let doi = trim(text).toLowerCase();
  for (let found = doiPrefix.exec(doi); found; found = doiPrefix.exec(doi))
    doi = trim(doi.slice(found[0].length));
  doi = withoutTail(decoded(doi));
  return doiForm.test(doi) ? doi : null;
}

// Once, and only as a whole: a stray percent sign is part of the name.
function decoded(doi: string): string {
  if (!doi.includes("%")) return doi;
  try {
    return decodeURIComponent(doi).toLowerCase();
  } catch {
    return doi;
  }
}

function withoutTail(doi: string): string {
  let end = doi.length;
  while (end > 0) {
    const last = doi[end - 1] ?? "";
    const open = pairs[last];
    const unopened = open !== undefined && count(doi, last, end) > count(doi, open, end);
    if (!".,;".includes(last) && !unopened) break;
    end -= 1;
  }
  return doi.slice(0, end);
}

function count(text: string, letter: string, end: number): number {
  let found = 0;
  for (let at = 0; at < end; at += 1) if (text[at] === letter) found += 1;
  return found;
}

/** Without Unicode white space and the separators U+001C to U+001F at both ends. */
export function trim(text: string): string {
  if (isLetter(text.charCodeAt(0)) && isLetter(text.charCodeAt(text.length - 1))) return text;
  return text.replace(/^[\s\u001c-\u001f\u0085]+|[\s\u001c-\u001f\u0085]+$/gu, "");
}

const isLetter = (code: number): boolean => code > 0x20 && code < 0x7f;
const beyondLetters = /[^ -~]/;

/** Whether a text is of ASCII letters and single spaces within: most are, and have nothing to be tidied. */
export function isPlain(text: string): boolean {
  return !(beyondLetters.test(text) || text.includes("  ") || text.startsWith(" ") || text.endsWith(" "));
}

/** How names and words are compared: trimmed, lower case, without marks, white space as one space. */
export function normaliseText(text: string): string {
  if (isPlain(text)) return text.toLowerCase();
  const bare = trim(text)
    .toLowerCase()
    .normalize("NFD")
    .replaceAll(/\p{Mn}/gu, "");
  return bare.replaceAll(/\s+/gu, " ");
}

/** What an id is made of. */
export interface Identifying {
  doi: string | null;
  sourceId: string | null;
  title: string;
  year: number | null;
}

/** The identity of a paper, from what is known of it: its DOI, else its source's id, else title and year. */
export function paperId({ doi, sourceId, title, year }: Identifying): string {
  if (doi !== null) return idOf("doi", doi);
  if (sourceId !== null) return idOf("src", sourceId);
  return idOf("tt", titleKey(title, year));
}

/** Title and year as one text; a missing year is the word None. */
function titleKey(title: string, year: number | null): string {
  return `${trim(title).toLowerCase()}|${year ?? "None"}`;
}

/** `<prefix>:` and the first 16 hex digits of the value's SHA-256. */
export function idOf(prefix: "doi" | "src" | "tt", value: string): string {
  return `${prefix}:${hash("sha256", value).slice(0, 16)}`;
}
