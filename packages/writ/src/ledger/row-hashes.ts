import type { SqlReader } from "../contract/index.ts";
import { type HashedTableName, hashedTables, rowHash } from "../store/index.ts";
import type { NamedRow } from "./event.ts";

// Below the number of parameters that both databases take in one statement.
const batch = 500;

/** The hashes that these rows have now, in the same order; undefined where there is no such row. */
export async function currentRowHashes(
  db: SqlReader,
  named: readonly Pick<NamedRow, "table" | "id">[],
): Promise<(string | undefined)[]> {
  const found = new Map<string, string>();
  for (const table of Object.keys(hashedTables) as HashedTableName[]) {
    const ids = named.filter((row) => row.table === table).map((row) => row.id);
    for (let from = 0; from < ids.length; from += batch) {
      const rows = await db
        .selectFrom(table)
        .selectAll()
        .where("workspace_id", "=", db.workspaceId)
        .where("id", "in", ids.slice(from, from + batch))
        .execute();
      for (const row of rows) found.set(`${table}/${row.id}`, rowHash(table, row));
    }
  }
  return named.map(({ table, id }) => found.get(`${table}/${id}`));
}
