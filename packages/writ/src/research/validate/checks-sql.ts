import type { Database } from "../library/database.ts";
import { tables } from "../library/schema.ts";
import type { Issue } from "./output.ts";

/** Issues of one kind are listed up to this number. */
const shown = 100;

interface Check {
  code: Issue["code"];
  /** Rows `(paper, column, message)`, the last two optional. */
  sql: string;
}

const corpusOnly = `p.id NOT IN (SELECT paper_id FROM record_papers WHERE source <> 'corpus')`;

const aligned = [
  ["authors_raw", "authors_id"],
  ["keywords_raw", "keywords_id"],
  ["institutions_raw", "institutions_id"],
  ["references_id", "references_doi"],
] as const;

const json = [
  ["runs", "params"],
  ["runs", "counts"],
  ["runs", "usage"],
  ["runs", "error"],
  ["runs", "executed_query"],
  ["runs", "translation"],
  ["merges", "evidence"],
  ["builds", "params"],
] as const;

const checks: readonly Check[] = [
  {
    code: "word",
    sql: `SELECT id AS paper, 'curation_status' AS "column", 'Its status is "' || left(curation_status, 40) || '".' AS message
      FROM papers WHERE curation_status NOT IN ('candidate', 'accepted', 'rejected')`,
  },
  {
    code: "null",
    sql: `SELECT id AS paper, 'title' AS "column", 'It has no title.' AS message FROM papers WHERE title IS NULL OR id IS NULL`,
  },
  {
    code: "double",
    sql: `SELECT id AS paper, 'id' AS "column", count(*) || ' rows have this id.' AS message FROM papers
      GROUP BY id HAVING count(*) > 1`,
  },
  ...aligned.map(
    ([one, other]): Check => ({
      code: "alignment",
      sql: `SELECT p.id AS paper, '${other}' AS "column", '${one} has ' || len(p.${one}) || ' items, ${other} ' || len(p.${other}) || '.' AS message
        FROM papers p WHERE p.active AND p.${one} IS NOT NULL AND p.${other} IS NOT NULL AND len(p.${one}) <> len(p.${other})
          AND NOT (${corpusOnly})`,
    }),
  ),
  {
    code: "identity",
    sql: `SELECT p.id AS paper, 'id' AS "column", 'Its DOI or source id gives another id.' AS message FROM papers p
      WHERE p.active AND NOT (${corpusOnly}) AND CASE WHEN p.doi IS NOT NULL THEN p.id <> 'doi:' || left(sha256(p.doi), 16)
        WHEN p.source_id IS NOT NULL THEN p.id <> 'src:' || left(sha256(p.source_id), 16) ELSE NOT starts_with(p.id, 'tt:') END`,
  },
  {
    code: "alias",
    sql: `SELECT a.old_id AS paper, 'paper_id' AS "column", 'It is an alias of ' || a.paper_id || ', which is no paper.' AS message
      FROM aliases a WHERE a.paper_id NOT IN (SELECT id FROM papers)`,
  },
  {
    code: "merge",
    sql: `SELECT id AS paper, 'merged_into' AS "column", 'It was merged into ' || merged_into || ', which is no paper.' AS message
      FROM papers WHERE merged_into IS NOT NULL AND merged_into NOT IN (SELECT id FROM papers)`,
  },
  {
    code: "decision",
    sql: `SELECT DISTINCT d.paper_id AS paper, 'decision' AS "column", 'A decision is on a paper that is not there.' AS message
      FROM decisions d WHERE d.paper_id NOT IN (SELECT id FROM papers)
        AND d.paper_id NOT IN (SELECT own_id FROM records) AND d.paper_id NOT IN (SELECT old_id FROM aliases)`,
  },
  ...json.map(
    ([table, column]): Check => ({
      code: "json",
      sql: `SELECT NULL AS paper, '${table}.${column}' AS "column", 'A value is no JSON.' AS message FROM ${table}
        WHERE ${column} IS NOT NULL AND NOT json_valid(CAST(${column} AS VARCHAR))`,
    }),
  ),
];

/** Everything that one query over the tables can tell. */
export async function checkTables(db: Database): Promise<Issue[]> {
  const issues: Issue[] = [];
  for (const { code, sql } of checks) {
    const rows = await db.rows<{ paper: string | null; column: string | null; message: string }>(
      `SELECT paper, "column", message FROM (${sql}) ORDER BY ALL LIMIT ${shown}`,
    );
    for (const { paper, column, message } of rows)
      issues.push({ code, ...(paper !== null && { paper }), ...(column !== null && { column }), message });
  }
  return issues;
}

/** Whether every table has the columns it must have, with their types; without that nothing else can be asked. */
export async function checkColumns(db: Database): Promise<Issue[]> {
  const wanted = Object.entries(tables).map(
    ([name, columns]) => `CREATE TEMP TABLE want_${name} (${columns});`,
  );
  await db.run(wanted.join("\n"));
  const rows = await db.rows<{ name: string; want: string; has: string | null }>(
    `SELECT substr(w.table_name, 6) || '.' || w.column_name AS name, w.data_type AS want, h.data_type AS has
     FROM duckdb_columns() w LEFT JOIN duckdb_columns() h ON h.database_name = current_database()
       AND h.table_name = substr(w.table_name, 6) AND h.column_name = w.column_name
     WHERE w.database_name = 'temp' AND starts_with(w.table_name, 'want_') AND h.data_type IS DISTINCT FROM w.data_type
     ORDER BY 1`,
  );
  await db.run(
    Object.keys(tables)
      .map((name) => `DROP TABLE temp.want_${name};`)
      .join("\n"),
  );
  return rows.map(({ name, want, has }) => ({
    code: "column" as const,
    column: name,
    message: has === null ? `The column is missing; it is ${want}.` : `It is ${has} and has to be ${want}.`,
  }));
}
