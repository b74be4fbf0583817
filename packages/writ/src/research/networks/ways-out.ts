import type { Database } from "../library/database.ts";

export const chainForward = "writ research chain --direction forward";
const resolveDois = "writ research seed --resolve";

/**
 * The commands that bring what papers lack; `from` is a table of their ids. A source that knows none of them can tell
 * nothing of them: then their DOIs are looked up first, where they have any.
 */
export async function waysOut(
  db: Database,
  from = "net_papers",
): Promise<{ references: string | undefined; citers: string; isUnknown: boolean }> {
  const found = await db.row<{ resolvable: boolean; known: boolean }>(
    `SELECT coalesce(bool_or(doi IS NOT NULL AND source_id IS NULL), false) AS resolvable,
       coalesce(bool_or(source_id IS NOT NULL), false) AS known FROM ${from} JOIN papers USING (id)`,
  );
  const { resolvable = false, known = false } = found ?? {};
  const isUnknown = resolvable && !known;
  return {
    references: resolvable ? resolveDois : undefined,
    citers: isUnknown ? resolveDois : chainForward,
    isUnknown,
  };
}
