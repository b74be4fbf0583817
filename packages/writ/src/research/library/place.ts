import { join } from "node:path";

/** Where a workspace keeps its library; absolute paths. */
export interface Place {
  folder: string;
  file: string;
  /** The writers' lock. */
  lock: string;
  /** Answers of sources. */
  pages: string;
  networks: string;
  snapshots: string;
  exports: string;
  /** Where DuckDB spills what does not fit in memory. */
  temporary: string;
  /** Events of committed changes that the ledger may still lack. */
  owed: string;
}

/** The folder of the library, relative to the workspace. */
export const libraryFolder = ".writ/research";

/** The library's file, relative to the workspace. */
export const libraryFile = `${libraryFolder}/library.duckdb`;

/** The places of the library of the workspace at `root`. */
export function placeOf(root: string): Place {
  const folder = join(root, ".writ", "research");
  return {
    folder,
    file: join(folder, "library.duckdb"),
    lock: join(folder, "library.lock"),
    pages: join(folder, "pages"),
    networks: join(folder, "networks"),
    snapshots: join(folder, "snapshots"),
    exports: join(folder, "exports"),
    temporary: join(folder, ".tmp"),
    owed: join(folder, "owed"),
  };
}
