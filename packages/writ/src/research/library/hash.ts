import { createHash } from "node:crypto";
import { canonicalColumns } from "../model.ts";
import type { Database, Value } from "./database.ts";

/** What the corpus hash is made of: the canonical columns but provenance, by name in code-point order. */
export const hashedColumns = canonicalColumns.filter((name) => name !== "provenance").sort();

const lists = [
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
];
const plain: ReadonlySet<string> = new Set(["is_seed", "year"]);
const texts: readonly string[] = hashedColumns.filter((name) => !lists.includes(name) && !plain.has(name));

/**
 * The rows of `from` (a table, or a query in brackets), each with its canonical JSON as `text`: keys and list items in
 * code-point order, a space after each comma and colon, only quotes, backslashes and control characters escaped. What
 * comes out still has to go through {@link smallEscapes}.
 *
 * Each kind of value is written by one expression, over all columns of that kind: planning one for each column would
 * cost a small change more than all its work.
 */
export function withText(from: string): string {
  const parts = hashedColumns.map((name) => `'"${name}": ', ${valueText(name)}`);
  return `SELECT * EXCLUDE (list_texts, plain_texts), concat('{', ${parts.join(", ', ', ")}, '}') AS text FROM (
    SELECT *, list_transform([${lists.join(", ")}], lambda items: ${listText}) AS list_texts,
      list_transform([${texts.join(", ")}], lambda item: coalesce(${json("item")}, 'null')) AS plain_texts FROM ${from})`;
}

const json = (value: string) => `CAST(to_json(${value}) AS VARCHAR)`;
const sorted = "list_sort(items, 'ASC', 'NULLS LAST')[1:list_count(items)]";

// An empty text stands before the items, so that each `","` is the end of one and the beginning of the next. An item
// that ends in `",` holds such a border itself: then each is written alone.
const listText = `CASE WHEN items IS NULL THEN 'null' WHEN list_count(items) = 0 THEN '[]'
  WHEN contains(${json("items")}, '\\","')
  THEN concat('[', array_to_string(list_transform(${sorted}, lambda item: ${json("item")}), ', '), ']')
  ELSE concat('[', replace(${json(`list_prepend('', ${sorted})`)}, '","', '", "')[6:]) END`;

function valueText(name: string): string {
  if (plain.has(name)) return `coalesce(CAST(${name} AS VARCHAR), 'null')`;
  return lists.includes(name)
    ? `list_texts[${lists.indexOf(name) + 1}]`
    : `plain_texts[${texts.indexOf(name) + 1}]`;
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
  return `CASE WHEN contains(${text}, '\\u00') THEN
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
         ${withText(`(SELECT p.* FROM papers p WHERE active AND (${where}))`)}) ORDER BY id`,
    ),
  );
}

/** The hash of the papers in a corpus file. */
export async function hashOfCorpus(db: Database, file: string): Promise<string> {
  // Only these: a file may have columns of any other name.
  const from = `(SELECT ${hashedColumns.join(", ")} FROM read_parquet('${file.replaceAll("'", "''")}'))`;
  return digest(db.columns(`SELECT ${smallEscapes("text")} FROM (${withText(from)}) ORDER BY id`));
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
