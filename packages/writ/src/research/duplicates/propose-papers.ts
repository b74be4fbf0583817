import type { Database } from "../library/database.ts";
import type { Effort } from "./propose-entities.ts";
import { largestBlock } from "./blocks.ts";
import { mergeId, type Proposal, rounded, thresholds } from "./proposal.ts";
import { ratio } from "./similarity.ts";
import { vetoOf } from "./vetoes.ts";

const bare = (text: string) =>
  `trim(regexp_replace(strip_accents(lower(${text})), '[^\\p{L}\\p{N}]+', ' ', 'g'))`;
// The last word of the family name: with and without particles it is the same.
const family = `regexp_extract(${bare("split_part(authors_raw[1], ',', 1)")}, '[^ ]*$')`;

/**
 * What is compared of each active paper, `dup_paper`, and its blocks, `dup_paper_key`: the first four letters of a
 * word of the title together with the family name; papers without authors by the letters alone, with all others.
 */
async function preparePapers(db: Database): Promise<void> {
  await db.run(`
    CREATE OR REPLACE TEMP TABLE dup_paper AS
      SELECT *, CAST(row_number() OVER (ORDER BY id) AS INTEGER) AS n, length(sorted) AS len FROM (
        SELECT id, doi, title, year, nullif(${family}, '') AS family, ${bare("title")} AS text,
          array_to_string(list_sort(string_split(${bare("title")}, ' ')), ' ') AS sorted,
          coalesce(len(references_id), 0) + coalesce(len(refs_other), 0) AS refs
        FROM papers WHERE active);
    CREATE OR REPLACE TEMP TABLE dup_paper_key AS
      SELECT DISTINCT n, left(token, 4) AS key, sorted, len FROM (
        SELECT n, unnest(string_split(sorted, ' ')) AS token, sorted, len FROM dup_paper WHERE sorted <> '')`);
}

/** Where papers without authors are, blocks of too many are split as those of names are. */
async function splitLarge(db: Database): Promise<void> {
  for (let level = 0; ; level += 1) {
    await db.run(
      `CREATE OR REPLACE TEMP TABLE dup_large AS SELECT key FROM dup_paper_key GROUP BY key
       HAVING count(*) > ${largestBlock} AND max(len) > ?`,
      [2 * level],
    );
    const more = await db.row<{ n: number }>("SELECT count(*) AS n FROM dup_large");
    if (!more?.n) return;
    await db.run(
      "UPDATE dup_paper_key SET key = key || '/' || substr(sorted, CAST(? AS INTEGER), 2) WHERE key IN (SELECT key FROM dup_large)",
      [2 * level + 1],
    );
  }
}

// Two DOIs are two works unless the titles are the same.
const fits = `abs(a.len - b.len) <= ? * (a.len + b.len) AND (a.year IS NULL OR b.year IS NULL OR abs(a.year - b.year) <= 1)
  AND (a.doi IS NULL OR b.doi IS NULL OR a.sorted = b.sorted)`;

const both = `
  SELECT a.n AS a, b.n AS b FROM dup_paper_key ka JOIN dup_paper a USING (n)
  JOIN (SELECT k.key, p.* FROM dup_paper_key k JOIN dup_paper p USING (n)) b
    ON ka.key = b.key AND a.family = b.family AND a.n < b.n WHERE ${fits}`;

const one = `
  SELECT least(a.n, b.n) AS a, greatest(a.n, b.n) AS b FROM dup_paper_key ka JOIN dup_paper a USING (n)
  JOIN (SELECT k.key, p.* FROM dup_paper_key k JOIN dup_paper p USING (n)) b
    ON ka.key = b.key AND a.family IS NULL AND a.n <> b.n WHERE ${fits}`;

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

/** Papers that may be one, vetoed pairs included, in no order. */
export async function proposePapers(db: Database, effort: Effort): Promise<Proposal[]> {
  await preparePapers(db);
  const slack = 1 - thresholds.paper / 100;
  await db.run(`CREATE OR REPLACE TEMP TABLE dup_pair AS SELECT DISTINCT a, b FROM (${both})`, [slack]);
  await splitLarge(db);
  await db.run(`INSERT INTO dup_pair SELECT DISTINCT a, b FROM (${one})`, [slack]);
  const side = (as: string) =>
    `{id: ${as}.id, doi: ${as}.doi, title: ${as}.title, text: ${as}.text, sorted: ${as}.sorted, year: ${as}.year, family: ${as}.family, refs: ${as}.refs}`;
  const found: Proposal[] = [];
  const pairs = db.stream<{ one: Side; other: Side }>(
    `SELECT ${side("a")} AS one, ${side("b")} AS other FROM dup_pair d JOIN dup_paper a ON a.n = d.a JOIN dup_paper b ON b.n = d.b`,
  );
  for await (const rows of pairs) {
    effort.compared += rows.length;
    for (const { one: left, other: right } of rows) {
      const score = ratio(left.sorted, right.sorted);
      if (score >= thresholds.paper) found.push(proposalOf(left, right, score));
    }
  }
  return found;
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
