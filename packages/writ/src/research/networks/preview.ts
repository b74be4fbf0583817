import type { Database } from "../library/database.ts";
import { scopeSql } from "../library/scope.ts";
import type { NetworkKind, Scope } from "../model.ts";
import { emptyReason, hasPair } from "./empty.ts";
import { defaultKinds, type KeyOf, kinds } from "./kinds.ts";
import { linkPapers, mentionsOf } from "./links.ts";
import { selectPapers } from "./papers.ts";
import { provenAmongFirst } from "./proofs.ts";
import { activeThesaurus } from "./thesaurus.ts";

/** Whether the default build would leave a network empty, and why. */
export interface Preview {
  kind: NetworkKind;
  would_be_empty: boolean;
  reason?: string;
  fix_command?: string;
}

// A proof is mostly found among the first; only a network that is empty is looked for everywhere.
const looks = [10_000, 100_000, undefined];

/** What a paper must have to hold any key. */
const lists: Readonly<Record<KeyOf, readonly string[]>> = {
  reference: ["references_id", "refs_other"],
  citer: ["cited_by_id"],
  author: ["authorships", "authors_id", "authors_raw"],
  institution: ["institutions_id"],
  keyword: ["keywords_id", "keywords_raw"],
  country: ["countries"],
};

/** What `build` would find for each kind of the default build: the same question, of some papers first. */
export async function buildPreview(db: Database, options: { scope?: Scope } = {}): Promise<Preview[]> {
  const { scope = "all" } = options;
  const previews = new Map<NetworkKind, Preview>();
  const openKinds = () => defaultKinds.filter((kind) => !previews.has(kind));
  const thesaurus = await activeThesaurus(db);
  for (const kind of await provenAmongFirst(db, scope, { thesaurus: thesaurus !== undefined }))
    previews.set(kind, { kind, would_be_empty: false });
  // What the first papers do not prove, all may lack: that is told by one look at the lists of these kinds alone.
  for (const bare of await withoutKeys(db, scope, openKinds())) previews.set(bare.kind, bare);
  for (const first of looks) {
    const open = openKinds();
    if (open.length === 0) break;
    const { papers } = await selectPapers(db, { scope, ...(first !== undefined && { first }) });
    const isAll = first === undefined || papers < first;
    for (const kind of open) {
      if (await sharesMention(db, kind)) {
        previews.set(kind, { kind, would_be_empty: false });
        continue;
      }
      await linkPapers(db, kinds[kind].key, thesaurus);
      if (await hasPair(db, kind)) previews.set(kind, { kind, would_be_empty: false });
      else if (isAll) previews.set(kind, await emptiness(db, { kind, papers }));
    }
  }
  return defaultKinds.flatMap((kind) => previews.get(kind) ?? []);
}

/** Whether two papers mention the same id, which proves that they share a key; other mentions must be named first. */
async function sharesMention(db: Database, kind: NetworkKind): Promise<boolean> {
  const { node, key } = kinds[kind];
  if (node !== "paper") return false;
  const found = await db.row(
    `SELECT 1 FROM (${mentionsOf(key, undefined)}) WHERE NOT starts_with(value, 'i/')
     GROUP BY value HAVING count(DISTINCT paper) > 1 LIMIT 1`,
  );
  return found !== undefined;
}

/** Those of the kinds for which no paper holds anything. */
async function withoutKeys(db: Database, scope: Scope, of: readonly NetworkKind[]): Promise<Preview[]> {
  if (of.length === 0) return [];
  const holds = (kind: NetworkKind) =>
    lists[kinds[kind].key].map((list) => `coalesce(len(${list}), 0) > 0`).join(" OR ");
  const counts = await db.row<Record<string, number>>(
    `SELECT count(*) AS papers, ${of.map((kind) => `count(*) FILTER (${holds(kind)}) AS ${kind}`).join(", ")}
     FROM papers WHERE ${scopeSql(scope)}`,
  );
  const bare = of.filter((kind) => (counts?.[kind] ?? 0) === 0);
  if (bare.length > 0) await selectTelling(db, scope);
  const previews: Preview[] = [];
  for (const kind of bare) {
    await db.run("CREATE OR REPLACE TEMP TABLE net_links (paper INTEGER, key INTEGER)");
    previews.push(await emptiness(db, { kind, papers: counts?.papers ?? 0 }));
  }
  return previews;
}

/** Of all papers, those two by which {@link emptyReason} tells what would help: one to look up, one that is known. */
async function selectTelling(db: Database, scope: Scope): Promise<void> {
  const one = (where: string) => `(SELECT id FROM papers WHERE ${scopeSql(scope)} AND ${where} LIMIT 1)`;
  await db.run(`CREATE OR REPLACE TEMP TABLE net_papers AS
    ${one("doi IS NOT NULL AND source_id IS NULL")} UNION ${one("source_id IS NOT NULL")}`);
}

async function emptiness(db: Database, found: { kind: NetworkKind; papers: number }): Promise<Preview> {
  return { kind: found.kind, would_be_empty: true, ...(await emptyReason(db, { ...found, minWeight: 1 })) };
}
