import { type Context, fail } from "../../contract/index.ts";
import { maturityOf } from "../builds/maturity.ts";
import type { Database, Row } from "../library/database.ts";
import { totalPapers } from "../library/standing.ts";
import { readLibrary, rootOf } from "../library/use.ts";
import type { NetworkKind } from "../model.ts";
import { specSeed } from "../seed/fix.ts";
import { look, type Looked } from "./looked.ts";
import { strongestCocitation } from "./top-cocitation.ts";
import { topFields, withFields } from "./top-fields.ts";
import type { Asked } from "./top-network.ts";
import { ranked, rankedByCommunity, whyUnranked } from "./top-ranked.ts";
import { type ReadingOrder, readingOrder } from "./top-reading.ts";
import type { TopData, TopInput } from "./top-shape.ts";

/** The papers, or other nodes, that stand out in a network; what to read, and in which order. */
export async function readTop(ctx: Context, given: TopInput): Promise<TopData> {
  check(given);
  return readLibrary(ctx, async (db) => {
    const looked = await look(db, rootOf(ctx), given);
    if (looked.stale)
      ctx.warn({
        code: "W_STALE",
        message: `${looked.name} was built from papers that have changed since.`,
        remediation: "writ research build",
      });
    const data = await answer({ db, given, looked, columns: await columnsOf(db, looked) });
    const isBare = data.central.length === 0 && data.fix_command === undefined;
    if (!isBare || (await totalPapers({ db })) > 0) return data;
    return { ...data, fix_command: "writ research status", ...specSeed(ctx) };
  });
}

function check({ n }: TopInput): void {
  if (n >= 1) return;
  throw fail("E_INVALID_VALUE", {
    message: `-n ${n} makes no sense.`,
    cause: "A list has at least one entry.",
    remediation: "writ research read top -n 10",
    details: { flag: "-n", value: n, allowed: ">= 1" },
  });
}

async function columnsOf(db: Database, { nodes }: Looked): Promise<Set<string>> {
  if (!nodes) return new Set();
  const rows = await db.rows<Row>(`${nodes.sql} LIMIT 1`, nodes.values);
  return new Set(Object.keys(rows[0] ?? {}));
}

async function answer(asked: Asked): Promise<TopData> {
  const { db, given, looked } = asked;
  const { n, by, by_community: byCommunity } = given;
  const fields = await topFields(asked);
  const { entries, lacking } = await first(asked);
  const groups = byCommunity ? await rankedByCommunity(asked) : undefined;
  const shown = [...entries, ...(groups ?? []).flatMap(({ papers }) => papers)];
  const complete = await withFields(asked, shown, fields);
  return {
    kind: looked.kind,
    network: looked.name,
    by,
    top: n,
    central: entries.map(complete),
    ...(groups && { groups: groups.map((group) => ({ ...group, papers: group.papers.map(complete) })) }),
    cocitation: await strongestCocitation(asked),
    ...(entries.length > 0 ? lacking : (looked.absent ?? lacking)),
    stale: looked.stale,
    maturity: await maturityOf(db, { scope: looked.spec.scope, empty: await emptyKinds(db) }),
  };
}

/** What stands first by what was asked for, and what that is without. */
async function first(asked: Asked): Promise<ReadingOrder> {
  const { by } = asked.given;
  if (by === "reading") {
    const order = await readingOrder(asked);
    return order.entries.length > 0 ? order : { entries: [], lacking: { reason: "0 papers in scope" } };
  }
  const entries = await ranked(asked, by);
  return { entries, lacking: entries.length > 0 ? undefined : whyUnranked(asked, by) };
}

/** The kinds of which the newest build has no edge. */
async function emptyKinds(db: Database): Promise<NetworkKind[]> {
  const rows = await db.rows<{ kind: NetworkKind }>(
    `SELECT kind FROM (SELECT DISTINCT ON (b.name) b.kind, b.edges FROM builds b JOIN runs r USING (run_id)
       WHERE r.revoked_by IS NULL ORDER BY b.name, r.seq DESC) WHERE edges = 0 ORDER BY kind`,
  );
  return rows.map(({ kind }) => kind);
}
