import type { Database } from "../database.ts";
import { rowHash, withText } from "../hash.ts";
import { recordShape } from "../record.ts";
import { type FoldRecord, foldRecords } from "./records.ts";
import { counting } from "./reach.ts";

/** Columns that a paper takes from its records as they are folded; a record's venue is a paper's `source`. */
const taken = Object.keys(recordShape).filter(
  (name) =>
    !["ids", "venue", "references_doi", "cited_by_id", "curation_status", "corpus_provenance"].includes(name),
);

/** Prepares what the rows of papers are made of, beside the records themselves, in temporary tables. */
export async function prepareRows(db: Database): Promise<Ways> {
  const ways = await waysOf(db);
  await db.run(`CREATE OR REPLACE TEMP TABLE f_alone AS SELECT f.source, f.source_key, f.row_hash, m.out
    FROM f_rec f JOIN f_member m USING (rid) JOIN f_out o ON o.out = m.out AND o.n = 1`);
  await foldGroups(db, ways);
  await statusOf(db);
  await citersOf(db);
  await referenceDois(db, ways);
  await factsOf(db);
  return ways;
}

/** All that a row has beside its records, put together here: the fewer tables these wide rows are held against, the better. */
async function factsOf(db: Database): Promise<void> {
  await db.run(`CREATE OR REPLACE TEMP TABLE f_facts AS
    SELECT o.out, o.id, o.merged_into, o.active, t.is_seed, t.hop, t.first_run,
      CASE WHEN s.changed > t.changed THEN s.changed.run ELSE t.changed.run END AS last_run, s.said, c.citers, d.dois
    FROM f_out o JOIN (
      SELECT m.out, bool_or(f.seed) AS is_seed, CASE WHEN bool_or(f.seed) THEN 0 ELSE min(f.hop) END AS hop,
        min({t: f.first_at, run: f.first_run}).run AS first_run, max({t: f.content_at, run: f.content_run}) AS changed
      FROM f_member m JOIN f_rec f USING (rid) GROUP BY m.out) t USING (out)
    LEFT JOIN f_status s ON s.id = o.id LEFT JOIN f_citers c USING (out) LEFT JOIN f_dois d USING (out)`);
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
    JOIN records c ON c.source = f.source AND c.source_key = f.source_key AND c.row_hash = f.row_hash
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
  await db.run(`INSERT INTO f_dois SELECT out, list(doi ORDER BY pos) FROM (
      SELECT b.out, b.pos, k.doi, k.ref_id IS NOT NULL AS known FROM (
        SELECT out, unnest(references_id) AS ref_id, generate_subscripts(references_id, 1) AS pos
        FROM (${base(ways)}) WHERE NOT refs_corpus AND references_id IS NOT NULL) b
      LEFT JOIN f_known k USING (ref_id))
    GROUP BY out HAVING bool_or(known)`);
}

/** Which of the two ways to a row are needed: planning one that is not costs as much as the work itself. */
export interface Ways {
  alone: boolean;
  several: boolean;
}

async function waysOf(db: Database): Promise<Ways> {
  const row = await db.row<Ways>(
    "SELECT coalesce(bool_or(n = 1), true) AS alone, coalesce(bool_or(n > 1), false) AS several FROM f_out",
  );
  return row ?? { alone: true, several: true };
}

/** The folded records of every output: one record's own columns, or the fold of several. */
function base(ways: Ways): string {
  const names = Object.keys(recordShape).filter((name) => name !== "ids" && name !== "corpus_provenance");
  const shape = JSON.stringify({ ...recordShape, refs_corpus: "BOOLEAN" });
  const alone = `
    SELECT m.out, ${names.map((name) => `c.${name}`).join(", ")},
      c.source = 'corpus' AND (c.references_id IS NOT NULL OR c.references_doi IS NOT NULL) AS refs_corpus
    FROM records c JOIN f_alone m USING (source, source_key, row_hash)`;
  const several = `
    SELECT out, ${names.map((name) => `j.${name}`).join(", ")}, j.refs_corpus
    FROM (SELECT out, json_transform(json, '${shape}') AS j FROM f_folded)`;
  return [...(ways.alone ? [alone] : []), ...(ways.several ? [several] : [])].join(" UNION ALL ");
}

/** The rows of `papers` for all outputs, by name, as one query. Its joins are written with the widest table first. */
export function paperRows(ways: Ways): string {
  const rows = `
    SELECT t.id, ${taken.map((name) => `b.${name}`).join(", ")}, b.venue AS source, t.is_seed,
      coalesce(t.said, b.curation_status, 'candidate') AS curation_status, CAST(NULL AS VARCHAR) AS provenance,
      CASE WHEN b.refs_corpus THEN b.references_doi ELSE t.dois END AS references_doi,
      CASE WHEN t.citers IS NULL THEN b.cited_by_id
        ELSE list_sort(list_distinct(list_concat(coalesce(b.cited_by_id, []), t.citers))) END AS cited_by_id,
      t.hop, t.first_run, t.last_run, t.merged_into, t.active
    FROM (${base(ways)}) b JOIN f_facts t USING (out)`;
  return `SELECT * EXCLUDE (text), ${rowHash("text")} AS row_hash FROM (${withText(`(${rows})`)})`;
}
