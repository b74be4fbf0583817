import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { cannotOpen } from "./failures.ts";
import { busyTimeoutMs } from "./retry-busy.ts";

/** A connection that only reads. */
export interface Reader {
  database: DatabaseSync;
  /** True when it was opened as a file that nobody writes to: it sees no later commit, so it is not kept. */
  frozen: boolean;
}

/**
 * Opens a store for reading, on a read-only disk too: SQLite wants to make its two helper files beside a
 * store that nobody has open, and where it may not, the store is complete as it lies there.
 */
export function openReader(file: string): Reader {
  const database = new DatabaseSync(file, { timeout: busyTimeoutMs, readOnly: true });
  try {
    database.prepare("select 1 from sqlite_master").get();
  } catch (error) {
    // With a log beside it, the file alone is not the store.
    if (cannotOpen(error) && existsSync(file) && !existsSync(`${file}-wal`)) {
      database.close();
      return openFrozen(file);
    }
    // Whatever else is wrong (a lock, damage), the first query says it to those who handle it.
  }
  return { database, frozen: false };
}

function openFrozen(file: string): Reader {
  const url = pathToFileURL(file);
  url.searchParams.set("immutable", "1");
  return { database: new DatabaseSync(url, { readOnly: true }), frozen: true };
}
