import type { Database, Value } from "../library/database.ts";
import { scopeSql } from "../library/scope.ts";
import type { Scope } from "../model.ts";

/** Which papers a network is made of. */
export interface PaperSelection {
  scope: Scope;
  includeRejected?: boolean;
  /** A paper without a year is kept. */
  minYear?: number;
  maxYear?: number;
  /** Papers of which some raw keyword contains some of these, case ignored. */
  keywords?: readonly string[];
  /** Only so many of them, for a first look. */
  first?: number;
}

// The database folds both: its small letters are not JavaScript's in every script.
const holdsTerm =
  "len(list_filter(keywords_raw, lambda word: list_bool_or(list_transform($3, lambda term: contains(lower(word), lower(term)))))) > 0";

/** The papers of a selection, as a query for `(id, year)`, and the values that it binds. */
export function selectionSql(selection: PaperSelection): { sql: string; values: Value[] } {
  const { scope, includeRejected = false, minYear, maxYear, keywords = [], first } = selection;
  return {
    sql: `SELECT id, year FROM papers
      WHERE ${scopeSql(scope, { includeRejected })}
        AND (year IS NULL OR ($1 IS NULL OR year >= $1) AND ($2 IS NULL OR year <= $2))
        AND (len($3) = 0 OR ${holdsTerm})
      ${first === undefined ? "" : `LIMIT ${Math.trunc(first)}`}`,
    values: [minYear ?? null, maxYear ?? null, [...keywords]],
  };
}

/**
 * Numbers the papers of a selection by their sorted ids, in `net_papers(id, n)`. It and all other tables whose names
 * begin so are temporary, of this connection alone.
 */
export async function selectPapers(
  db: Database,
  selection: PaperSelection,
): Promise<{ papers: number; withoutYear: number }> {
  const { sql, values } = selectionSql(selection);
  await db.run(
    `CREATE OR REPLACE TEMP TABLE net_papers AS
     SELECT id, CAST(row_number() OVER (ORDER BY id) - 1 AS INTEGER) AS n, year IS NULL AS undated FROM (${sql})`,
    values,
  );
  const found = await db.row<{ papers: number; undated: number }>(
    "SELECT count(*) AS papers, count(*) FILTER (undated) AS undated FROM net_papers",
  );
  return { papers: found?.papers ?? 0, withoutYear: found?.undated ?? 0 };
}
