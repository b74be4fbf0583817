import type { Database } from "../library/database.ts";
import { lengthsAllow, pairsOf, splitBlocks } from "./blocks.ts";
import { bagOf, type Entity, entitiesOf, givenNames, keysOf } from "./entities.ts";
import { type EntityKind, mergeId, type Proposal, rounded, thresholds } from "./proposal.ts";
import { ratio, sortedTokens } from "./similarity.ts";
import { givenDiffer, type Veto, vetoOf } from "./vetoes.ts";

/** What was looked at: comparisons made, of the pairs that share a block. */
export interface Effort {
  compared: number;
}

/** Authors, institutions or keywords that may be one, vetoed pairs included, in no order. */
export async function proposeEntities(db: Database, kind: EntityKind, effort: Effort): Promise<Proposal[]> {
  const entities = await entitiesOf(db, kind);
  const sorted = entities.map(({ text }) => sortedTokens(text));
  await block(db, kind, { entities, sorted });
  const found: Proposal[] = [];
  const least = thresholds[kind];
  const pairs = pairsOf(
    db,
    `SELECT DISTINCT a.n, b.n FROM dup_side a JOIN dup_side b ON a.key = b.key AND a.n < b.n WHERE ${lengthsAllow(least)}`,
  );
  for await (const { a, b } of pairs) {
    for (let at = 0; at < a.length; at += 1) {
      const [left, right] = [a[at] ?? 0, b[at] ?? 0];
      const score = ratio(sorted[left] ?? "", sorted[right] ?? "");
      const [one, other] = [entities[left], entities[right]];
      if (score >= least && one && other) found.push(proposalOf(kind, [one, other], score));
    }
    effort.compared += a.length;
  }
  if (kind === "author") found.push(...(await proposeSameNames(db, entities)));
  return found;
}

/** Puts names into their blocks, `dup_side(n, key, len)`. */
async function block(
  db: Database,
  kind: EntityKind,
  { entities, sorted }: { entities: readonly Entity[]; sorted: readonly string[] },
): Promise<void> {
  const rows = function* () {
    for (const [n, entity] of entities.entries()) {
      // An author's id says more than the name: it is compared with names alone, further down.
      if (kind === "author" && entity.opaque) continue;
      for (const key of new Set(keysOf(kind, entity))) yield [n, key];
    }
  };
  await db.run(`CREATE OR REPLACE TEMP TABLE dup_raw (n INTEGER, key VARCHAR);
    CREATE OR REPLACE TEMP TABLE dup_text (n INTEGER, sorted VARCHAR)`);
  await db.append("temp.dup_raw", ["n", "key"], rows());
  await db.append("temp.dup_text", ["n", "sorted"], sorted.entries());
  await splitBlocks(db, "dup_text");
  await db.run(`CREATE OR REPLACE TEMP TABLE dup_side AS
    SELECT n, key, length(sorted) AS len FROM dup_block JOIN dup_text USING (n)`);
}

function proposalOf(kind: EntityKind, pair: readonly [Entity, Entity], score: number): Proposal {
  const [keep, drop] = ordered(...pair);
  const vetoed = vetoOfEntities(kind, keep, drop);
  return {
    proposal: mergeId(kind, keep.node, drop.node),
    kind,
    keep: keep.node,
    drop: drop.node,
    keep_label: keep.name,
    drop_label: drop.name,
    score: rounded(score),
    evidence: ["similar_name"],
    ...(vetoed && { vetoed }),
  };
}

/** An id is kept before a name, then what more papers have, then the smaller. */
function ordered(a: Entity, b: Entity): [keep: Entity, drop: Entity] {
  const first = Number(b.opaque) - Number(a.opaque) || b.papers - a.papers || (a.node < b.node ? -1 : 1);
  return first <= 0 ? [a, b] : [b, a];
}

/** Why two entities are not to be merged without more ado. */
export function vetoOfEntities(kind: EntityKind, a: Entity, b: Entity): Veto | undefined {
  const names = kind === "author";
  const veto = vetoOf(a.text, b.text, { names });
  return veto ?? (names && givenDiffer(givenNames(a.name), givenNames(b.name)) ? "given_name" : undefined);
}

/** Authors with an id and authors without one whose names have the same words. */
async function proposeSameNames(db: Database, entities: readonly Entity[]): Promise<Proposal[]> {
  await db.run("CREATE OR REPLACE TEMP TABLE dup_bag (n INTEGER, bag VARCHAR, opaque BOOLEAN, node VARCHAR)");
  await db.append(
    "temp.dup_bag",
    ["n", "bag", "opaque", "node"],
    entities.map(({ text, opaque, node }, n) => [n, bagOf(text), opaque, node]),
  );
  const rows = await db.rows<{ a: number; b: number; shared: number }>(`
    WITH pairs AS (SELECT a.n AS a, b.n AS b, a.node AS known, b.node AS named
      FROM dup_bag a JOIN dup_bag b ON a.bag = b.bag AND a.opaque AND NOT b.opaque AND a.bag <> ''),
    together AS (SELECT DISTINCT p.node, o.node AS other FROM dup_mention p JOIN dup_mention o ON p.id = o.id
      AND p.node <> o.node WHERE p.node IN (SELECT known FROM pairs UNION ALL SELECT named FROM pairs)),
    shared AS (SELECT p.a, p.b, count(*) AS shared FROM pairs p JOIN together x ON x.node = p.known
      JOIN together y ON y.node = p.named AND y.other = x.other GROUP BY ALL)
    SELECT p.a, p.b, coalesce(s.shared, 0) AS shared FROM pairs p LEFT JOIN shared s USING (a, b)`);
  return rows.flatMap(({ a, b, shared }) => {
    const [one, other] = [entities[a], entities[b]];
    if (!one || !other) return [];
    const { vetoed: _, ...same } = proposalOf("author", [one, other], 100);
    return [{ ...same, evidence: ["same_name", `shared_coauthors:${shared}`] }];
  });
}
