import type { Database, Value } from "../library/database.ts";
import { project } from "../networks/project.ts";
import { defaults, leastWeight, type NetworkSpec } from "../networks/spec.ts";
import type { Asked } from "./top-network.ts";
import type { TopData } from "./top-shape.ts";

/** Pairs that are made while somebody waits to read; a build takes its time for more. */
const mostPairsNow = 5_000_000;

/** The strongest pairs of papers that are cited together, in the scope of the network. */
export async function strongestCocitation({ db, given, looked }: Asked): Promise<TopData["cocitation"]> {
  const pairs = looked.cocitation
    ? { sql: "SELECT source, target, weight FROM read_parquet($1)", values: [looked.cocitation] }
    : await reckoned(db, looked.spec);
  if (!pairs) return [];
  return db.rows(
    `SELECT e.source, s.title AS source_title, e.target, t.title AS target_title, weight
     FROM (SELECT * FROM (${pairs.sql}) ORDER BY weight DESC, source, target LIMIT ${Math.trunc(given.n)}) e
     JOIN papers s ON s.id = e.source JOIN papers t ON t.id = e.target ORDER BY weight DESC, e.source, e.target`,
    pairs.values,
  );
}

async function reckoned(
  db: Database,
  { scope, includeRejected, keywords }: NetworkSpec,
): Promise<{ sql: string; values: Value[] } | undefined> {
  const kind = "cocitation";
  const minWeight = leastWeight("full");
  const asked = { scope, includeRejected, keywords, minWeight, maxPairs: mostPairsNow };
  const { made } = await project(db, { ...defaults, name: kind, kind, ...asked });
  if (!made) return undefined;
  return {
    sql: "SELECT a.id AS source, b.id AS target, weight FROM net_edges JOIN net_nodes a ON a.n = s JOIN net_nodes b ON b.n = t",
    values: [],
  };
}
