import { type CanonicalColumn, canonicalColumns } from "../../model.ts";
import type { Database } from "../database.ts";
import { hashedColumns, rowHash, withText } from "../hash.ts";
import { recordShape } from "../record.ts";
import { type FoldRecord, foldRecords } from "./records.ts";
import { counting } from "./reach.ts";

/** Writ's own columns that a paper takes from its records as they are folded. */
const own = (Object.keys(recordShape) as (keyof typeof recordShape)[]).filter(
  (name) => !["ids", "venue", "corpus_provenance", ...canonicalColumns].includes(name),
);

/** Prepares what the rows of papers are made of, beside the records themselves, in temporary tables. */
export async function prepareRows(db: Database): Promise<Ways> {
  const ways = await waysOf(db);
  await db.run(`CREATE OR REPLACE TEMP TABLE f_alone AS SELECT f.place, m.out
    FROM f_rec f JOIN f_member m USING (rid) JOIN f_out o ON o.out = m.out AND o.n = 1`);
  await foldGroups(db, ways);
  await statusOf(db);
  await citersOf(db);
  await referenceDois(db, ways);
  await factsOf(db);
  if (ways.hashed) await hashRows(db, ways);
  return ways;
}

/** All that a row has beside its records, put together here: the fewer tables these wide rows are held against, the better. */
async function factsOf(db: Database): Promise<void> {
  await db.run(`CREATE OR REPLACE TEMP TABLE f_facts AS
    SELECT o.out, a.place, o.id, o.merged_into, o.active, t.is_seed, t.hop, t.first_run,
      CASE WHEN s.changed > t.changed THEN s.changed.run ELSE t.changed.run END AS last_run, s.said, c.citers, d.dois
    FROM f_out o JOIN (
      SELECT m.out, bool_or(f.seed) AS is_seed, CASE WHEN bool_or(f.seed) THEN 0 ELSE min(f.hop) END AS hop,
        min({t: f.first_at, run: f.first_run}).run AS first_run, max({t: f.content_at, run: f.content_run}) AS changed
      FROM f_member m JOIN f_rec f USING (rid) GROUP BY m.out) t USING (out)
    LEFT JOIN f_alone a USING (out) LEFT JOIN f_status s ON s.id = o.id LEFT JOIN f_citers c USING (out)
    LEFT JOIN f_dois d USING (out)`);
}

/**
 * The hash of every row, where there is little memory: before the rows themselves, from the columns that count for it.
 * Where there is more, rows and their hashes are made at once, which takes two thirds of the time.
 */
async function hashRows(db: Database, ways: Ways): Promise<void> {
  const rows = rowsOf(ways, (b, corpus) => [
    "t.out",
    ...hashedColumns.map((name) => `${canonical(name, b, corpus)} AS ${name}`),
  ]);
  await asWritten(
    db,
    `CREATE OR REPLACE TEMP TABLE f_hash AS SELECT out, ${rowHash("text")} AS row_hash FROM (${withText(`(${rows})`)})`,
  );
  await db.run(
    "CREATE OR REPLACE TEMP TABLE f_row AS SELECT f.*, h.row_hash FROM f_facts f JOIN f_hash h USING (out)",
  );
}

/**
 * Runs a statement whose joins are made as they are written: rows of this transaction are not counted yet, and a plan
 * would take all records into memory.
 */
export async function asWritten(db: Database, sql: string): Promise<void> {
  await db.run("SET disabled_optimizers = 'join_order,build_side_probe_side'");
  try {
    await db.run(sql);
  } finally {
    // A statement that failed ends the transaction, and with it all others.
    await db.run("RESET disabled_optimizers").catch(() => undefined);
  }
}

/** Papers of several records, folded; each as JSON in `f_folded`. */
async function foldGroups(db: Database, ways: Ways): Promise<void> {
  await db.run("CREATE OR REPLACE TEMP TABLE f_folded (out INTEGER, json VARCHAR)");
  if (ways.several) await db.append("temp.f_folded", ["out", "json"], folding(db));
}

async function* folding(db: Database): AsyncGenerator<[number, string]> {
  const columns = Object.keys(recordShape)
    .filter((name) => !["ids", "publication_date", "corpus_provenance"].includes(name))
    .map((name) => `c.${name}`);
  let out: number | undefined;
  let records: FoldRecord[] = [];
  for await (const rows of db.stream<FoldRecord & { out: number }>(`
    SELECT m.out, c.source, ${columns.join(", ")}, CAST(c.publication_date AS VARCHAR) AS publication_date
    FROM f_member m JOIN f_out o ON o.out = m.out AND o.n > 1 JOIN f_rec f USING (rid)
    JOIN records c ON c.rowid = f.place
    ORDER BY m.out, m.side, m.trust, m.fetched_at DESC, m.source_key`))
    for (const row of rows) {
      if (out !== undefined && row.out !== out) {
        yield [out, JSON.stringify(foldRecords(records))];
        records = [];
      }
      out = row.out;
      records.push(row);
    }
  if (out !== undefined) yield [out, JSON.stringify(foldRecords(records))];
}

/** What was decided of each paper: the last word of a person or an import, else a filter's. */
async function statusOf(db: Database): Promise<void> {
  await db.run(`CREATE OR REPLACE TEMP TABLE f_status AS
    SELECT d.paper_id AS id,
      coalesce(max({t: d.decided_at, yes: d.decision = 'accepted', seq: d.seq, said: d.decision})
          FILTER (d.kind <> 'filter' AND d.decision IS NOT NULL).said,
        CASE WHEN bool_or(d.kind = 'filter' AND d.decision = 'rejected') THEN 'rejected' END) AS said,
      max({t: d.decided_at, run: d.run_id}) FILTER (d.decision IS NOT NULL) AS changed
    FROM decisions d JOIN runs r USING (run_id) WHERE r.revoked_by IS NULL AND d.paper_id IN (SELECT id FROM f_out)
    GROUP BY d.paper_id`);
}

async function citersOf(db: Database): Promise<void> {
  await db.run(`CREATE OR REPLACE TEMP TABLE f_citers AS
    SELECT m.out, list(DISTINCT c.citer) AS citers FROM citers c JOIN runs r USING (run_id)
      JOIN f_ids i ON i.engine = 'openalex' AND i.value = c.cited JOIN f_member m ON m.rid = i.rid
    WHERE r.revoked_by IS NULL GROUP BY m.out`);
}

/** For papers some of whose references were looked up: their DOIs, aligned with the references. */
async function referenceDois(db: Database, ways: Ways): Promise<void> {
  await db.run(`
    CREATE OR REPLACE TEMP TABLE f_known AS
      SELECT ref_id, arg_max(doi, checked_at) AS doi FROM ref_dois ${counting} GROUP BY ref_id;
    CREATE OR REPLACE TEMP TABLE f_dois (out INTEGER, dois VARCHAR[])`);
  const any = await db.row("SELECT 1 AS one FROM f_known LIMIT 1");
  if (!any) return;
  const listed = rowsOf(
    ways,
    (b, corpus) => ["t.out", `${b}.references_id AS references_id`, `${corpus} AS is_corpus`],
    "(SELECT out, place FROM f_out LEFT JOIN f_alone USING (out))",
  );
  await db.run(`INSERT INTO f_dois SELECT out, list(doi ORDER BY pos) FROM (
      SELECT b.out, b.pos, k.doi, k.ref_id IS NOT NULL AS known FROM (
        SELECT out, unnest(references_id) AS ref_id, generate_subscripts(references_id, 1) AS pos
        FROM (${listed}) WHERE NOT is_corpus AND references_id IS NOT NULL) b
      LEFT JOIN f_known k USING (ref_id))
    GROUP BY out HAVING bool_or(known)`);
}

/** Which of the two ways to a row are needed: planning one that is not costs as much as the work itself. */
export interface Ways {
  alone: boolean;
  several: boolean;
  /** Whether the hashes of the rows were made before the rows. */
  hashed: boolean;
}

async function waysOf(db: Database): Promise<Ways> {
  const row = await db.row<Pick<Ways, "alone" | "several">>(
    "SELECT coalesce(bool_or(n = 1), true) AS alone, coalesce(bool_or(n > 1), false) AS several FROM f_out",
  );
  return { ...(row ?? { alone: true, several: true }), hashed: db.usesLittle };
}

/**
 * One query over the outputs of all ways. `columns` names what it selects, of `t` (the facts) and of what its records
 * came to, whose columns stand behind `b`; `corpus` is whether its references are a corpus record's.
 */
function rowsOf(
  ways: Ways,
  columns: (b: string, corpus: string) => readonly string[],
  facts = "f_facts",
): string {
  const shape = JSON.stringify({ ...recordShape, refs_corpus: "BOOLEAN" });
  const isCorpus = "(c.source = 'corpus' AND (c.references_id IS NOT NULL OR c.references_doi IS NOT NULL))";
  const alone = `SELECT ${columns("c", isCorpus).join(", ")} FROM records c JOIN ${facts} t ON c.rowid = t.place`;
  const several = `SELECT ${columns("j", "j.refs_corpus").join(", ")}
    FROM (SELECT out, json_transform(json, '${shape}') AS j FROM f_folded) JOIN ${facts} t USING (out)`;
  return [...(ways.alone ? [alone] : []), ...(ways.several ? [several] : [])].join(" UNION ALL ");
}

type Column = (b: string, corpus: string) => string;

/** Canonical columns of a paper that are not simply those of what its records came to. */
const computed: Partial<Record<CanonicalColumn, Column>> = {
  id: () => "t.id",
  is_seed: () => "t.is_seed",
  source: (b) => `${b}.venue`,
  curation_status: (b) => `coalesce(t.said, ${b}.curation_status, 'candidate')`,
  provenance: () => "CAST(NULL AS VARCHAR)",
  references_doi: (b, corpus) => `CASE WHEN ${corpus} THEN ${b}.references_doi ELSE t.dois END`,
  cited_by_id: (b) => `CASE WHEN t.citers IS NULL THEN ${b}.cited_by_id
    ELSE list_sort(list_distinct(list_concat(coalesce(${b}.cited_by_id, []), t.citers))) END`,
};

function canonical(name: CanonicalColumn, b: string, corpus: string): string {
  return computed[name]?.(b, corpus) ?? `${b}.${name}`;
}

/** The rows of `papers` for all outputs, by name, as one query. Its joins are written with the widest table first. */
export function paperRows(ways: Ways): string {
  const facts = [
    "hop",
    "first_run",
    "last_run",
    "merged_into",
    "active",
    ...(ways.hashed ? ["row_hash"] : []),
  ];
  const rows = rowsOf(
    ways,
    (b, corpus) => [
      ...canonicalColumns.map((name) => `${canonical(name, b, corpus)} AS ${name}`),
      ...own.map((name) => `${b}.${name}`),
      ...facts.map((name) => `t.${name}`),
    ],
    ways.hashed ? "f_row" : "f_facts",
  );
  if (ways.hashed) return rows;
  return `SELECT * EXCLUDE (text), ${rowHash("text")} AS row_hash FROM (${withText(`(${rows})`)})`;
}
