import { normaliseDoi } from "../library/identity.ts";
import type { YearRange } from "./ast.ts";
import { type Dialect, listed, type Restricting, type Restriction, type Wild } from "./dialect.ts";
import { languageCode } from "./languages.ts";
import type { Query, Scope } from "./query.ts";
import { workType } from "./types.ts";

const issn = /^\d{4}-?\d{3}[\dx]$/i;
const keywords = "sent as title_and_abstract.search, which does not look in keywords";
// More alternatives of `$` than these make a query nobody can read.
const DOLLARS_MAX = 2;
const UNSTEMMED =
  "the whole request goes to the unstemmed field, because the stemmed one matches wildcards wrongly";

/** How OpenAlex's `filter` understands an equation. */
export const openAlexDialect: Dialect = {
  spelling: { and: " AND ", or: " OR ", not: "NOT " },
  signs: null,
  // ! : | and \ mean something to the filter or to the search behind it, as do + and - before a word.
  separators: /[!|:\\~]+|^[-+]+/,
  scopes: {
    ts: { scope: "both", effect: "narrower", reason: keywords },
    tak: { scope: "both", effect: "narrower", reason: keywords },
    tiab: { scope: "both", effect: "same", reason: "sent as title_and_abstract.search" },
    ti: { scope: "title", effect: "same", reason: "sent as title.search" },
    ab: { scope: "abstract", effect: "same", reason: "sent as abstract.search" },
    ak: {
      scope: "both",
      effect: "unknown",
      reason: "sent as title_and_abstract.search: keywords cannot be searched as words",
    },
  },
  restrict,
  said: (restriction) => `sent as ${conditionsOf(restriction).map(printCondition).join(",")}`,
  wild: wildWord,
  wildPhrase: (phrase) => {
    const whole = !phrase.includes("$") && phrase.split(/\s+/).every((word) => reasonAgainst(word) === null);
    return whole ? { reason: `sent as it is, being the whole equation; ${UNSTEMMED}` } : null;
  },
};

const wants: Readonly<Record<string, string>> = {
  au: "OpenAlex wants the id of an author; look one up at https://openalex.org/authors",
  so: "OpenAlex wants an ISSN or the id of a source; look one up at https://openalex.org/sources",
  wc: "OpenAlex has topics of its own; look one up at https://openalex.org/topics",
};

function restrict(tag: string, values: readonly string[] | null): Restricting {
  const wanted = wants[tag];
  if (tag !== "so" && wanted !== undefined) return { refused: wanted };
  if (values === null) return { refused: "its value is more than a list of alternatives" };
  if (tag === "la")
    return listed("language", values, { read: languageCode, reason: "no language in it is known" });
  if (tag === "dt")
    return listed("type", values, { read: workType, reason: "no kind of work in it is known" });
  if (tag === "so")
    return listed("primary_location.source.issn", values, { read: asIssn, reason: wanted ?? "", all: true });
  const reason = "it is no DOI, or holds a comma or a bar, which a filter cannot";
  return listed("doi", values, { read: asDoi, reason });
}

function asIssn(text: string): string | undefined {
  if (!issn.test(text)) return undefined;
  const digits = text.replace("-", "").toUpperCase();
  return `${digits.slice(0, 4)}-${digits.slice(4)}`;
}

function asDoi(text: string): string | undefined {
  const doi = normaliseDoi(text);
  return doi === null || /[,|]/.test(doi) ? undefined : doi;
}

/** A condition of the filter: a key with alternative values. */
export interface Condition {
  key: string;
  values: string[];
}

/** A restriction as conditions. */
export function conditionsOf(restriction: Restriction): Condition[] {
  return restriction.years ? datesOf(restriction.years) : [restriction];
}

/** Years as conditions on the date of publication. */
export function datesOf({ from, to }: YearRange): Condition[] {
  const digits = (year: number): string => String(year).padStart(4, "0");
  return [
    ...(from === null ? [] : [{ key: "from_publication_date", values: [`${digits(from)}-01-01`] }]),
    ...(to === null ? [] : [{ key: "to_publication_date", values: [`${digits(to)}-12-31`] }]),
  ];
}

export function printCondition({ key, values }: Condition): string {
  return `${key}:${values.join("|")}`;
}

function wildWord(word: string, scope: Scope): Wild {
  const against = reasonAgainst(word);
  if (against !== null) return { query: null, reason: against };
  const spellings = withoutDollars(word);
  const terms = spellings.map((text): Query => ({ kind: "term", text, scope, wild: true }));
  const [only] = terms;
  const change = "unstemmed";
  if (only && terms.length === 1)
    return { query: only, action: "rewritten", change, reason: `sent as ${word}; ${UNSTEMMED}` };
  const reason = `sent as ${spellings.join(" OR ")}; ${UNSTEMMED}`;
  return { query: { kind: "or", parts: terms }, action: "rewritten", change, reason };
}

/** Why OpenAlex refuses a word with these wildcards; null when it takes it. */
function reasonAgainst(word: string): string | null {
  if (/^[*?$]/.test(word)) return "OpenAlex takes no wildcard at the beginning of a word";
  const [stem = "", ...more] = word.split("*");
  const letters = stem.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  if (more.length > 0 && letters < 3) return "OpenAlex wants at least three letters before *";
  const dollars = word.split("$").length - 1;
  return dollars > DOLLARS_MAX ? `more than ${DOLLARS_MAX} letters that may be missing` : null;
}

// `$` is one letter or none.
function withoutDollars(word: string): string[] {
  const at = word.indexOf("$");
  if (at === -1) return [word];
  const rest = withoutDollars(word.slice(at + 1));
  return ["", "?"].flatMap((letter) => rest.map((tail) => word.slice(0, at) + letter + tail));
}
