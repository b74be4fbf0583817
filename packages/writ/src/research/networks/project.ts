import type { Database } from "../library/database.ts";
import { buildAgain, emptyReason, type Empty } from "./empty.ts";
import {
  fittingCap,
  type Hub,
  type Incidence,
  makeIncidence,
  measureIncidence,
  usualPairs,
} from "./incidence.ts";
import { kinds } from "./kinds.ts";
import { linkPapers, type ThesaurusCounts, thesaurusCounts } from "./links.ts";
import { makeArcs, makePairs } from "./pairs.ts";
import { selectPapers } from "./papers.ts";
import type { NetworkSpec } from "./spec.ts";
import { inWords } from "./numbers.ts";
import type { ActiveThesaurus } from "./thesaurus.ts";

/** A network as it lies in temporary tables: `net_nodes(id, n, i)`, `net_edges(s, t, weight, …)`. */
export interface Projection {
  spec: NetworkSpec;
  papers: number;
  withoutYear: number;
  nodes: number;
  edges: number;
  /** Papers or keys that could be nodes and have no edge. */
  isolated: number;
  hub?: Hub;
  thesaurus?: ThesaurusCounts;
}

/** A network whose pairs are too many. */
export interface TooMany {
  reason: string;
  fix_command?: string;
}

export type Projected =
  | { made: Projection; empty?: undefined; skipped?: undefined; thesaurus?: undefined }
  | { made?: undefined; empty: Empty; skipped?: undefined; thesaurus?: ThesaurusCounts }
  | { made?: undefined; empty?: undefined; skipped: TooMany; thesaurus?: undefined };

/**
 * Projects one network. `net_papers`, `net_keys` and `net_links` stay for whoever writes it; `i` numbers nodes that have
 * an edge from 0 in the order of their ids.
 */
export async function project(
  db: Database,
  spec: NetworkSpec,
  thesaurus?: ActiveThesaurus,
): Promise<Projected> {
  const { papers, withoutYear } = await selectPapers(db, spec);
  const { node, key, directed } = kinds[spec.kind];
  await linkPapers(db, key, thesaurus);
  const counts =
    key === "keyword" && thesaurus ? { thesaurus: await thesaurusCounts(db, thesaurus) } : undefined;
  let hub: Hub | undefined;
  if (directed) await makeArcs(db, spec.minWeight);
  else {
    const incidence = await measureIncidence(db, spec.kind, spec.hubCap);
    hub = incidence.hub;
    const bound = boundOf(spec);
    if (incidence.pairs > bound.most || incidence.largest > bound.each)
      return { skipped: await tooMany(db, spec, { ...incidence, ...bound }) };
    await makeIncidence(db, spec.kind);
    await makePairs(db, spec);
  }
  const table = node === "paper" ? "net_papers" : "net_keys";
  await db.run(`
    CREATE OR REPLACE TEMP TABLE net_nodes AS
    SELECT id, n, CAST(row_number() OVER (ORDER BY n) - 1 AS INTEGER) AS i
    FROM ${table} SEMI JOIN (SELECT s AS n FROM net_edges UNION SELECT t FROM net_edges) used USING (n)`);
  const found = await db.row<{ nodes: number; edges: number; all: number }>(
    `SELECT (SELECT count(*) FROM net_nodes) AS nodes, (SELECT count(*) FROM net_edges) AS edges,
       (SELECT count(*) FROM ${table}) AS "all"`,
  );
  const { nodes = 0, edges = 0, all = 0 } = found ?? {};
  if (edges === 0)
    return { empty: await emptyReason(db, { ...spec, papers, ...(hub && { hub }) }), ...counts };
  return {
    made: { spec, papers, withoutYear, nodes, edges, isolated: all - nodes, ...(hub && { hub }), ...counts },
  };
}

/** At most so many pairs; where neither bound is named, no paper may make a clique out of its own long list. */
function boundOf({ kind, hubCap, maxPairs }: NetworkSpec): { most: number; each: number } {
  const isGuarded = kinds[kind].node !== "paper" && hubCap === undefined && maxPairs === undefined;
  return {
    most: maxPairs ?? usualPairs.most,
    each: isGuarded ? usualPairs.ofPaper : Number.POSITIVE_INFINITY,
  };
}

async function tooMany(
  db: Database,
  spec: NetworkSpec,
  { pairs, most, each }: Incidence & { most: number; each: number },
): Promise<TooMany> {
  const { cap, hub } = await fittingCap(db, { most, each });
  const bound = pairs > most ? "" : `, and one paper may make ${inWords(each)}`;
  const reason = `${inWords(pairs)} pairs; the ${inWords(hub.items)} largest items make ${inWords(hub.pairs)} of them${bound}`;
  if (cap === undefined) return { reason };
  return { reason, fix_command: buildAgain(spec, `--hub-cap ${cap}`) };
}
