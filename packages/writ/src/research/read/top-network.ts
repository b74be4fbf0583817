import type { Database } from "../library/database.ts";
import type { Looked } from "./looked.ts";
import type { TopData, TopInput } from "./top-shape.ts";

/** One paper, or another node, of an answer. */
export type Entry = TopData["central"][number];

/** The network that is asked about, while the library is open. */
export interface Asked {
  db: Database;
  given: TopInput;
  looked: Looked;
  /** Columns of the network's nodes; none where there is no network. */
  columns: ReadonlySet<string>;
}

/** The titles of those ids that are papers. */
export async function titlesOf(db: Database, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.rows<{ id: string; title: string }>(
    "SELECT id, title FROM papers WHERE id IN (SELECT unnest($1))",
    [[...ids]],
  );
  return new Map(rows.map(({ id, title }) => [id, title]));
}
