import type { Database } from "./database.ts";

/**
 * The tables of a library. What is told (records, sightings, decisions, …) is only ever added to; what is
 * derived (papers, external_ids) is computed from what runs that are not undone have told.
 */

/** The library's own schema version. */
export const schemaVersion = "1";

// A record's or a paper's bibliographic columns beyond its identity; the venue is `source` in `papers` (see there).
const authorship =
  "STRUCT(pos INTEGER, name VARCHAR, id VARCHAR, openalex VARCHAR, orcid VARCHAR, institutions STRUCT(id VARCHAR, name VARCHAR, ror VARCHAR, country VARCHAR)[])[]";
const otherReferences = "STRUCT(doi VARCHAR, id VARCHAR, raw VARCHAR)[]";

const ownColumns = `
  type VARCHAR, publication_date DATE, cited_by_count INTEGER, is_retracted BOOLEAN,
  authorships ${authorship}, keyword_scores DOUBLE[], countries VARCHAR[], refs_other ${otherReferences},
  volume VARCHAR, issue VARCHAR, pages VARCHAR, issn VARCHAR, url VARCHAR`;

const lists = `
  authors_raw VARCHAR[], authors_id VARCHAR[], authors_affiliations VARCHAR[],
  keywords_raw VARCHAR[], keywords_id VARCHAR[], institutions_raw VARCHAR[], institutions_id VARCHAR[],
  references_id VARCHAR[], references_doi VARCHAR[], cited_by_id VARCHAR[]`;

/** Every table with its definition, in the order in which they are made. */
export const tables: Readonly<Record<string, string>> = {
  meta: `key VARCHAR PRIMARY KEY, value VARCHAR NOT NULL`,

  // One row for each execution that got past its checks. `seq` orders them under the library's lock.
  runs: `
    run_id VARCHAR PRIMARY KEY, seq BIGINT NOT NULL, act VARCHAR, verb VARCHAR NOT NULL, params JSON, plan_hash VARCHAR,
    source VARCHAR, source_version VARCHAR, equation_id VARCHAR, equation_text VARCHAR, executed_query JSON,
    translation JSON, state VARCHAR NOT NULL, counts JSON, usage JSON, error JSON, actor VARCHAR, acts_for VARCHAR,
    agent_run VARCHAR, started_at TIMESTAMPTZ NOT NULL, ended_at TIMESTAMPTZ, writ_version VARCHAR NOT NULL,
    revoked_by VARCHAR, revoked_at TIMESTAMPTZ`,

  requests: `
    run_id VARCHAR NOT NULL, seq INTEGER NOT NULL, source VARCHAR NOT NULL, method VARCHAR NOT NULL, url VARCHAR NOT NULL,
    attempt INTEGER, status INTEGER, from_store BOOLEAN NOT NULL, page VARCHAR, ms INTEGER, bytes BIGINT,
    cost_usd DOUBLE, credits DOUBLE, "at" TIMESTAMPTZ NOT NULL`,

  // What one source says of one work, by the hash of what it says: the same content is kept once. `own_id` is the
  // identity this record alone would give a paper.
  records: `
    source VARCHAR NOT NULL, source_key VARCHAR NOT NULL, row_hash VARCHAR NOT NULL, own_id VARCHAR NOT NULL,
    source_id VARCHAR, doi VARCHAR, ids STRUCT(engine VARCHAR, value VARCHAR)[],
    title VARCHAR NOT NULL, year INTEGER, abstract VARCHAR, venue VARCHAR, language VARCHAR, publisher VARCHAR,
    research_areas VARCHAR[], ${lists}, ${ownColumns},
    curation_status VARCHAR, corpus_provenance VARCHAR`,

  // Each time a run met a record. A record counts while one of its sightings belongs to a run that is not undone;
  // the content that counts is the newest such sighting's.
  sightings: `
    source VARCHAR NOT NULL, source_key VARCHAR NOT NULL, row_hash VARCHAR NOT NULL, run_id VARCHAR NOT NULL,
    via VARCHAR NOT NULL, seed BOOLEAN NOT NULL, hop INTEGER NOT NULL, fetched_at TIMESTAMPTZ NOT NULL`,

  // Derived: which paper each record that counts belongs to, and with which content.
  record_papers: `
    source VARCHAR NOT NULL, source_key VARCHAR NOT NULL, row_hash VARCHAR NOT NULL, own_id VARCHAR NOT NULL,
    paper_id VARCHAR NOT NULL`,

  // Derived: one row a paper. The first 23 columns are the canonical ones, in their order. No key is declared: a
  // paper is replaced within one transaction, which DuckDB's indices do not allow; validate looks for doubles.
  papers: `
    id VARCHAR NOT NULL, source_id VARCHAR, doi VARCHAR, title VARCHAR NOT NULL, year INTEGER, abstract VARCHAR,
    source VARCHAR, language VARCHAR, publisher VARCHAR, research_areas VARCHAR[],
    is_seed BOOLEAN NOT NULL, curation_status VARCHAR NOT NULL, provenance VARCHAR, ${lists},
    ${ownColumns},
    hop INTEGER, first_run VARCHAR NOT NULL, last_run VARCHAR NOT NULL, merged_into VARCHAR, row_hash VARCHAR NOT NULL,
    active BOOLEAN NOT NULL`,

  // Derived. Two papers may share a value where their DOIs keep them apart.
  external_ids: `engine VARCHAR NOT NULL, value VARCHAR NOT NULL, paper_id VARCHAR NOT NULL`,
  aliases: `old_id VARCHAR NOT NULL, paper_id VARCHAR NOT NULL, reason VARCHAR NOT NULL, run_id VARCHAR NOT NULL`,

  // Append only; `paper_id` follows the paper's identity, `made_on` is the id the decision was made on.
  decisions: `
    seq BIGINT NOT NULL, paper_id VARCHAR NOT NULL, made_on VARCHAR NOT NULL, decision VARCHAR, "by" VARCHAR, kind VARCHAR NOT NULL, reason VARCHAR,
    note VARCHAR, run_id VARCHAR NOT NULL, decided_at TIMESTAMPTZ NOT NULL`,
  filter_log: `
    run_id VARCHAR NOT NULL, step INTEGER NOT NULL, name VARCHAR NOT NULL, criteria VARCHAR, count_before INTEGER,
    count_after INTEGER, excluded INTEGER, no_data INTEGER`,
  ref_dois: `ref_id VARCHAR NOT NULL, doi VARCHAR, checked_at TIMESTAMPTZ NOT NULL, run_id VARCHAR NOT NULL`,
  referenced_but_not_fetched: `ref_id VARCHAR NOT NULL, cycle_round INTEGER NOT NULL, observed_at TIMESTAMPTZ NOT NULL, run_id VARCHAR NOT NULL`,
  citers: `cited VARCHAR NOT NULL, citer VARCHAR NOT NULL, run_id VARCHAR NOT NULL`,
  merges: `
    merge_id VARCHAR NOT NULL, kind VARCHAR NOT NULL, keep VARCHAR NOT NULL, "drop" VARCHAR NOT NULL, score DOUBLE,
    evidence JSON, run_id VARCHAR NOT NULL`,
  entity_map: `kind VARCHAR NOT NULL, alias VARCHAR NOT NULL, canon VARCHAR NOT NULL, run_id VARCHAR NOT NULL`,
  builds: `
    build_id VARCHAR PRIMARY KEY, name VARCHAR NOT NULL, kind VARCHAR NOT NULL, params JSON, scope VARCHAR NOT NULL,
    content_version BIGINT NOT NULL, fingerprint VARCHAR NOT NULL, corpus_hash VARCHAR NOT NULL, nodes BIGINT NOT NULL,
    edges BIGINT NOT NULL, built_at TIMESTAMPTZ NOT NULL, run_id VARCHAR NOT NULL`,
  loop_state_log: `seq BIGINT NOT NULL, state VARCHAR NOT NULL, round INTEGER NOT NULL, recorded_at TIMESTAMPTZ NOT NULL, run_id VARCHAR NOT NULL`,
};

/** Makes what is missing of a library: all of it in a new file, nothing in one that is whole. */
export async function createTables(db: Database, at: Date): Promise<void> {
  const made = await db.row<{ n: number }>(
    "SELECT count(*) AS n FROM duckdb_tables() WHERE database_name = current_database() AND table_name = 'meta'",
  );
  if (made?.n === 1) return;
  const statements = Object.entries(tables).map(([name, columns]) => `CREATE TABLE ${name} (${columns});`);
  await db.run(`BEGIN; ${statements.join("\n")}
    INSERT INTO meta VALUES ('schema_version', '${schemaVersion}'), ('content_version', '0'),
      ('created_at', '${at.toISOString()}');
    COMMIT`);
}
