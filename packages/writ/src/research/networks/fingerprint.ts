import type { Database } from "../library/database.ts";
import type { KeyOf } from "./kinds.ts";
import { kinds } from "./kinds.ts";
import { selectionSql } from "./papers.ts";
import type { NetworkSpec } from "./spec.ts";

const columns: Readonly<Record<KeyOf, readonly string[]>> = {
  reference: ["references_id", "refs_other", "references_doi"],
  citer: ["cited_by_id"],
  author: ["authorships", "authors_id", "authors_raw"],
  institution: ["institutions_id"],
  keyword: ["keywords_id", "keywords_raw"],
  country: ["countries"],
};

/**
 * What a network was built from, as text: the number of its papers and a sum, in which order cannot show, over their
 * ids, decisions and the columns its kind uses. Equal texts, equal networks.
 */
export async function fingerprint(db: Database, spec: NetworkSpec): Promise<string> {
  const names = ["id", "curation_status", "is_seed", ...columns[kinds[spec.kind].key]];
  const { sql, values } = selectionSql(spec);
  // One statement: builds may be looked at side by side.
  const found = await db.row<{ papers: number; sum: string | null }>(
    `SELECT count(*) AS papers,
       format('{:x}', CAST(sum(md5_number_lower(CAST(row(${names.join(", ")}) AS VARCHAR))) % 18446744073709551616 AS UBIGINT)) AS sum
     FROM (${sql}) chosen JOIN papers USING (id)`,
    values,
  );
  return `${found?.papers ?? 0}-${found?.sum ?? "0"}`;
}
