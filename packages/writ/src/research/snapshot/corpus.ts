import { basename, dirname, join } from "node:path";
import { type Context, fail } from "../../contract/index.ts";
import { hashFile, lstatOrNull, readOrNull } from "../../platform/index.ts";
import { targetFolder } from "../export/target.ts";
import type { Change } from "../library/change.ts";
import { Database } from "../library/database.ts";
import { hashOfCorpus } from "../library/hash.ts";
import { nextSeq } from "../library/runs.ts";
import { type CanonicalColumn, canonicalColumns } from "../model.ts";

/** A Parquet file with the canonical columns, looked through. */
export interface Corpus {
  /** Absolute. */
  file: string;
  /** As it is shown. */
  name: string;
  sha256: string;
  papers: number;
  /** What a manifest beside it names; undefined without one. */
  corpusHash?: string;
}

const lists: ReadonlySet<CanonicalColumn> = new Set([
  "research_areas",
  "authors_raw",
  "authors_id",
  "authors_affiliations",
  "keywords_raw",
  "keywords_id",
  "institutions_raw",
  "institutions_id",
  "references_id",
  "references_doi",
  "cited_by_id",
] as const);
const needed = ["id", "title", "is_seed", "curation_status"] as const;

/** Looks whether a file can be a corpus. Throws E_NOT_FOUND, E_SCHEMA_MISMATCH; nothing is written. */
export async function openCorpus(ctx: Context, given: string): Promise<Corpus> {
  const { folder: file, shown } = await targetFolder(ctx, given, "");
  if (!(await lstatOrNull(file))?.isFile())
    throw fail("E_NOT_FOUND", {
      message: `There is no file "${shown}".`,
      cause: "A corpus is one Parquet file.",
      remediation: "Name the file: writ research snapshot restore --from-corpus corpus.parquet",
      details: { missing: [shown] },
    });
  const db = await Database.open({ file: ":memory:" });
  try {
    const { extra } = await checkColumns(db, file, shown);
    if (extra.length > 0)
      ctx.warn({
        code: "W_EXTRA_COLUMNS",
        message: `${extra.length} columns of ${basename(file)} are not read: ${extra.slice(0, 10).join(", ")}.`,
      });
    const papers = await checkRows(db, file, shown);
    return {
      file,
      name: shown,
      sha256: await hashFile(file),
      papers,
      ...(await manifestHash(ctx, db, file)),
    };
  } finally {
    db.close();
  }
}

const quoted = (file: string) => `'${file.replaceAll("'", "''")}'`;

async function checkColumns(db: Database, file: string, shown: string): Promise<{ extra: string[] }> {
  const found = await describe(db, file, shown);
  const types = new Map(found.map((one) => [one.column_name, one.column_type]));
  for (const name of canonicalColumns) {
    const type = types.get(name);
    if (type === undefined)
      throw mismatch(shown, { column: name, expected: expectedType(name), found: null });
    if (!isRight(name, type))
      throw mismatch(shown, { column: name, expected: expectedType(name), found: type });
  }
  const known: ReadonlySet<string> = new Set(canonicalColumns);
  return { extra: found.map((one) => one.column_name).filter((name) => !known.has(name)) };
}

async function describe(db: Database, file: string, shown: string) {
  try {
    return await db.rows<{ column_name: string; column_type: string }>(
      `DESCRIBE SELECT * FROM read_parquet(${quoted(file)})`,
    );
  } catch (error) {
    throw fail("E_SCHEMA_MISMATCH", {
      message: `"${shown}" is no Parquet file.`,
      cause: "DuckDB cannot read it.",
      remediation: "Name a file that snapshot create or another program wrote: ls .writ/research/snapshots",
      details: { column: null },
      from: error,
    });
  }
}

function expectedType(name: CanonicalColumn): string {
  if (lists.has(name)) return "a list of texts";
  if (name === "year") return "an integer";
  return name === "is_seed" ? "true or false" : "text";
}

// A column that holds nothing but nulls may have been written in any type.
function isRight(name: CanonicalColumn, type: string): boolean {
  if (type === '"NULL"' || type === "NULL") return !needed.includes(name as (typeof needed)[number]);
  if (lists.has(name)) return type === "VARCHAR[]" || type === '"NULL"[]';
  if (name === "year") return type === "INTEGER" || type === "BIGINT";
  return type === (name === "is_seed" ? "BOOLEAN" : "VARCHAR");
}

async function checkRows(db: Database, file: string, shown: string): Promise<number> {
  const nulls = needed.map((name) => `count(*) FILTER (${name} IS NULL) AS ${name}`).join(", ");
  const row = await db.row<Record<string, number>>(
    `SELECT count(*) AS papers, count(*) - count(DISTINCT id) AS doubles, ${nulls},
       count(*) FILTER (curation_status NOT IN ('candidate', 'accepted', 'rejected')) AS odd,
       count(*) FILTER (year NOT BETWEEN -2147483648 AND 2147483647) AS far
     FROM read_parquet(${quoted(file)})`,
  );
  const { papers = 0, doubles = 0, odd = 0, far = 0 } = row ?? {};
  for (const name of needed)
    if ((row?.[name] ?? 0) > 0)
      throw mismatch(shown, { column: name, expected: "no null", found: `${row?.[name]} nulls` });
  if (doubles > 0)
    throw mismatch(shown, { column: "id", expected: "each id once", found: `${doubles} again` });
  if (odd > 0)
    throw mismatch(shown, {
      column: "curation_status",
      expected: "candidate, accepted or rejected",
      found: `${odd} other words`,
    });
  if (far > 0) throw mismatch(shown, { column: "year", expected: "32 bits", found: `${far} beyond` });
  return papers;
}

function mismatch(shown: string, of: { column: string; expected: string; found: string | null }) {
  return fail("E_SCHEMA_MISMATCH", {
    message: `"${shown}" is no corpus: its column ${of.column} is ${of.found === null ? "missing" : `wrong (${of.found})`}.`,
    cause: `${of.column} has to be there, with ${of.expected}; nothing was restored.`,
    remediation: "Export the corpus again with all canonical columns; the details list them.",
    details: { ...of, columns: [...canonicalColumns] },
  });
}

/** What the manifest beside the file says; where the file is newer than that, the file counts. */
async function manifestHash(ctx: Context, db: Database, file: string): Promise<{ corpusHash?: string }> {
  const bytes = await readOrNull(join(dirname(file), "manifest.json"), { maxBytes: 64 * 1024 * 1024 });
  if (!bytes) return {};
  let named: unknown;
  try {
    named = (JSON.parse(bytes.toString("utf8")) as { corpus_hash?: unknown }).corpus_hash;
  } catch {
    return {};
  }
  if (typeof named !== "string") return {};
  const found = await hashOfCorpus(db, file);
  if (found !== named)
    ctx.warn({
      code: "W_HASH",
      message: `${basename(file)} has the hash ${found}, not the one its manifest names; the file counts.`,
    });
  return { corpusHash: found };
}

const event =
  '[{"action":"VARCHAR","chaining_hop":"INTEGER","source":"VARCHAR","decided_by":"VARCHAR","decided_at":"VARCHAR"}]';

/** Takes the rows of a corpus as they stand, with their decisions. */
export async function restoreCorpus(change: Change, { file }: Corpus): Promise<void> {
  const { db } = change;
  const at = change.run.at;
  const runId = change.run.id;
  await db.run(
    `CREATE OR REPLACE TEMP TABLE corpus AS
     SELECT ${canonicalColumns.map((name) => `CAST(${name} AS ${lists.has(name) ? "VARCHAR[]" : typeOf(name)}) AS ${name}`).join(", ")},
       TRY_CAST(json_transform(TRY_CAST(provenance AS JSON), '${event}') AS STRUCT(action VARCHAR, chaining_hop INTEGER, source VARCHAR, decided_by VARCHAR, decided_at VARCHAR)[]) AS events
     FROM read_parquet(${quoted(file)})`,
  );
  // Papers that a corpus keeps apart stay apart: only one of them goes by a source id that they share.
  await db.run(
    `CREATE OR REPLACE TEMP TABLE corpus_keyed AS SELECT *,
       left(sha256(CAST(to_json({${canonicalColumns.map((name) => `${name}: ${name}`).join(", ")}}) AS VARCHAR)), 16) AS row_hash,
       doi IS NOT NULL OR row_number() OVER (PARTITION BY source_id ORDER BY doi IS NULL, id) = 1 AS is_named
     FROM temp.corpus`,
  );
  await db.run(`
    INSERT INTO records BY NAME
    SELECT 'corpus' AS source, id AS source_key, row_hash, id AS own_id, source_id, doi,
      CASE WHEN source_id IS NULL OR NOT is_named THEN NULL WHEN contains(source_id, ':')
        THEN [{engine: split_part(source_id, ':', 1), value: substr(source_id, strpos(source_id, ':') + 1)}]
        ELSE [{engine: 'openalex', value: source_id}] END AS ids,
      title, year, abstract, source AS venue, language, publisher, research_areas, authors_raw, authors_id,
      authors_affiliations, keywords_raw, keywords_id, institutions_raw, institutions_id, references_id,
      references_doi, cited_by_id, curation_status, provenance AS corpus_provenance
    FROM temp.corpus_keyed c WHERE NOT EXISTS (SELECT 1 FROM records r
      WHERE r.source = 'corpus' AND r.source_key = c.id AND r.row_hash = c.row_hash)`);
  await db.run(
    `INSERT INTO sightings SELECT 'corpus', id, row_hash, $1, 'corpus', is_seed,
       CASE WHEN is_seed THEN 0 ELSE coalesce(list_min(list_transform(events, lambda e: e.chaining_hop)), 1) END,
       CAST($2 AS TIMESTAMPTZ) FROM temp.corpus_keyed;`,
    [runId, at],
  );
  await db.run("INSERT INTO temp.touched_records SELECT 'corpus', id FROM temp.corpus_keyed");
  await takeDecisions(change);
  await db.run("DROP TABLE temp.corpus; DROP TABLE temp.corpus_keyed");
}

function typeOf(name: CanonicalColumn): string {
  return name === "year" ? "INTEGER" : name === "is_seed" ? "BOOLEAN" : "VARCHAR";
}

/**
 * The decisions that the corpus tells of, with their time and name; those of its filter as a filter's. Where they do
 * not come to the status that the corpus has, its status is one more decision, or none of them is taken.
 */
async function takeDecisions({ db, run: { id, at } }: Change): Promise<void> {
  const first = await nextSeq(db, "decisions");
  await db.run(
    `CREATE OR REPLACE TEMP TABLE corpus_said AS
     SELECT id, curation_status, pos, e.action AS said, e.decided_by = 'prisma_filter' AS by_filter, e.decided_by, e.source,
       coalesce(TRY_CAST(e.decided_at AS TIMESTAMPTZ), CAST($1 AS TIMESTAMPTZ)) AS decided_at
     FROM (SELECT id, curation_status, unnest(events) AS e, generate_subscripts(events, 1) AS pos FROM temp.corpus)
     WHERE e.action IN ('accepted', 'rejected')`,
    [at],
  );
  await db.run(
    `CREATE OR REPLACE TEMP TABLE corpus_odd AS
     SELECT id, curation_status FROM temp.corpus_said GROUP BY id, curation_status HAVING curation_status IS DISTINCT FROM
       coalesce(arg_max(said, {t: decided_at, yes: said = 'accepted', p: pos}) FILTER (NOT coalesce(by_filter, false)),
         CASE WHEN bool_or(by_filter AND said = 'rejected') THEN 'rejected' END)`,
  );
  await db.run(
    `INSERT INTO decisions SELECT $1 + row_number() OVER (ORDER BY decided_at, id, pos) - 1, id, id, said, decided_by,
       kind, reason, NULL, $2, decided_at FROM (
       SELECT id, said, decided_by, pos, decided_at, CASE WHEN by_filter THEN 'filter' ELSE 'import' END AS kind,
         CASE WHEN by_filter THEN source END AS reason FROM temp.corpus_said
       WHERE id NOT IN (SELECT id FROM temp.corpus_odd WHERE curation_status = 'candidate')
       UNION ALL SELECT id, curation_status, NULL, 1000000, CAST($3 AS TIMESTAMPTZ), 'import', NULL
       FROM temp.corpus_odd WHERE curation_status <> 'candidate')`,
    [first, id, at],
  );
  await db.run("DROP TABLE temp.corpus_said; DROP TABLE temp.corpus_odd");
}
