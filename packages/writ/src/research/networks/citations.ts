import type { Database } from "../library/database.ts";
import { scentSql } from "../library/scent.ts";
import { linkPapers } from "./links.ts";
import { type PaperSelection, selectPapers } from "./papers.ts";

/**
 * Which paper of the library cites which other, `net_cites(citing, cited)`, by the keys that networks use, and each
 * paper's scent, `net_scent(id, scent)`. `net_papers` is the selection's after that; keys and links are no network's.
 */
export async function findCitations(db: Database, selection: PaperSelection): Promise<void> {
  await selectPapers(db, { scope: "all", includeRejected: true });
  await linkPapers(db, "reference");
  await db.run(`
    CREATE OR REPLACE TEMP TABLE net_cites AS
    SELECT p.id AS citing, c.id AS cited
    FROM net_links JOIN net_papers p ON p.n = paper JOIN net_keys k ON k.n = key JOIN net_papers c ON c.id = k.id
    WHERE p.n <> c.n;
    CREATE OR REPLACE TEMP TABLE net_scent AS SELECT id, scent FROM (${scentSql()})`);
  await selectPapers(db, selection);
}
