import { availableParallelism } from "node:os";
import { setImmediate as breathe } from "node:timers/promises";
import type {
  DuckDBConnection,
  DuckDBInstance,
  DuckDBResult,
  DuckDBType,
  DuckDBValue,
  JS,
} from "@duckdb/node-api";

/** A value as queries take and give it: integers of any width are numbers, times are Dates, lists arrays. */
export type Value = null | boolean | number | string | Date | Value[] | { [name: string]: Value };
export type Row = Record<string, Value>;

/** How much DuckDB may take of the machine. */
export interface DatabaseOptions {
  /** Absolute path, or ":memory:". */
  file: string;
  readOnly?: boolean;
  /** "1GiB". */
  memory?: string;
  /** Where what does not fit is spilled to. */
  temporary?: string;
  /** How many threads work on one statement; default one a core. */
  threads?: number;
  /** What it may take of memory while it works with little: see {@link Database.useLittle}. */
  littleMemory?: string;
  /** Whether the file is new: then its blocks are small. */
  isNew?: boolean;
}

type Vendor = typeof import("@duckdb/node-api");

/** Rows a chunk; DuckDB's own vector size. */
const chunkRows = 2048;

// So many parts take some milliseconds; whatever else this process does gets its turn in between.
const partsABreath = 64;

/** Rows of a table that are written together; a multiple of the vector size. */
const rowGroup = 10_240;

/** So much freed memory waits to be used again; by default it is half a gigabyte beyond what DuckDB may take. */
const flushed = "16MiB";

/** Bytes of a block of a new file: each of the hundred columns that are written at once holds one in memory. */
const smallBlock = 65_536;

interface Opened {
  vendor: Vendor;
  instance: DuckDBInstance;
  /** Whether closing this connection closes the file. */
  owner: boolean;
  options: DatabaseOptions;
}

/** One connection to a DuckDB database; the only place that speaks its driver. */
export class Database {
  readonly #of: Opened;
  readonly #vendor: Vendor;
  readonly #connection: DuckDBConnection;
  #usesLittle = false;

  private constructor(of: Opened, connection: DuckDBConnection) {
    this.#of = of;
    this.#vendor = of.vendor;
    this.#connection = connection;
  }

  /** Opens a file, or memory. Throws what the driver throws: see `failures.ts` for what it means. */
  static async open(options: DatabaseOptions): Promise<Database> {
    const vendor = await import("@duckdb/node-api");
    const instance = await vendor.DuckDBInstance.create(":memory:", {
      // A missing extension is an error, never a download.
      autoinstall_known_extensions: "false",
      autoload_known_extensions: "false",
      preserve_insertion_order: "false",
      allocator_flush_threshold: flushed,
      allocator_bulk_deallocation_flush_threshold: flushed,
      ...(options.memory !== undefined && { memory_limit: options.memory }),
      ...(options.temporary !== undefined && { temp_directory: options.temporary }),
      ...(options.threads !== undefined && { threads: String(options.threads) }),
    });
    try {
      const of = { vendor, instance, owner: true, options };
      const database = new Database(of, await instance.connect());
      await database.run("SET GLOBAL TimeZone = 'UTC'");
      if (options.file !== ":memory:") {
        // Rows wait in memory until their group is full; these rows are wide, so the groups are small.
        const how = [
          `ROW_GROUP_SIZE ${rowGroup}`,
          ...(options.isNew ? [`BLOCK_SIZE ${smallBlock}`] : []),
          ...(options.readOnly ? ["READ_ONLY"] : []),
        ].join(", ");
        // Trying dictionaries on abstracts and references takes two fifths of writing; they make the file a seventh smaller.
        await database.run(`SET GLOBAL disabled_compression_methods = 'dictionary';
          ATTACH '${options.file.replaceAll("'", "''")}' AS library (${how}); USE library`);
      }
      return database;
    } catch (error) {
      instance.closeSync();
      throw error;
    }
  }

  /** Another connection to the same open file; it is closed before the one that opened it. */
  async connect(): Promise<Database> {
    const of = { ...this.#of, owner: false };
    const database = new Database(of, await of.instance.connect());
    await database.run("USE library");
    return database;
  }

  /** Runs one statement, or several without values. */
  async run(sql: string, values?: readonly Value[]): Promise<void> {
    await this.#connection.run(sql, ...this.#bound(values));
  }

  /** All rows of an answer that is known to be small. */
  async rows<T = Row>(sql: string, values?: readonly Value[]): Promise<T[]> {
    const result = await this.#connection.run(sql, ...this.#bound(values));
    return (await result.getRowObjectsJS()).map((row) => plain(row) as T);
  }

  /** The first row, or undefined. */
  async row<T = Row>(sql: string, values?: readonly Value[]): Promise<T | undefined> {
    return (await this.rows<T>(sql, values))[0];
  }

  /** An answer of any size, some rows at a time; memory does not grow with it. */
  async *stream<T = Row>(sql: string, values?: readonly Value[]): AsyncGenerator<T[]> {
    const result = await this.#connection.stream(sql, ...this.#bound(values));
    const names = result.deduplicatedColumnNames();
    for await (const columns of this.#columnsOf(result))
      yield Array.from(
        columns[0] ?? [],
        (_, row) => Object.fromEntries(names.map((name, at) => [name, columns[at]?.[row]])) as T,
      );
  }

  /** An answer of any size as columns, some rows at a time: the cheapest way to read numbers. */
  async *columns(sql: string, values?: readonly Value[]): AsyncGenerator<Value[][]> {
    yield* this.#columnsOf(await this.#connection.stream(sql, ...this.#bound(values)));
  }

  async *#columnsOf(result: DuckDBResult): AsyncGenerator<Value[][]> {
    for await (const chunk of result) {
      const columns = chunk
        .convertColumns(this.#vendor.JSDuckDBValueConverter)
        .map((column) => column.map(plain));
      // V8 does not see how much memory a chunk has, and would keep it for long.
      chunk.reset();
      yield columns;
    }
  }

  /** Columns that hold numbers and no null (INTEGER or DOUBLE), as arrays of numbers: what streams of millions cost least. */
  async *numbers(sql: string): AsyncGenerator<Float64Array[]> {
    for await (const chunk of await this.#connection.stream(sql)) {
      yield Array.from({ length: chunk.columnCount }, (_, at) => {
        const vector = chunk.getColumnVector(at);
        const column = new Float64Array(chunk.rowCount);
        for (let row = 0; row < column.length; row += 1) column[row] = vector.getItem(row) as number;
        return column;
      });
    }
  }

  /**
   * Appends rows to a table, in chunks. `columns` names what a row holds, in its order; columns of the table
   * that are not named are null. A temporary table is named `temp.x`.
   */
  async append(
    table: string,
    columns: readonly string[],
    rows: Iterable<readonly Value[]> | AsyncIterable<readonly Value[]>,
  ): Promise<number> {
    const { DuckDBDataChunk, JSToDuckDBValueConverter } = this.#vendor;
    const appender = await (table.startsWith("temp.")
      ? this.#connection.createAppender(table.slice("temp.".length), "main", "temp")
      : this.#connection.createAppender(table));
    try {
      const places = await this.#places(table, columns);
      const types = Array.from({ length: appender.columnCount }, (_, at) => appender.columnType(at));
      let count = 0;
      let batch: (readonly Value[])[] = [];
      // One for all of them, for V8 does not see how much memory a chunk has.
      const chunk = DuckDBDataChunk.create(types);
      const flush = () => {
        if (batch.length === 0) return;
        chunk.reset();
        chunk.rowCount = batch.length;
        chunk.setColumns(
          types.map((type, at) =>
            cells(batch, { place: places[at], type, convert: JSToDuckDBValueConverter }),
          ),
        );
        appender.appendDataChunk(chunk);
        count += batch.length;
        batch = [];
      };
      for await (const row of rows) {
        batch.push(row);
        if (batch.length === chunkRows) flush();
      }
      flush();
      appender.flushSync();
      return count;
    } finally {
      appender.closeSync();
    }
  }

  /**
   * Appends rows of integers that come as columns, a part at a time: what millions of rows cost least. A part has at most
   * 2,048 rows and is read before the next is asked for.
   */
  async appendColumns(
    table: `temp.${string}`,
    parts: Iterable<readonly (Int32Array | BigInt64Array)[]>,
  ): Promise<void> {
    const { DuckDBDataChunk } = this.#vendor;
    const appender = await this.#connection.createAppender(table.slice("temp.".length), "main", "temp");
    // Without it even what one appender adds does not lie in its order.
    await this.#connection.run("SET preserve_insertion_order = true");
    try {
      const types = Array.from({ length: appender.columnCount }, (_, at) => appender.columnType(at));
      let count = 0;
      for (const columns of parts) {
        const chunk = DuckDBDataChunk.create(types, columns[0]?.length ?? 0);
        columns.forEach((column, at) => {
          const vector = chunk.getColumnVector(at);
          for (let row = 0; row < column.length; row += 1)
            vector.setItem(row, column[row] as number | bigint);
          vector.flush();
        });
        appender.appendDataChunk(chunk);
        count += 1;
        if (count % partsABreath === 0) await breathe();
      }
      appender.flushSync();
    } finally {
      appender.closeSync();
      await this.#connection.run("SET preserve_insertion_order = false");
    }
  }

  /** Runs a statement that keeps the order in which rows lie: with several threads DuckDB loses it where tables are joined. */
  async inOrder(sql: string): Promise<void> {
    const threads = await this.row<{ n: number }>("SELECT current_setting('threads') AS n");
    await this.#connection.run("SET preserve_insertion_order = true; SET threads = 1");
    try {
      await this.#connection.run(sql);
    } finally {
      await this.#connection.run(`SET preserve_insertion_order = false; SET threads = ${threads?.n ?? 1}`);
    }
  }

  /** One thread a core from now on, for work that is worth it. */
  async allThreads(): Promise<void> {
    await this.#connection.run(`SET threads = ${availableParallelism()}`);
  }

  /**
   * One thread from now on, for work beside which this process does something else: of several, one looks all the time
   * whether the others are done, and takes a core for it.
   */
  async oneThread(): Promise<void> {
    await this.#connection.run("SET threads = 1");
  }

  /** Whether it works with little memory: then a question is better asked in parts. */
  get usesLittle(): boolean {
    return this.#usesLittle;
  }

  /** Little memory from now on, where the database was opened with a bound for that: one thread, nothing kept for later. */
  async useLittle(): Promise<void> {
    await this.oneThread();
    const { littleMemory } = this.#of.options;
    if (littleMemory === undefined || !(await this.#hasSmallBlocks())) return;
    this.#usesLittle = true;
    await this.#limit(littleMemory, "1MiB");
  }

  /** Files that were made by other programs, or before blocks were small, need more. */
  async #hasSmallBlocks(): Promise<boolean> {
    const row = await this.row<{ bytes: number }>(
      "SELECT block_size AS bytes FROM pragma_database_size() WHERE database_name = current_database()",
    );
    return row !== undefined && row.bytes <= smallBlock;
  }

  /** All memory again that it may take. */
  async useAll(): Promise<void> {
    const { memory } = this.#of.options;
    if (!this.#usesLittle) return;
    this.#usesLittle = false;
    await this.#limit(memory, flushed);
  }

  /** How much it may take, and how much that it has freed waits to be used again. */
  async #limit(memory: string | undefined, freed: string): Promise<void> {
    await this.#connection.run(`SET memory_limit = '${memory}'; SET allocator_flush_threshold = '${freed}';
      SET allocator_bulk_deallocation_flush_threshold = '${freed}'`);
  }

  /** Stops the statement that is running, for a caller who has gone. */
  interrupt(): void {
    this.#connection.interrupt();
  }

  close(): void {
    this.#connection.closeSync();
    if (this.#of.owner) this.#of.instance.closeSync();
  }

  /** Values for `?` and `$n`: an instant goes in as text, which every time column reads; a list is one of texts. */
  #bound(values: readonly Value[] | undefined): [values?: DuckDBValue[], types?: DuckDBType[]] {
    if (!values) return [];
    const { listValue, LIST, VARCHAR } = this.#vendor;
    const given = values.map((value) => {
      if (value instanceof Date) return value.toISOString();
      return Array.isArray(value) ? listValue(value as DuckDBValue[]) : (value as DuckDBValue);
    });
    // What has no entry here is typed by its value.
    const types: DuckDBType[] = [];
    values.forEach((value, at) => {
      if (Array.isArray(value)) types[at] = LIST(VARCHAR);
    });
    return [given, types];
  }

  /** For each column of the table, where a row holds it; undefined for what rows do not hold. */
  async #places(table: string, columns: readonly string[]): Promise<(number | undefined)[]> {
    const known = await this.rows<{ column_name: string }>(`DESCRIBE ${table}`);
    const unknown = columns.filter((name) => !known.some((one) => one.column_name === name));
    if (unknown.length > 0) throw new TypeError(`${table} has no column ${unknown.join(", ")}`);
    return known.map(({ column_name: name }) => {
      const at = columns.indexOf(name);
      return at === -1 ? undefined : at;
    });
  }
}

/** One column of a batch, as the driver's values. */
function cells(
  rows: readonly (readonly Value[])[],
  of: {
    place: number | undefined;
    type: DuckDBType;
    convert: (value: JS, type: DuckDBType, converter: never) => DuckDBValue;
  },
): DuckDBValue[] {
  return rows.map((row) => {
    const value = of.place === undefined ? null : (row[of.place] ?? null);
    return value === null ? null : of.convert(value as JS, of.type, of.convert as never);
  });
}

/** DuckDB's 64-bit integers as numbers; counts and sums of Writ stay far below 2^53. */
function plain(value: unknown): Value {
  if (typeof value === "bigint") return Number(value);
  if (Array.isArray(value)) return value.map(plain);
  if (
    value !== null &&
    typeof value === "object" &&
    !(value instanceof Date) &&
    !(value instanceof Uint8Array)
  ) {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plain(inner)]));
  }
  return value as Value;
}
