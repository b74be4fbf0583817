import type { Database } from "../library/database.ts";
import { scopeSql } from "../library/scope.ts";
import type { NetworkKind, Scope } from "../model.ts";

/** How many papers are looked at; of those that name hardly anything in common it takes more. */
const looks = [200, 4000];

/**
 * The kinds of which the first papers prove, by ids alone, that a default build would not leave them empty: two papers
 * that name one work, or a paper that names two authors, institutions or keywords where nobody has merged any. What is
 * told by names, or has to be named first, proves nothing here.
 */
export async function provenAmongFirst(
  db: Database,
  scope: Scope,
  { thesaurus }: { thesaurus: boolean },
): Promise<NetworkKind[]> {
  const proven = new Set<NetworkKind>();
  for (const first of looks) {
    if (!proven.has("bibliographic_coupling"))
      for (const kind of await sharing(db, scope, first)) proven.add(kind);
    if (first === looks[0])
      for (const kind of await holding(db, scope, { first, thesaurus })) proven.add(kind);
  }
  return [...proven];
}

// The columns are named, and the papers chosen before their lists are taken apart: so the scan ends with the last of them.
const some = (columns: string, scope: Scope, first: number) =>
  `(SELECT ${columns} FROM papers WHERE ${scopeSql(scope)} LIMIT ${first})`;

/** Kinds for which two papers name one work, or one citer. */
async function sharing(db: Database, scope: Scope, first: number): Promise<NetworkKind[]> {
  const rows = await db.rows<{ kind: NetworkKind }>(
    `SELECT DISTINCT kind FROM (
       SELECT kind FROM (
         SELECT 'bibliographic_coupling' AS kind, id, unnest(references_id) AS value FROM ${some("id, references_id", scope, first)}
         UNION ALL SELECT 'bibliographic_coupling', id, 'd/' || unnest(refs_other).doi FROM ${some("id, refs_other", scope, first)}
         UNION ALL SELECT 'cocitation', id, unnest(cited_by_id) FROM ${some("id, cited_by_id", scope, first)})
       WHERE value IS NOT NULL GROUP BY kind, value HAVING min(id) <> max(id))`,
  );
  return rows.map(({ kind }) => kind);
}

/** Kinds for which a paper holds two ids that are none of a name's, and that nobody has made one. */
async function holding(
  db: Database,
  scope: Scope,
  { first, thesaurus }: { first: number; thesaurus: boolean },
): Promise<NetworkKind[]> {
  const two = (list: string) =>
    `coalesce(max(list_unique(list_filter(${list}, lambda id: NOT starts_with(id, 'n/')))) > 1, false)`;
  const found = await db.row<Partial<Record<NetworkKind, boolean>>>(
    `SELECT ${two("list_transform(authorships, lambda one: lower(one.openalex))")} AS author_collab,
       ${two("institutions_id")} AS institution_collab,
       ${thesaurus ? "false" : two("keywords_id")} AS keyword_cooccurrence
     FROM ${some("authorships, institutions_id, keywords_id", scope, first)}`,
  );
  const merged = await db.rows<{ kind: string }>(
    "SELECT DISTINCT kind FROM entity_map JOIN runs USING (run_id) WHERE revoked_by IS NULL",
  );
  return Object.entries(found ?? {}).flatMap(([kind, isProven]) =>
    isProven && !merged.some((one) => kind.startsWith(`${one.kind}_`)) ? (kind as NetworkKind) : [],
  );
}
