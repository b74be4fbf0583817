import { Readable } from "node:stream";
import { fail } from "../../contract/index.ts";
import { decodeText } from "./decode.ts";

/** The columns of a curation file, in order. */
export const curationColumns = [
  "id",
  "source_id",
  "title",
  "year",
  "authors",
  "venue",
  "doi",
  "keywords",
  "cited_by_count",
  "references_count",
  "is_seed",
  "openalex_url",
  "scent_score",
  "cluster",
  "decision",
  "note",
  "abstract",
] as const;
export type CurationRow = Record<(typeof curationColumns)[number], string | number | null>;

// What a spreadsheet would take for a formula; apostrophes before it are doubled, so that one can be taken away.
const formula = /^'*[=+\-@\t\r]/;

/** A text cell that no spreadsheet runs. */
function guarded(text: string): string {
  return formula.test(text) ? `'${text}` : text;
}

/** What {@link guarded} was given. */
function unguarded(cell: string): string {
  return cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell;
}

/** The text of a curation file, in pieces. Text cells are guarded, numbers are as they are. */
export async function* curationText(batches: AsyncIterable<readonly CurationRow[]>): AsyncGenerator<string> {
  const { stringify } = await import("csv-stringify/sync");
  yield `${curationColumns.join(",")}\n`;
  for await (const rows of batches) {
    const cells = rows.map((row) =>
      curationColumns.map((name) => {
        const value = row[name];
        return typeof value === "string" ? guarded(value) : value;
      }),
    );
    yield stringify(cells, { record_delimiter: "\n", quoted_match: /[\r\n]/ });
  }
}

/** One row of a file with decisions; cells that are empty or missing are absent. */
export interface CurationLine {
  line: number;
  id?: string;
  doi?: string;
  source_id?: string;
  /** Trimmed, lower case; empty where nothing was decided. */
  decision: string;
  note?: string;
}

const separators = [",", ";", "\t"] as const;

/**
 * The rows of a curation file as somebody sends it back: columns moved, missing or added, with a mark or not,
 * separated by commas, semicolons or tabs. Throws DATA_ERROR on what is no such file.
 */
export async function readCuration(bytes: AsyncIterable<Uint8Array>, name: string): Promise<CurationLine[]> {
  const pieces: string[] = [];
  for await (const piece of decodeText(bytes, () => {})) pieces.push(piece);
  const text = pieces.join("").replace(/^\ufeff/, "");
  const header = text.slice(0, text.search(/\n|$/));
  const names = (separator: string) =>
    header.split(separator).map((cell) => cell.trim().replaceAll('"', "").toLowerCase());
  const separator = separators.find((one) => names(one).includes("decision"));
  const columns = separator === undefined ? [] : names(separator);
  if (separator === undefined || !["id", "doi", "source_id"].some((one) => columns.includes(one))) {
    throw noColumns(name, header);
  }
  const { parse } = await import("csv-parse");
  const parser = Readable.from([text.slice(header.length + 1)]).pipe(
    parse({ delimiter: separator, info: true, relax_column_count: true, skip_empty_lines: true }),
  );
  const rows: CurationLine[] = [];
  let line = 2;
  try {
    for await (const { record, info } of parser as AsyncIterable<{
      record: string[];
      info: { lines: number };
    }>) {
      const within = record.join("").split("\n").length - 1;
      rows.push(rowOf(record, columns, info.lines + 1 - within));
      line = info.lines + 2;
    }
  } catch (error) {
    throw broken(name, line, error);
  }
  return rows;
}

function rowOf(record: readonly string[], columns: readonly string[], line: number): CurationLine {
  const cell = (name: string) => unguarded((record[columns.indexOf(name)] ?? "").trim());
  const id = cell("id");
  const doi = cell("doi");
  const sourceId = cell("source_id");
  const note = cell("note");
  return {
    line,
    decision: cell("decision").toLowerCase(),
    ...(id && { id }),
    ...(doi && { doi }),
    ...(sourceId && { source_id: sourceId }),
    ...(note && { note }),
  };
}

function noColumns(name: string, header: string) {
  return fail("DATA_ERROR", {
    message: `${name} is no file of decisions.`,
    cause: `Its first line is "${header.slice(0, 120)}"; it needs a column decision and one of id, doi and source_id.`,
    remediation: "Make such a file: writ research curate dump --scope all",
  });
}

function broken(name: string, line: number, error: unknown) {
  return fail("DATA_ERROR", {
    message: `${name} is broken in line ${line}.`,
    cause: error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error),
    remediation: "Save it once more as CSV, and apply that.",
    details: { line },
    from: error,
  });
}
