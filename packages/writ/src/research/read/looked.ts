import { availableBuilds, isStale } from "../builds/recorded.ts";
import { unknownNetworks } from "../builds/unknown.ts";
import type { Database, Value } from "../library/database.ts";
import type { NetworkKind } from "../model.ts";
import { kinds } from "../networks/kinds.ts";
import { project } from "../networks/project.ts";
import { defaults, leastWeight, type NetworkSpec } from "../networks/spec.ts";
import type { TopInput } from "./top-shape.ts";

/** The network that is looked at: as it was built, or coupling, reckoned now. */
export interface Looked {
  name: string | null;
  kind: NetworkKind;
  spec: NetworkSpec;
  /** Rows `(id, label, degree, …)` of its nodes, as SQL and the values it binds. */
  nodes?: { sql: string; values: Value[] };
  cocitation?: string;
  stale: boolean;
  absent?: { reason: string; fix_command?: string };
}

/** What is reckoned while somebody waits to read; a build takes its time for more. */
const mostPairsNow = 20_000_000;

/** The network that was named, or the one to look at first. Throws E_NOT_FOUND with the names there are. */
export async function look(db: Database, root: string, { network }: TopInput): Promise<Looked> {
  const builds = await availableBuilds(db, root);
  const build =
    network === undefined
      ? (builds.find(({ name }) => name === "bibliographic_coupling") ??
        builds.find(({ kind }) => kinds[kind].node === "paper") ??
        builds[0])
      : builds.find(({ name }) => name === network);
  if (!build) {
    if (network === undefined) return reckon(db);
    throw unknownNetworks([network], {
      known: builds.map(({ name }) => name),
      use: (name) => `writ research read top --network ${name}`,
    });
  }
  const cocitation = builds.find(
    ({ kind, spec }) =>
      kind === "cocitation" &&
      spec.scope === build.spec.scope &&
      spec.includeRejected === build.spec.includeRejected,
  );
  return {
    name: build.name,
    kind: build.kind,
    spec: build.spec,
    nodes: { sql: "SELECT * FROM read_parquet($1)", values: [`${build.folder}/nodes.parquet`] },
    ...(cocitation && { cocitation: `${cocitation.folder}/edges.parquet` }),
    stale: await isStale(db, build),
  };
}

/** Without a build: degrees in coupling, reckoned now and kept nowhere. */
async function reckon(db: Database): Promise<Looked> {
  const kind = "bibliographic_coupling";
  const spec: NetworkSpec = {
    ...defaults,
    name: kind,
    kind,
    scope: "all",
    includeRejected: false,
    keywords: [],
    minWeight: leastWeight("full"),
  };
  const projected = await project(db, { ...spec, maxPairs: mostPairsNow });
  const looked: Looked = { name: null, kind, spec, stale: false };
  if (projected.empty) return { ...looked, absent: projected.empty };
  if (projected.skipped)
    return { ...looked, absent: { reason: projected.skipped.reason, fix_command: "writ research build" } };
  await db.run(`
    CREATE OR REPLACE TEMP TABLE net_top AS
    SELECT id, title AS label, CAST(degree AS INTEGER) AS degree, CAST(strength AS DOUBLE) AS strength,
      degree / greatest((SELECT count(*) FROM net_nodes) - 1, 1) AS degree_centrality, cited_by_count
    FROM (SELECT n, count(*) AS degree, sum(weight) AS strength
      FROM (SELECT s AS n, weight FROM net_edges UNION ALL SELECT t, weight FROM net_edges) GROUP BY n)
    JOIN net_nodes USING (n) JOIN papers USING (id)`);
  return { ...looked, nodes: { sql: "SELECT * FROM net_top", values: [] } };
}
