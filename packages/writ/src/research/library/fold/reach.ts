import type { Database } from "../database.ts";

/** A row that counts: its run is not undone. */
export const counting = "JOIN runs r USING (run_id) WHERE r.revoked_by IS NULL";

/**
 * Finds all that a change may have moved: the papers it touched, the papers that share an identifier or a confirmed
 * merge with them, and every record of these. Leaves it in temporary tables:
 * `f_papers(id)`, the papers as they stand; `f_rec`, each record that counts, numbered from 0, with the content that
 * counts; `f_ids(rid, engine, value)`, the identifiers they name.
 */
export async function reach(db: Database): Promise<void> {
  await db.run(`
    CREATE OR REPLACE TEMP TABLE f_state (source VARCHAR, source_key VARCHAR, row_hash VARCHAR, place BIGINT, own_id VARCHAR,
      seed BOOLEAN, hop INTEGER, fetched_at TIMESTAMPTZ, first_at TIMESTAMPTZ, first_run VARCHAR,
      content_at TIMESTAMPTZ, content_run VARCHAR, doi VARCHAR, source_id VARCHAR, year INTEGER,
      ids STRUCT(engine VARCHAR, value VARCHAR)[]);
    CREATE OR REPLACE TEMP TABLE f_keys AS SELECT DISTINCT source, source_key FROM temp.touched_records;
    CREATE OR REPLACE TEMP TABLE f_papers AS
      SELECT id FROM papers WHERE active AND id IN (SELECT id FROM temp.touched_papers)
      UNION SELECT paper_id FROM record_papers WHERE own_id IN (SELECT id FROM temp.touched_papers)
      UNION SELECT paper_id FROM aliases WHERE old_id IN (SELECT id FROM temp.touched_papers)
        AND paper_id IN (SELECT id FROM papers WHERE active);
    CREATE OR REPLACE TEMP TABLE f_fresh AS SELECT * FROM f_keys`);
  const hasPapers = (await count(db, "record_papers")) > 0;
  const merges = await db.row<{ n: number }>(
    `SELECT count(*) AS n FROM merges ${counting} AND kind = 'paper'`,
  );
  if (hasPapers) await growKeys(db);
  for (let grown = true; grown; ) {
    await stateOf(db);
    grown = hasPapers && (await growPapers(db, (merges?.n ?? 0) > 0)) && (await growKeys(db));
  }
  await number(db);
}

/** How many rows a table has. */
export async function count(db: Database, table: string): Promise<number> {
  return (await db.row<{ n: number }>(`SELECT count(*) AS n FROM ${table}`))?.n ?? 0;
}

/** Keys whose state is computed at once: what their aggregates hold is not counted in what DuckDB may take. */
const slice = { little: 25_000, all: 250_000 };

/** For the keys in `f_fresh`: which of their contents counts, and since when; those without a counting run have none. */
async function stateOf(db: Database): Promise<void> {
  const slices = Math.ceil((await count(db, "f_fresh")) / (db.usesLittle ? slice.little : slice.all));
  for (let at = 0; at < slices; at += 1)
    await db.run(`
    INSERT INTO f_state BY NAME
    SELECT t.*, c.rowid AS place, c.own_id, c.doi, c.source_id, c.year, c.ids FROM (
      SELECT source, source_key, arg_max(row_hash, last) AS row_hash, bool_or(seed) AS seed, min(hop) AS hop,
        max(last).t AS fetched_at, min(first).t AS first_at, min(first).run AS first_run,
        arg_max(first, last).t AS content_at, arg_max(first, last).run AS content_run
      FROM (
        SELECT source, source_key, row_hash, bool_or(seed) AS seed, min(hop) AS hop,
          min({t: fetched_at, run: run_id}) AS first, max({t: fetched_at, run: run_id}) AS last
        FROM sightings SEMI JOIN f_fresh USING (source, source_key) ${counting}
          AND hash(source_key) % ${slices} = ${at}
        GROUP BY source, source_key, row_hash)
      GROUP BY source, source_key) t
    JOIN records c USING (source, source_key, row_hash)`);
}

/** Papers that the records reach: by where they are now, by an identifier, by identity, by a confirmed merge. */
async function growPapers(db: Database, hasMerges: boolean): Promise<boolean> {
  const before = await count(db, "f_papers");
  await db.run(`
    INSERT INTO f_papers SELECT id FROM (
      SELECT paper_id AS id FROM record_papers SEMI JOIN f_keys USING (source, source_key)
      UNION SELECT paper_id FROM external_ids SEMI JOIN (
        SELECT 'doi' AS engine, doi AS value FROM f_state WHERE doi IS NOT NULL
        UNION ALL SELECT one.engine, one.value FROM (SELECT unnest(ids) AS one FROM f_state)) USING (engine, value)
      UNION SELECT other.paper_id FROM external_ids mine SEMI JOIN f_papers ON f_papers.id = mine.paper_id
        JOIN external_ids other ON other.engine = mine.engine AND other.value = mine.value
      UNION SELECT id FROM papers WHERE active AND id IN (SELECT own_id FROM f_state WHERE own_id LIKE 'tt:%'))
    WHERE id NOT IN (SELECT id FROM f_papers)`);
  if (hasMerges)
    await db.run(`
      CREATE OR REPLACE TEMP TABLE f_names AS
        SELECT id AS name FROM f_papers UNION SELECT own_id FROM f_state
        UNION SELECT own_id FROM record_papers WHERE paper_id IN (SELECT id FROM f_papers);
      CREATE OR REPLACE TEMP TABLE f_partners AS SELECT unnest([keep, "drop"]) AS name FROM merges ${counting}
        AND kind = 'paper' AND (keep IN (SELECT name FROM f_names) OR "drop" IN (SELECT name FROM f_names));
      INSERT INTO f_papers SELECT id FROM (
        SELECT id FROM papers WHERE active AND id IN (SELECT name FROM f_partners)
        UNION SELECT paper_id FROM record_papers WHERE own_id IN (SELECT name FROM f_partners))
      WHERE id NOT IN (SELECT id FROM f_papers)`);
  return (await count(db, "f_papers")) > before;
}

/** Records of the papers found; those not seen before are fresh. */
async function growKeys(db: Database): Promise<boolean> {
  await db.run(`
    CREATE OR REPLACE TEMP TABLE f_more AS SELECT DISTINCT source, source_key FROM record_papers
      SEMI JOIN f_papers ON f_papers.id = record_papers.paper_id ANTI JOIN f_keys USING (source, source_key);
    INSERT INTO f_keys SELECT * FROM f_more`);
  const isFirst = (await count(db, "f_state")) === 0;
  await db.run(
    isFirst
      ? "INSERT INTO f_fresh SELECT * FROM f_more"
      : "CREATE OR REPLACE TEMP TABLE f_fresh AS SELECT * FROM f_more",
  );
  return (await count(db, "f_more")) > 0;
}

// The order in which records are believed; it is part of what a paper is.
const trust = `CASE source WHEN 'openalex' THEN 0 WHEN 'crossref' THEN 1 WHEN 'semanticscholar' THEN 2
  WHEN 'pubmed' THEN 3 WHEN 'wos' THEN 4 WHEN 'scopus' THEN 5 WHEN 'csl' THEN 6 WHEN 'ris' THEN 7
  WHEN 'bibtex' THEN 8 ELSE 9 END`;

async function number(db: Database): Promise<void> {
  await db.run(`
    CREATE OR REPLACE TEMP TABLE f_rec AS
      SELECT CAST(row_number() OVER () - 1 AS INTEGER) AS rid, ${trust} AS trust, * EXCLUDE (ids) FROM f_state;
    CREATE OR REPLACE TEMP TABLE f_ids AS
      SELECT rid, 'doi' AS engine, doi AS value FROM f_rec WHERE doi IS NOT NULL
      UNION ALL SELECT rid, one.engine, one.value FROM (
        SELECT n.rid, unnest(s.ids) AS one FROM f_rec n JOIN f_state s USING (source, source_key))`);
}
