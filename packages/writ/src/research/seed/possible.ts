import type { Database } from "../library/database.ts";

/** How many pairs of papers may be the same work. */
export async function possibleDuplicatesIn(_db: Database): Promise<number> {
  return 0;
}
