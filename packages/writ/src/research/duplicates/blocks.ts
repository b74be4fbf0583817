import type { Database, Value } from "../library/database.ts";

/** Members a block may have before it is split. */
export const largestBlock = 500;

/** One text in the blocks of its keys. */
export interface Blocked {
  n: number;
  /** Its words in order. */
  sorted: string;
  keys: readonly string[];
  /** Texts of which both are marked are never compared. */
  apart: boolean;
}

/**
 * Puts texts into blocks, `dup_key(n, key, sorted, len, apart)`. A block of too many is split by the next two letters
 * of the sorted text, again until it is not, or until the texts of it end.
 */
export async function makeBlocks(db: Database, texts: Iterable<Blocked>): Promise<void> {
  await db.run(
    "CREATE OR REPLACE TEMP TABLE dup_key (n INTEGER, key VARCHAR, sorted VARCHAR, len INTEGER, apart BOOLEAN)",
  );
  await db.append("temp.dup_key", ["n", "key", "sorted", "len", "apart"], rowsOf(texts));
  for (let level = 0; ; level += 1) {
    await db.run(
      `CREATE OR REPLACE TEMP TABLE dup_large AS SELECT key FROM dup_key GROUP BY key
       HAVING count(*) > ${largestBlock} AND max(len) > ?`,
      [2 * level],
    );
    const more = await db.row<{ n: number }>("SELECT count(*) AS n FROM dup_large");
    if (!more?.n) return;
    await db.run(
      "UPDATE dup_key SET key = key || '/' || substr(sorted, CAST(? AS INTEGER), 2) WHERE key IN (SELECT key FROM dup_large)",
      [2 * level + 1],
    );
  }
}

function* rowsOf(texts: Iterable<Blocked>): Generator<Value[]> {
  for (const { n, sorted, keys, apart } of texts) {
    for (const key of new Set(keys)) yield [n, key, sorted, sorted.length, apart];
  }
}

/**
 * The pairs that share a block and whose lengths allow the threshold, each once, as columns of numbers. DuckDB finds
 * them; nothing else here goes over pairs.
 */
export async function* blockPairs(
  db: Database,
  threshold: number,
): AsyncGenerator<{ a: readonly number[]; b: readonly number[] }> {
  const slack = 1 - threshold / 100;
  const pairs = db.columns(
    `SELECT DISTINCT a.n AS a, b.n AS b FROM dup_key a JOIN dup_key b ON a.key = b.key AND a.n < b.n
     WHERE abs(a.len - b.len) <= ? * (a.len + b.len) AND NOT (a.apart AND b.apart)`,
    [slack],
  );
  for await (const [a = [], b = []] of pairs) yield { a: a as number[], b: b as number[] };
}
