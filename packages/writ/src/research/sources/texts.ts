import { type WorkType, workTypes } from "../model.ts";

const known = new Set<string>(workTypes);

// How the sources call what OpenAlex has a word for.
const otherWords: Readonly<Record<string, WorkType>> = {
  "journal-article": "article",
  journalarticle: "article",
  "posted-content": "preprint",
  monograph: "book",
  "edited-book": "book",
  "reference-book": "book",
  "book-section": "book-chapter",
  booksection: "book-chapter",
  thesis: "dissertation",
  conference: "proceedings-article",
  "proceedings-paper": "proceedings-article",
};

/** Why an entry that is a work all the same is no record; PRISMA counts these. */
export const noTitle = "It has no title.";

/** A source's word for the kind of a work, as ours; what is unknown is "other". */
export function typeOf(word: string | null): WorkType | null {
  if (word === null) return null;
  const lower = word.toLowerCase();
  return known.has(lower) ? (lower as WorkType) : (otherWords[lower] ?? "other");
}

/** The first subtag of a language, lower case: `en-US` is `en`. */
export function languageOf(tag: string | null): string | null {
  return tag?.split(/[-_]/)[0]?.toLowerCase() || null;
}

/** A text within its bound, not ending in half a character. */
export function cutText(text: string, limit: number, cut: () => void): string {
  if (text.length <= limit) return text;
  cut();
  const end = /[\ud800-\udbff]/.test(text[limit - 1] ?? "") ? limit - 1 : limit;
  return text.slice(0, end);
}

// "p < 0.05 and q > 3" is no tag, and "a<b and c>d" neither.
const tag = /<\/?[a-z][\w:.-]*(?:\s[^<>]*=[^<>]*)?\s*\/?>|<[!?][^<>]*>/gi;

/** Text of mark-up: tags taken out, the five entities read, white space as one space. */
export function withoutTags(marked: string): string {
  return marked
    .replaceAll(tag, " ")
    .replaceAll(/&(lt|gt|amp|quot|apos);/g, (_, name: string) => entities[name] ?? "")
    .replaceAll(/\s+/g, " ")
    .trim();
}

const entities: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };
