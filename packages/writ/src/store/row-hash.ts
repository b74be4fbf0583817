import { canonicalJson, sha256Hex } from "../platform/index.ts";

/** What of a table's row is hashed, for the ledger's events to name. */
interface HashedTable {
  /** Columns that change without an event: leases, liveness, counters. */
  except: readonly string[];
  /** JSON columns, hashed by their value: their text differs between the databases. */
  json?: readonly string[];
}

/** The tables whose rows events name; each has the columns `id` and `row_hash`. */
export const hashedTables = {
  principals: { except: [] },
  tokens: { except: ["last_used_at"] },
} as const satisfies Record<string, HashedTable>;

export type HashedTableName = keyof typeof hashedTables;

/**
 * The hash of a row's content. Null and absent are the same, so that a column added later changes no hash;
 * the workspace is left out, because the chain belongs to it already.
 */
export function rowHash(table: HashedTableName, row: object): string {
  const { except, json = [] }: HashedTable = hashedTables[table];
  const hashed: Record<string, unknown> = {};
  for (const [column, value] of Object.entries(row)) {
    if (value === null || value === undefined || except.includes(column)) continue;
    if (column === "workspace_id" || column === "row_hash") continue;
    hashed[column] = json.includes(column) ? JSON.parse(String(value)) : value;
  }
  return sha256Hex(canonicalJson(hashed));
}

/** The row with its own hash in it, ready to be inserted. */
export function withRowHash<R extends object>(table: HashedTableName, row: R): R & { row_hash: string } {
  return { ...row, row_hash: rowHash(table, row) };
}
