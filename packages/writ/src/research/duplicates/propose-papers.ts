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

const yearsAllow = "(a.year IS NULL OR b.year IS NULL OR abs(a.year - b.year) <= 1)";

/** Pairs that share a block of `dup_block` and of which nothing else says that they are two, into `dup_pair`. */
async function join(db: Database, condition: string): Promise<void> {
  // Narrow rows: the join is the work.
  await db.run(`
    CREATE OR REPLACE TEMP TABLE dup_side AS SELECT k.key, n, CAST(length(sorted) AS INTEGER) AS len, year, fresh,
      doi IS NOT NULL AS registered, hash(sorted) AS title, family IS NULL AS nameless FROM dup_block k JOIN dup_paper USING (n);
    INSERT INTO dup_pair SELECT DISTINCT least(a.n, b.n), greatest(a.n, b.n)
      FROM dup_side a JOIN dup_side b ON a.key = b.key AND ${condition}
      WHERE ${lengthsAllow(thresholds.paper)} AND (a.fresh OR b.fresh)
        AND ${yearsAllow}
        AND (NOT a.registered OR NOT b.registered OR a.title = b.title)`);
}

/**
 * Finds the pairs to compare. Two DOIs are two works unless the titles are the same. Else, papers with authors are in
 * blocks of a beginning and the family name, which no pair of one author leaves, so far as the block has a paper
 * without a DOI; those without authors are compared with all papers of a beginning.
 */
async function findPairs(db: Database, changedBy: string | undefined): Promise<void> {
  await preparePapers(db, changedBy);
  await db.run(`
    INSERT INTO dup_pair SELECT a.n, b.n FROM dup_paper a JOIN dup_paper b
      ON hash(a.sorted) = hash(b.sorted) AND a.family = b.family AND a.n < b.n
      WHERE a.sorted <> '' AND a.doi IS NOT NULL AND b.doi IS NOT NULL AND (a.fresh OR b.fresh) AND ${yearsAllow};
    CREATE OR REPLACE TEMP TABLE dup_raw AS
      SELECT n, key || '|' || family AS key FROM dup_word JOIN dup_paper USING (n) SEMI JOIN (
        SELECT key, family FROM dup_word JOIN dup_paper USING (n) WHERE doi IS NULL AND family IS NOT NULL)
      USING (key, family)`);
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

/** Papers that may be one, vetoed pairs included, in no order. */
export async function proposePapers(db: Database, effort: Effort): Promise<Proposal[]> {
  await findPairs(db, undefined);
  return described(db, await alikePairs(db, effort));
}

/**
 * How many pairs may be one work, of those in which the run brought or changed a paper. Nothing vetoes a pair of the
 * same words: of a title that thousands have, such as Editorial, the pairs are counted where they lie.
 */
export async function countAlike(db: Database, effort: Effort, changedBy: string): Promise<number> {
  await findPairs(db, changedBy);
  await db.run(`CREATE OR REPLACE TEMP TABLE dup_pair AS SELECT DISTINCT a, b, one.sorted = other.sorted AS same
    FROM dup_pair JOIN dup_paper one ON one.n = a JOIN dup_paper other ON other.n = b`);
  const found = await db.row<{ same: number }>("SELECT count(*) FILTER (same) AS same FROM dup_pair");
  const same = found?.same ?? 0;
  effort.compared += same;
  await db.run("DELETE FROM dup_pair WHERE same");
  const others = await described(db, await alikePairs(db, effort));
  return same + others.filter(({ vetoed }) => vetoed === undefined).length;
}

/** Two papers by their numbers, and how alike their titles are. */
type Alike = [a: number, b: number, score: number];

/** The pairs of `dup_pair` whose titles are alike enough. */
async function alikePairs(db: Database, effort: Effort): Promise<Alike[]> {
  const texts: { sorted: string; letters: Uint16Array }[] = [];
  for await (const [n = [], sorted = []] of db.columns(
    "SELECT n, sorted FROM dup_paper WHERE n IN (SELECT a FROM dup_pair UNION ALL SELECT b FROM dup_pair)",
  )) {
    n.forEach((one, at) => {
      const text = sorted[at] as string;
      texts[one as number] = { sorted: text, letters: letterCounts(text) };
    });
  }
  const alike: Alike[] = [];
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
  return alike;
}

/** The proposals that pairs come to; each paper is read once, in however many it is. */
async function described(db: Database, alike: readonly Alike[]): Promise<Proposal[]> {
  const numbers = new Set(alike.flatMap(([a, b]) => [a, b]));
  await db.run("CREATE OR REPLACE TEMP TABLE dup_named (n INTEGER)");
  await db.append(
    "temp.dup_named",
    ["n"],
    Array.from(numbers, (n) => [n]),
  );
  const sides: Side[] = [];
  const rows = db.stream<Side & { n: number }>(
    "SELECT n, id, doi, title, text, year, family, refs FROM dup_paper SEMI JOIN dup_named USING (n)",
  );
  for await (const batch of rows) for (const side of batch) sides[side.n] = side;
  return alike.flatMap(([a, b, score]) => {
    const [one, other] = [sides[a], sides[b]];
    return one && other ? [proposalOf(one, other, score)] : [];
  });
}

function proposalOf(a: Side, b: Side, score: number): Proposal {
  const [keep, drop] = ordered(a, b);
  // The same words, in whatever order, hold nothing that one has and the other lacks.
  const vetoed = score === 100 ? undefined : vetoOf(keep.text, drop.text);
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
