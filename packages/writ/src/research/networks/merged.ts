import type { Database } from "../library/database.ts";

/**
 * What each merged key stands for now, by the merges that count: a key that was kept once and dropped later follows on.
 * Two that were merged either way, which undoing and redoing can bring about, are one all the same.
 */
export async function mergedInto(
  db: Database,
  kind: "author" | "institution" | "keyword",
): Promise<ReadonlyMap<string, string>> {
  const rows = await db.rows<{ alias: string; canon: string }>(
    `SELECT alias, canon FROM entity_map JOIN runs USING (run_id)
     WHERE kind = ? AND revoked_by IS NULL ORDER BY seq, alias`,
    [kind],
  );
  const next = new Map<string, string>();
  const final = (key: string): string => {
    let here = key;
    for (let to = next.get(here); to !== undefined; to = next.get(here)) here = to;
    return here;
  };
  for (const { alias, canon } of rows) {
    const [from, to] = [final(alias), final(canon)];
    if (from !== to) next.set(from, to);
  }
  return new Map([...next.keys()].map((alias) => [alias, final(alias)]));
}
