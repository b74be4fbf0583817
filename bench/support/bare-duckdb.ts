import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Measured, measureNode } from "./measured.ts";
import type { Place } from "./writ.ts";

/**
 * Runs statements in DuckDB and nothing else, in a program of their own, with the memory that Writ gives it; the rows
 * of the last are printed. `file` is opened to be read; without it a new one is made.
 */
export function measureDuckDb(
  place: Place,
  { file, statements }: { file?: string; statements: readonly string[] },
): Promise<Measured> {
  const script = join(place.cwd, "bare.mjs");
  const opened = JSON.stringify(file ?? join(place.cwd, "bare.duckdb"));
  const access = file === undefined ? "" : 'access_mode: "READ_ONLY",';
  writeFileSync(
    script,
    `import { DuckDBInstance } from ${JSON.stringify(import.meta.resolve("@duckdb/node-api"))};
     const instance = await DuckDBInstance.create(${opened}, { ${access}
       memory_limit: "1GiB", temp_directory: ${JSON.stringify(join(place.cwd, "spilled"))}, preserve_insertion_order: "false" });
     const db = await instance.connect();
     let rows = [];
     for (const sql of ${JSON.stringify(statements)}) rows = await (await db.run(sql)).getRowObjectsJson();
     process.stdout.write(JSON.stringify(rows));
     db.closeSync();
     instance.closeSync();`,
  );
  return measureNode([script], place);
}
