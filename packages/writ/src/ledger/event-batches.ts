import type { SqlReader } from "../contract/index.ts";
import type { LedgerEventRow } from "../store/index.ts";
import type { Surroundings } from "./chain.ts";
import type { Head } from "./head.ts";

const batch = 1000;

/** The stored events above a number, in order, a batch at a time, so that a long chain needs no more memory. */
export async function* eventBatches(
  db: SqlReader,
  after: number,
  to?: number,
): AsyncGenerator<LedgerEventRow[]> {
  for (let last = after; ; ) {
    let query = db
      .selectFrom("ledger_events")
      .selectAll()
      .where("workspace_id", "=", db.workspaceId)
      .where("seq", ">", last);
    if (to !== undefined) query = query.where("seq", "<=", to);
    const rows = await query.orderBy("seq").limit(batch).execute();
    if (rows.length > 0) yield rows;
    const end = rows.at(-1);
    if (!end || rows.length < batch) return;
    last = end.seq;
  }
}

/** What the rest of a stored chain looks like; asked only once something is wrong. */
export function storedSurroundings(db: SqlReader, head: Head): Surroundings {
  const any = async (column: "hash" | "prev_hash" | "seq", value: string | number): Promise<boolean> => {
    const found = await db
      .selectFrom("ledger_events")
      .select("seq")
      .where("workspace_id", "=", db.workspaceId)
      .where(column, "=", value)
      .limit(1)
      .executeTakeFirst();
    return found !== undefined;
  };
  return {
    hasHash: (hash) => any("hash", hash),
    isFollowed: async (hash) => head.hash === hash || (await any("prev_hash", hash)),
    hasSeq: (seq) => any("seq", seq),
    lastSeq: head.seq + 1,
  };
}
