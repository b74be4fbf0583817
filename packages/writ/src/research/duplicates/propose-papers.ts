import type { Database } from "../library/database.ts";
import type { Effort } from "./propose-entities.ts";
import { lengthsAllow, pairsOf, splitBlocks } from "./blocks.ts";
import { mergeId, type Proposal, rounded, thresholds } from "./proposal.ts";
import { letterCounts, ratio, ratioBound } from "./similarity.ts";
import { vetoOf } from "./vetoes.ts";

const bare = (text: string) =>
  `trim(regexp_replace(strip_accents(lower(${text})), '[^\\p{L}\\p{N}]+', ' ', 'g'))`;
/** A paper's title as titles are compared, in SQL. */
export const bareTitle = bare("title");

// The last word of the family name: with and without particles it is the same.
const family = `regexp_extract(${bare("split_part(authors_raw[1], ',', 1)")}, '[^ ]*$')`;

interface Side {
  id: string;
  doi: string | null;
  title: string;
  text: string;
  sorted: string;
  year: number | null;
  family: string | null;
  refs: number;
}

/**
 * What is compared of each active paper, `dup_paper`, and the beginnings of its words, `dup_word(n, key)`. A paper is
 * `fresh` where it is asked about: every one, or those that the run `changedBy` brought or changed.
 */
async function preparePapers(db: Database, changedBy: string | undefined): Promise<void> {
  await db.run(
    `CREATE OR REPLACE TEMP TABLE dup_paper AS
      SELECT *, CAST(row_number() OVER (ORDER BY id) AS INTEGER) AS n FROM (
        SELECT id, doi, title, year, nullif(${family}, '') AS family, text,
          array_to_string(list_sort(string_split(text, ' ')), ' ') AS sorted, refs, fresh
        FROM (SELECT *, ${bareTitle} AS text, coalesce(last_run = $1, true) AS fresh,
          coalesce(len(references_id), 0) + coalesce(len(refs_other), 0) AS refs FROM papers WHERE active))`,
    [changedBy ?? null],
  );
  await db.run(`
    CREATE OR REPLACE TEMP TABLE dup_word AS SELECT n, unnest(list_distinct(
        list_transform(string_split(sorted, ' '), lambda token: left(token, 4)))) AS key
      FROM dup_paper WHERE sorted <> '';
    CREATE OR REPLACE TEMP TABLE dup_pair (a INTEGER, b INTEGER)`);
}

/** Pairs that share a block of `dup_block` and of which nothing else says that they are two, into `dup_pair`. */
async function join(db: Database, condition: string): Promise<void> {
  // Narrow rows: the join is the work. Two DOIs are two works unless the titles are the same.
  await db.run(`
    CREATE OR REPLACE TEMP TABLE dup_side AS SELECT k.key, n, CAST(length(sorted) AS INTEGER) AS len, year, fresh,
      doi IS NOT NULL AS registered, hash(sorted) AS title, family IS NULL AS nameless FROM dup_block k JOIN dup_paper USING (n);
    INSERT INTO dup_pair SELECT DISTINCT least(a.n, b.n), greatest(a.n, b.n)
      FROM dup_side a JOIN dup_side b ON a.key = b.key AND ${condition}
      WHERE ${lengthsAllow(thresholds.paper)} AND (a.fresh OR b.fresh)
        AND (a.year IS NULL OR b.year IS NULL OR abs(a.year - b.year) <= 1)
        AND (NOT a.registered OR NOT b.registered OR a.title = b.title)`);
}

/**
 * Finds the pairs to compare. Papers with authors are in blocks of a beginning and the family name, which no pair of
 * one author leaves; those without are compared with all papers of a beginning.
 */
async function findPairs(db: Database, changedBy: string | undefined): Promise<void> {
  await preparePapers(db, changedBy);
  await db.run(`CREATE OR REPLACE TEMP TABLE dup_raw AS
    SELECT n, key || '|' || family AS key FROM dup_word JOIN dup_paper USING (n) WHERE family IS NOT NULL`);
  await keepFreshBlocks(db);
  await splitBlocks(db, "dup_paper");
  await join(db, "a.n < b.n");
  const nameless = await db.row("SELECT 1 AS one FROM dup_paper WHERE family IS NULL LIMIT 1");
  if (!nameless) return;
  await db.run(`CREATE OR REPLACE TEMP TABLE dup_raw AS SELECT * FROM dup_word WHERE key IN (
    SELECT key FROM dup_word JOIN dup_paper USING (n) WHERE family IS NULL)`);
  await keepFreshBlocks(db);
  await splitBlocks(db, "dup_paper");
  await join(db, "a.nameless AND (a.n < b.n OR NOT b.nameless)");
}

/** A block without a paper that is asked about has no pair to find. */
async function keepFreshBlocks(db: Database): Promise<void> {
  await db.run(`CREATE OR REPLACE TEMP TABLE dup_raw AS SELECT * FROM dup_raw WHERE key IN (
    SELECT key FROM dup_raw JOIN dup_paper USING (n) WHERE fresh)`);
}

/**
 * Papers that may be one, vetoed pairs included, in no order. With `changedBy` only pairs of which that run brought or
 * changed a paper are looked for.
 */
export async function proposePapers(db: Database, effort: Effort, changedBy?: string): Promise<Proposal[]> {
  await findPairs(db, changedBy);
  const texts: { sorted: string; letters: Uint16Array }[] = [];
  for await (const [n = [], sorted = []] of db.columns(
    "SELECT n, sorted FROM dup_paper WHERE n IN (SELECT a FROM dup_pair UNION ALL SELECT b FROM dup_pair)",
  )) {
    n.forEach((one, at) => {
      const text = sorted[at] as string;
      texts[one as number] = { sorted: text, letters: letterCounts(text) };
    });
  }
  const alike: [number, number, number][] = [];
  for await (const { a, b } of pairsOf(db, "SELECT DISTINCT a, b FROM dup_pair")) {
    effort.compared += a.length;
    for (let at = 0; at < a.length; at += 1) {
      const left = texts[a[at] ?? 0];
      const right = texts[b[at] ?? 0];
      if (!left || !right || ratioBound(left.letters, right.letters) < thresholds.paper) continue;
      const score = ratio(left.sorted, right.sorted);
      if (score >= thresholds.paper) alike.push([a[at] ?? 0, b[at] ?? 0, score]);
    }
  }
  return described(db, alike);
}

async function described(db: Database, alike: readonly [number, number, number][]): Promise<Proposal[]> {
  await db.run("CREATE OR REPLACE TEMP TABLE dup_alike (a INTEGER, b INTEGER, score DOUBLE)");
  await db.append("temp.dup_alike", ["a", "b", "score"], alike);
  const side = (as: string) =>
    `{id: ${as}.id, doi: ${as}.doi, title: ${as}.title, text: ${as}.text, sorted: ${as}.sorted, year: ${as}.year, family: ${as}.family, refs: ${as}.refs}`;
  const rows = await db.rows<{ one: Side; other: Side; score: number }>(
    `SELECT ${side("a")} AS one, ${side("b")} AS other, score
     FROM dup_alike d JOIN dup_paper a ON a.n = d.a JOIN dup_paper b ON b.n = d.b`,
  );
  return rows.map(({ one, other, score }) => proposalOf(one, other, score));
}

function proposalOf(a: Side, b: Side, score: number): Proposal {
  const [keep, drop] = ordered(a, b);
  const vetoed = vetoOf(keep.text, drop.text);
  return {
    proposal: mergeId("paper", keep.id, drop.id),
    kind: "paper",
    keep: keep.id,
    drop: drop.id,
    keep_label: keep.title,
    drop_label: drop.title,
    score: rounded(score),
    evidence: [
      score === 100 ? "same_title" : "similar_title",
      ...(a.year === null || b.year === null ? [] : [a.year === b.year ? "same_year" : "next_year"]),
      ...(a.family !== null && a.family === b.family ? ["same_first_author"] : []),
      ...(a.doi !== null && b.doi !== null ? ["two_dois"] : []),
    ],
    ...(vetoed && { vetoed }),
  };
}

/** A DOI is kept before none, then more references, then the smaller id. */
function ordered(a: Side, b: Side): [keep: Side, drop: Side] {
  const first = Number(b.doi !== null) - Number(a.doi !== null) || b.refs - a.refs || (a.id < b.id ? -1 : 1);
  return first <= 0 ? [a, b] : [b, a];
}
