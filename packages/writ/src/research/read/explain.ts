import { type Context, fail, type Resolved } from "../../contract/index.ts";
import type { Database } from "../library/database.ts";
import { notFound, resolveIds } from "../library/resolve.ts";
import { readLibrary } from "../library/use.ts";
import { columnsSince } from "./pinned.ts";
import { decisionsOf } from "./show.ts";

interface Card {
  id: string;
  title: string;
  authors_raw: string[] | null;
  year: number | null;
  source: string | null;
  doi: string | null;
  source_id: string | null;
  url: string | null;
  curation_status: string;
  is_seed: boolean;
  row_hash: string;
  active: boolean;
  merged_into: string | null;
}

/**
 * What `paper:<id>` or `paper:<id>@<row hash>` refers to: the work, its status and by whose word, what brought it.
 * Asks nobody. Throws E_NOT_FOUND.
 */
export async function explainPaper(ctx: Context, name: string): Promise<Resolved> {
  if (!ctx.workspace)
    throw fail("E_NO_WORKSPACE", {
      message: "There is no workspace here that this paper could be of.",
      cause: "No workspace.yml stands in the folder or above it.",
      remediation: "Make one with writ init NAME, or name one with --workspace DIR.",
      details: { searched_from: ctx.base },
    });
  const [, text = name, pin] = /^(.*?)(?:@([0-9a-f]{16}))?$/s.exec(name) ?? [];
  return readLibrary(ctx, async (db) => {
    const { found } = await resolveIds(db, [text]);
    const id = found.get(text);
    if (id === undefined) throw await notFound(db, [text]);
    return explained(db, id, { text, ...(pin !== undefined && { pin }) });
  });
}

async function explained(
  db: Database,
  id: string,
  { text, pin }: { text: string; pin?: string },
): Promise<Resolved> {
  const card = await db.row<Card>(
    `SELECT id, title, authors_raw, year, source, doi, source_id, url, curation_status, is_seed, row_hash, active, merged_into
     FROM papers WHERE id = ? ORDER BY active DESC LIMIT 1`,
    [id],
  );
  if (!card) throw await notFound(db, [text]);
  const decided = (await decisionsOf(db, id)).filter((one) => !one.undone && one.decision !== null).at(-1);
  return {
    kind: "paper",
    ref: `paper:${id}`,
    id,
    title: card.title,
    authors: card.authors_raw ?? [],
    year: card.year,
    venue: card.source,
    doi: card.doi,
    address: addressOf(card),
    status: card.curation_status,
    is_seed: card.is_seed,
    ...(decided && {
      decided: { by: decided.by, at: decided.decided_at, kind: decided.kind, reason: decided.reason },
    }),
    row_hash: card.row_hash,
    ...(await broughtBy(db, id)),
    ...(/^(doi|src|tt):[0-9a-f]{16}$/.test(text) && text !== id && { resolved_from: text }),
    ...(pin !== undefined && { pinned: await pinnedOf(db, card, pin) }),
    ...(!card.active && (card.merged_into === null ? { undone: true } : { merged_into: card.merged_into })),
  };
}

async function pinnedOf(db: Database, card: Card, pin: string) {
  if (card.row_hash === pin) return { same: true, changed: [] };
  const changed = await columnsSince(db, card.id, pin);
  return changed
    ? { same: false, changed }
    : { same: false, changed: [], reason: "The library's history holds no such row of this paper." };
}

function addressOf({ doi, source_id, url }: Card): string | null {
  if (doi !== null) return `https://doi.org/${doi}`;
  if (source_id !== null && /^W\d+$/.test(source_id)) return `https://openalex.org/${source_id}`;
  return url;
}

/** The runs that told of it, their equations, and the papers that led to it. */
async function broughtBy(db: Database, id: string) {
  const runs = await db.rows<{
    run_id: string;
    verb: string;
    via: string;
    equation_id: string | null;
    equation: string | null;
  }>(
    `SELECT DISTINCT s.run_id, r.verb, s.via, r.equation_id, r.equation_text AS equation, r.seq
     FROM record_papers p JOIN sightings s USING (source, source_key) JOIN runs r USING (run_id)
     WHERE p.paper_id = ? AND r.revoked_by IS NULL ORDER BY r.seq`,
    [id],
  );
  const cited = await db.rows<{ id: string }>(
    `SELECT DISTINCT e.paper_id AS id FROM external_ids mine JOIN citers c ON c.citer = mine.value
     JOIN runs r USING (run_id) JOIN external_ids e ON e.engine = 'openalex' AND e.value = c.cited
     WHERE mine.engine = 'openalex' AND mine.paper_id = ? AND r.revoked_by IS NULL ORDER BY id LIMIT 100`,
    [id],
  );
  const equations = new Map(
    runs.flatMap(({ equation_id, equation }) => (equation_id === null ? [] : [[equation_id, equation]])),
  );
  return {
    runs: runs.map(({ run_id, verb, via }) => ({ run_id, verb, via })),
    equations: [...equations].map(([equation_id, equation]) => ({ equation_id, equation })),
    found_by_citing: cited.map((one) => `paper:${one.id}`),
  };
}
