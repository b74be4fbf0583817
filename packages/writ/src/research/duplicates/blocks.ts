import type { Database } from "../library/database.ts";

/** Members a block may have before it is split. */
const largestBlock = 500;

/**
 * Makes `dup_block(n, key)` of `dup_raw(n, key)` and the sorted texts in another table `(n, sorted)`: which texts are
 * compared with which, by a hash of their block. A block of too many is split by the next two letters of the sorted
 * text, again until it is not, or until its texts end.
 */
export async function splitBlocks(db: Database, texts: "dup_text" | "dup_paper"): Promise<void> {
  await db.run(`
    CREATE OR REPLACE TEMP TABLE dup_large AS SELECT key FROM dup_raw GROUP BY key HAVING count(*) > ${largestBlock};
    CREATE OR REPLACE TEMP TABLE dup_block AS SELECT n, hash(key) AS key FROM dup_raw ANTI JOIN dup_large USING (key);
    CREATE OR REPLACE TEMP TABLE dup_rest AS
      SELECT n, key, sorted FROM dup_raw SEMI JOIN dup_large USING (key) JOIN ${texts} USING (n)`);
  for (let from = 1; ; from += 2) {
    await db.run(`
      CREATE OR REPLACE TEMP TABLE dup_large AS SELECT key FROM dup_rest GROUP BY key
        HAVING count(*) > ${largestBlock} AND max(length(sorted)) >= ${from};
      INSERT INTO dup_block SELECT n, hash(key) FROM dup_rest ANTI JOIN dup_large USING (key);
      CREATE OR REPLACE TEMP TABLE dup_rest AS
        SELECT n, key || '/' || substr(sorted, ${from}, 2) AS key, sorted FROM dup_rest SEMI JOIN dup_large USING (key)`);
    const rest = await db.row<{ n: number }>("SELECT count(*) AS n FROM dup_rest");
    if (!rest?.n) return;
  }
}

/** That the lengths of two texts allow the threshold, for rows a and b. */
export function lengthsAllow(threshold: number): string {
  return `abs(a.len - b.len) * 100 <= ${100 - threshold} * (a.len + b.len)`;
}

/** Pairs of numbers, in batches: DuckDB finds them, nothing else here goes over pairs. */
export async function* pairsOf(
  db: Database,
  sql: string,
): AsyncGenerator<{ a: readonly number[]; b: readonly number[] }> {
  for await (const [a = [], b = []] of db.columns(sql)) yield { a: a as number[], b: b as number[] };
}
