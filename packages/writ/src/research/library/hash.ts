import { createHash } from "node:crypto";
import { canonicalColumns } from "../model.ts";
import type { Database, Value } from "./database.ts";

/** What the corpus hash is made of: the canonical columns but provenance, by name in code-point order. */
const hashed = canonicalColumns.filter((name) => name !== "provenance").sort();

const lists: ReadonlySet<string> = new Set([
  "authors_affiliations",
  "authors_id",
  "authors_raw",
  "cited_by_id",
  "institutions_id",
  "institutions_raw",
  "keywords_id",
  "keywords_raw",
  "references_doi",
  "references_id",
  "research_areas",
]);
const plain: ReadonlySet<string> = new Set(["is_seed", "year"]);

/**
 * The canonical JSON of one row of papers, as an SQL expression: keys and list items in code-point order, a space
 * after each comma and colon, only quotes, backslashes and control characters escaped. `as` names the table. What
 * comes out still has to go through {@link smallEscapes}.
 */
export function canonicalText(as: string): string {
  const parts = hashed.map((name) => `'"${name}": ', ${valueText(`${as}.${name}`, name)}`);
  return `concat('{', ${parts.join(", ', ', ")}, '}')`;
}

function valueText(column: string, name: string): string {
  if (plain.has(name)) return `coalesce(CAST(${column} AS VARCHAR), 'null')`;
  if (!lists.has(name)) return `coalesce(CAST(to_json(${column}) AS VARCHAR), 'null')`;
  // An empty text stands before the items, so that each `","` is the end of one and the beginning of the next.
  const sorted = `list_sort(${column}, 'ASC', 'NULLS LAST')[1:list_count(${column})]`;
  const json = `replace(CAST(to_json(list_prepend('', ${sorted})) AS VARCHAR), '","', '", "')`;
  return `CASE WHEN ${column} IS NULL THEN 'null' WHEN list_count(${column}) = 0 THEN '[]'
    ELSE concat('[', ${json}[6:]) END`;
}

/**
 * DuckDB writes the escapes that have no letter in capitals; the hash wants small ones. `text` is the name of a
 * column of canonical texts. Between pairs of backslashes, each such sequence is an escape.
 */
export function smallEscapes(text: string): string {
  const codes = ["0B", "0E", "0F", "1A", "1B", "1C", "1D", "1E", "1F"];
  const part = codes.reduce(
    (sql, code) => `replace(${sql}, '\\u00${code}', '\\u00${code.toLowerCase()}')`,
    "p",
  );
  return `CASE WHEN regexp_matches(${text}, '\\\\u00[01][A-F]') THEN
    array_to_string(list_transform(string_split(${text}, '\\\\'), lambda p: ${part}), '\\\\') ELSE ${text} END`;
}

/** The hash of one row, as an SQL expression over a column of canonical texts: 16 hex digits of its SHA-256. */
export function rowHash(text: string): string {
  return `left(sha256(${smallEscapes(text)}), 16)`;
}

/**
 * The hash of the active papers that `where` (a condition over `papers p`) leaves: SHA-256 over their canonical texts,
 * sorted by id, as one array. Rows stream; memory does not grow with the library.
 */
export function corpusHash(db: Database, where = "active"): Promise<string> {
  return digest(
    db.columns(
      `SELECT ${smallEscapes("text")} FROM (
         SELECT p.id, ${canonicalText("p")} AS text FROM papers p WHERE active AND (${where})) ORDER BY id`,
    ),
  );
}

/** The hash of the papers in a corpus file. */
export async function hashOfCorpus(db: Database, file: string): Promise<string> {
  const from = `read_parquet('${file.replaceAll("'", "''")}')`;
  return digest(
    db.columns(
      `SELECT ${smallEscapes("text")} FROM (SELECT p.id, ${canonicalText("p")} AS text FROM ${from} p) ORDER BY id`,
    ),
  );
}

async function digest(chunks: AsyncIterable<Value[][]>): Promise<string> {
  const hash = createHash("sha256").update("[");
  let first = true;
  for await (const [texts = []] of chunks)
    for (const text of texts) {
      hash.update(first ? "" : ", ").update(text as string);
      first = false;
    }
  return hash.update("]").digest("hex");
}
