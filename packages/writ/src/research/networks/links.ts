import type { Database } from "../library/database.ts";
import type { KeyOf } from "./kinds.ts";
import {
  authorMentions,
  citerMentions,
  countryMentions,
  institutionMentions,
  keywordMentions,
  nameAsTold,
  nameAuthors,
  nameInstitutions,
  nameKeywords,
} from "./names.ts";
import { nameReferences, referenceMentions } from "./reference-keys.ts";
import type { ActiveThesaurus } from "./thesaurus.ts";

/**
 * Which papers of `net_papers` hold which keys: `net_keys(id, n)`, numbered by sorted id, and `net_links(paper, key)`,
 * distinct.
 */
export async function linkPapers(db: Database, key: KeyOf, thesaurus?: ActiveThesaurus): Promise<void> {
  await db.run(
    `CREATE OR REPLACE TEMP TABLE net_raw AS SELECT paper, value FROM (${mentionsOf(key, thesaurus)}) WHERE value IS NOT NULL`,
  );
  await nameKeys(db, key, thesaurus);
  await db.run(`
    CREATE OR REPLACE TEMP TABLE net_keys AS
    SELECT id, CAST(row_number() OVER (ORDER BY id) - 1 AS INTEGER) AS n
    FROM (SELECT DISTINCT id FROM net_names WHERE id <> '')`);
  await db.run(`
    CREATE OR REPLACE TEMP TABLE net_links AS
    SELECT DISTINCT paper, n AS key FROM net_raw JOIN net_names USING (value) JOIN net_keys USING (id)`);
}

/** Which paper mentions what, as told: rows `(paper, value)` of `net_papers`. */
export function mentionsOf(key: KeyOf, thesaurus: ActiveThesaurus | undefined): string {
  switch (key) {
    case "reference":
      return referenceMentions;
    case "citer":
      return citerMentions;
    case "author":
      return authorMentions;
    case "institution":
      return institutionMentions;
    case "keyword":
      return keywordMentions(thesaurus !== undefined);
    case "country":
      return countryMentions;
  }
}

async function nameKeys(db: Database, key: KeyOf, thesaurus: ActiveThesaurus | undefined): Promise<void> {
  switch (key) {
    case "reference":
      return nameReferences(db);
    case "author":
      return nameAuthors(db);
    case "institution":
      return nameInstitutions(db);
    case "keyword":
      return nameKeywords(db, thesaurus);
    case "citer":
    case "country":
      return nameAsTold(db);
  }
}

/** How the papers' keywords fared under a thesaurus; `net_links` must be those of keywords. */
export async function thesaurusCounts(
  db: Database,
  { canons, appliedAt }: ActiveThesaurus,
): Promise<ThesaurusCounts> {
  const total = await db.row<{ total: number; mapped: number }>(
    `SELECT count(*) AS total, count(*) FILTER (id IN (SELECT unnest($1))) AS mapped
     FROM net_links JOIN net_keys ON n = key`,
    [[...new Set(canons.values())]],
  );
  return {
    keywords_mapped: total?.mapped ?? 0,
    keywords_total: total?.total ?? 0,
    aliases_loaded: canons.size,
    applied_at: appliedAt,
  };
}

export interface ThesaurusCounts {
  /** Keywords of papers that are canons. */
  keywords_mapped: number;
  keywords_total: number;
  /** Texts that the thesaurus knows, canons included. */
  aliases_loaded: number;
  applied_at: string;
}
