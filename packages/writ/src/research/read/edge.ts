import type { Build } from "../builds/recorded.ts";
import type { Database } from "../library/database.ts";
import { resolveIds } from "../library/resolve.ts";
import { kinds } from "../networks/kinds.ts";
import { linkPapers } from "../networks/links.ts";
import { selectPapers } from "../networks/papers.ts";
import { activeThesaurus } from "../networks/thesaurus.ts";
import type { Drilled } from "./drill.ts";

/** Something two papers share: a reference or a citer; with id and title where it is a paper. */
interface Shared {
  ref: string;
  doi?: string;
  id?: string;
  title?: string;
}

/**
 * What an edge is made of, computed from the library: for two papers the references or citers they share; for two
 * authors, institutions or keywords the papers that hold both.
 */
export async function ofEdge(
  db: Database,
  build: Build,
  { ends, base }: { ends: readonly [string, string]; base: Record<string, unknown> },
): Promise<Omit<Drilled, "nodes">> {
  const { node, key, directed } = kinds[build.kind];
  await selectPapers(db, build.spec);
  await linkPapers(db, key, await activeThesaurus(db));
  const answer = { ...base, edge: [...ends] };
  if (node !== "paper") return { papers: await holdersOf(db, ends), answer };
  const { found } = await resolveIds(db, ends);
  const ids = ends.map((end) => found.get(end) ?? end);
  if (directed) return { papers: ids, answer };
  const shared = await sharedBy(db, ids, key === "citer");
  return {
    papers: shared.flatMap(({ id }) => id ?? []),
    answer: { ...answer, shared, shared_count: shared.length },
    empty: { reason: emptiness(shared.length, key === "citer" ? "citer" : "reference") },
  };
}

/** Why an edge shows no papers: what two papers share need not be in the library. */
function emptiness(shared: number, what: string): string {
  if (shared === 0) return `They share no ${what}.`;
  return shared === 1
    ? `The ${what} that they share is no paper of the library.`
    : `The ${shared} ${what}s that they share are no papers of the library.`;
}

async function holdersOf(db: Database, ends: readonly [string, string]): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(
    `SELECT p.id FROM net_links l JOIN net_keys k ON k.n = l.key JOIN net_papers p ON p.n = l.paper
     WHERE k.id IN ($1, $2) GROUP BY p.id HAVING count(DISTINCT k.id) = 2 ORDER BY p.id`,
    [...ends],
  );
  return rows.map(({ id }) => id);
}

async function sharedBy(db: Database, ids: string[], isCiter: boolean): Promise<Shared[]> {
  const rows = await db.rows<{ ref: string; doi: string | null; id: string | null; title: string | null }>(
    `WITH common AS (
       SELECT l.key FROM net_links l JOIN net_papers p ON p.n = l.paper WHERE p.id IN ($1, $2)
       GROUP BY l.key HAVING count(DISTINCT p.id) = 2),
     told AS (
       SELECT k.id, min(CASE WHEN n.value[2] = '/' THEN substr(n.value, 3) ELSE n.value END) AS ref
       FROM common JOIN net_keys k ON k.n = common.key JOIN net_names n ON n.id = k.id GROUP BY k.id)
     SELECT told.ref, coalesce(q.doi, d.doi) AS doi, q.id, q.title FROM told
     LEFT JOIN external_ids e ON e.engine = 'openalex' AND e.value = told.ref
     LEFT JOIN papers q ON q.active AND q.id = ${isCiter ? "e.paper_id" : "told.id"}
     LEFT JOIN (SELECT ref_id, min(doi) AS doi FROM ref_dois JOIN runs r USING (run_id)
       WHERE doi IS NOT NULL AND r.revoked_by IS NULL GROUP BY ref_id) d ON d.ref_id = told.ref
     ORDER BY told.ref`,
    ids,
  );
  return rows.map(({ ref, doi, id, title }) => ({
    ref,
    ...(doi !== null && { doi }),
    ...(id !== null && title !== null && { id, title }),
  }));
}
