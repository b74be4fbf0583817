import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder, removeTree } from "../../platform/index.ts";
import { Database, type Row, type Value } from "../library/database.ts";
import type { NetworkKind } from "../model.ts";
import { kinds } from "../networks/kinds.ts";

/** The types that columns of a built network have. */
export type ColumnType = "string" | "int" | "double" | "boolean";

export interface Column {
  name: string;
  type: ColumnType;
}

/** A network as it was built, read from its Parquet files row by row. */
export interface NetworkFile {
  name: string;
  kind: NetworkKind;
  directed: boolean;
  /** Besides `id` and `label`, in the order of the file. */
  nodeColumns: readonly Column[];
  /** Besides `source` and `target`. */
  edgeColumns: readonly Column[];
  /** Sorted by id. */
  nodes(): AsyncIterable<Row>;
  /** Sorted by source, then target. */
  edges(): AsyncIterable<Row>;
  /**
   * The edges as lines that DuckDB makes, in bytes, which is ten times as fast as by row: `line` is an SQL expression over
   * the edge's columns. Only where ids hold no character that a format would escape; undefined elsewhere.
   */
  edgeLines?(line: string): AsyncIterable<Uint8Array>;
}

const types: Readonly<Record<string, ColumnType>> = {
  VARCHAR: "string",
  INTEGER: "int",
  BIGINT: "int",
  DOUBLE: "double",
  BOOLEAN: "boolean",
};

const readerMemory = "512MiB";

/** What reads networks: a database without tables, and where it may put what does not fit in memory. */
export interface NetworkReader {
  db: Database;
  scratch: string;
  close(): Promise<void>;
}

/**
 * Opens a reader, which reads files in the order in which they were written: that of their ids. What it writes lies in
 * `folder`, which is the caller's alone, and is gone with it: several may read one network at once.
 */
export async function openReader(folder: string): Promise<NetworkReader> {
  const scratch = join(folder, ".reading");
  await makeFolder(scratch);
  const db = await Database.open({ file: ":memory:", memory: readerMemory, temporary: scratch });
  await db.run("SET preserve_insertion_order = true");
  const close = () => {
    db.close();
    return removeTree(scratch);
  };
  return { db, scratch, close };
}

/** Opens the network in a folder. Nothing of it is held in memory. */
export async function openNetwork(
  folder: string,
  { name, kind }: { name: string; kind: NetworkKind },
  { db, scratch }: Pick<NetworkReader, "db" | "scratch">,
): Promise<NetworkFile> {
  const [nodes, edges] = [join(folder, "nodes.parquet"), join(folder, "edges.parquet")];
  const columnsOf = async (file: string, besides: readonly string[]): Promise<Column[]> => {
    const rows = await db.rows<{ column_name: string; column_type: string }>(
      `SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM ${parquetOf(file)})`,
    );
    return rows
      .filter((row) => !besides.includes(row.column_name))
      .map((row) => ({ name: row.column_name, type: types[row.column_type] ?? "string" }));
  };
  return {
    name,
    kind,
    directed: kinds[kind].directed,
    nodeColumns: await columnsOf(nodes, ["id", "label"]),
    edgeColumns: await columnsOf(edges, ["source", "target"]),
    nodes: () => rowsOf(db, nodes),
    edges: () => rowsOf(db, edges),
    ...((await isPlain(db, nodes)) && {
      edgeLines: (line: string) => linesOf(db, { edges, line, beside: join(scratch, "edges.lines") }),
    }),
  };
}

/** Whether no id of a node holds what XML would escape; names of people seldom do. */
async function isPlain(db: Database, nodes: string): Promise<boolean> {
  const odd = await db.row(
    `SELECT 1 FROM ${parquetOf(nodes)} WHERE regexp_matches(id, '[&<>"\\x00-\\x1f\\x{FFFE}\\x{FFFF}]') LIMIT 1`,
  );
  return odd === undefined;
}

async function* rowsOf(db: Database, file: string): AsyncGenerator<Row> {
  for await (const rows of db.stream(`SELECT * FROM ${parquetOf(file)}`)) yield* rows;
}

async function* linesOf(
  db: Database,
  { edges, line, beside }: { edges: string; line: string; beside: string },
): AsyncGenerator<Uint8Array> {
  try {
    // A table of one column without quotes is lines as they are.
    await db.run(
      `COPY (SELECT ${line} FROM ${parquetOf(edges)}) TO ${quoted(beside)}
       (FORMAT csv, HEADER false, QUOTE '', ESCAPE '', DELIMITER '\x1f')`,
    );
    yield* createReadStream(beside, { highWaterMark: 1 << 20 });
  } finally {
    await rm(beside, { force: true });
  }
}

/** A path as a literal of SQL, for the statements that take no values. */
export function quoted(path: string): string {
  return `'${path.replaceAll("'", "''")}'`;
}

/** The rows of one Parquet file, for a FROM: in its path no character stands for others. */
export function parquetOf(file: string): string {
  return `read_parquet(${quoted(file.replaceAll(/[*?[]/g, "[$&]"))})`;
}

/** A value as text; null and what is no number is absent. */
export function textOf(value: Value | undefined): string | undefined {
  if (value === null || value === undefined) return undefined;
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : undefined;
  return String(value as string | boolean);
}

/** What an edge weighs: fractions where they were counted, else the number of shared items. */
export function weightOf(edge: Row): number {
  return (edge.frac_weight ?? edge.weight) as number;
}
