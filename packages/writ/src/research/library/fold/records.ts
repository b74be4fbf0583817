import type { Value } from "../database.ts";
import { normaliseText } from "../identity.ts";

/** A record as it is folded: the columns of `records`, dates as text. */
export type FoldRecord = Readonly<Record<string, Value>> & { source: Value };

/** What several records come to: the columns of `records`, as one of them would have. */
export interface FoldedRecord {
  [column: string]: Value;
  /** Whether the references are those of a corpus record, which is taken as it stands. */
  refs_corpus: boolean;
}

/** Taken from the first record that has a value. */
const scalars = [
  "source_id",
  "doi",
  "title",
  "year",
  "abstract",
  "venue",
  "language",
  "publisher",
  "type",
  "publication_date",
  "cited_by_count",
  "is_retracted",
  "volume",
  "issue",
  "pages",
  "issn",
  "url",
  "curation_status",
] as const;

/** Taken together, from the first record that names an author. */
const authorBlock = [
  "authors_raw",
  "authors_id",
  "authors_affiliations",
  "institutions_raw",
  "institutions_id",
  "authorships",
  "countries",
] as const;

/**
 * Folds the records of one paper, the most believed first, into one. Pure; one record comes out as it went in.
 *
 * Scalars come from the first record that has them, authors as one block, lists are united in order of appearance.
 */
export function foldRecords(records: readonly FoldRecord[]): FoldedRecord {
  const folded: FoldedRecord = { refs_corpus: false };
  for (const column of scalars) folded[column] = firstOf(records, column);
  const naming = records.find((one) => one.authors_raw !== null);
  for (const column of authorBlock) folded[column] = naming?.[column] ?? null;
  Object.assign(folded, keywordsOf(records), referencesOf(records));
  folded.research_areas = united(records, "research_areas", (item) => String(item));
  folded.refs_other = united(records, "refs_other", otherKey);
  const citing = united(records, "cited_by_id", (item) => String(item));
  folded.cited_by_id = citing && [...citing].sort((a, b) => compare(String(a), String(b)));
  return folded;
}

function firstOf(records: readonly FoldRecord[], column: string): Value {
  for (const one of records) {
    const value = one[column] ?? null;
    if (value !== null) return value;
  }
  return null;
}

/** All items in order, each at its first appearance; null while no record has the list at all. */
function united(
  records: readonly FoldRecord[],
  column: string,
  keyOf: (item: Value) => string,
): Value[] | null {
  const lists = records.flatMap((one) => (one[column] === null ? [] : [one[column] as Value[]]));
  if (lists.length === 0) return null;
  const seen = new Set<string>();
  return lists.flat().filter((item) => {
    const key = keyOf(item);
    return !seen.has(key) && seen.add(key);
  });
}

function otherKey(item: Value): string {
  const { doi, id, raw } = item as { doi: string | null; id: string | null; raw: string | null };
  if (doi !== null) return `doi:${doi}`;
  return id === null ? `raw:${raw}` : `id:${id}`;
}

/** Keywords are pairs: one whose id or whose normalised text was there already is left out. */
function keywordsOf(records: readonly FoldRecord[]): Record<string, Value> {
  const ids: string[] = [];
  const names: string[] = [];
  const scores: (number | null)[] = [];
  const seen = new Set<string>();
  for (const one of records) {
    const raw = one.keywords_raw as string[] | null;
    const known = one.keywords_id as string[] | null;
    const scored = one.keyword_scores as (number | null)[] | null;
    (raw ?? []).forEach((name, at) => {
      const text = normaliseText(name);
      const id = known?.[at] ?? text;
      if (seen.has(`id ${id}`) || seen.has(`text ${text}`)) return;
      seen.add(`id ${id}`).add(`text ${text}`);
      ids.push(id);
      names.push(name);
      scores.push(scored?.[at] ?? null);
    });
  }
  if (!records.some((one) => one.keywords_raw !== null))
    return { keywords_raw: null, keywords_id: firstOf(records, "keywords_id"), keyword_scores: null };
  return {
    keywords_raw: names,
    keywords_id: records.some((one) => one.keywords_id !== null) ? ids : null,
    keyword_scores: scores.some((score) => score !== null) ? scores : null,
  };
}

function referencesOf(records: readonly FoldRecord[]): Record<string, Value> & { refs_corpus: boolean } {
  const naming = records.filter((one) => (one.references_id ?? one.references_doi ?? null) !== null);
  const only = naming.length === 1 && naming[0]?.source === "corpus" ? naming[0] : undefined;
  return {
    references_id: united(records, "references_id", (item) => String(item)),
    references_doi: only?.references_doi ?? null,
    refs_corpus: only !== undefined,
  };
}

// As DuckDB orders texts: by code point.
function compare(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
