import { type Context, fail, nearest } from "../../contract/index.ts";
import { type Build, availableBuilds, isStale } from "../builds/recorded.ts";
import type { Database } from "../library/database.ts";
import { rootOf } from "../library/use.ts";
import { kinds } from "../networks/kinds.ts";

/** A part of a network: its papers, and what else there is to say of it. */
export interface Drilled {
  papers: string[];
  /** The network's nodes file; absolute. */
  nodes: string;
  answer: Record<string, unknown>;
  /** Why it has no papers, whatever else was asked for. */
  empty?: { reason: string; fix_command?: string };
}

interface Drilling {
  network?: string;
  cluster?: number;
  edge: readonly string[];
}

/** The papers of a network, of one of its communities, or of one edge; undefined where none was asked for. */
export async function drill(ctx: Context, db: Database, asked: Drilling): Promise<Drilled | undefined> {
  const { network, cluster, edge } = asked;
  if (network === undefined) {
    if (cluster === undefined && edge.length === 0) return undefined;
    throw fail("E_MISSING_INPUT", {
      message: "A cluster or an edge is part of a network.",
      cause: "No --network was given.",
      remediation: "Name it: writ research read list --network bibliographic_coupling --cluster 0",
      details: { missing: ["network"] },
    });
  }
  const build = await findBuild(ctx, db, network);
  const stale = await isStale(db, build);
  if (stale)
    ctx.warn({
      code: "W_STALE",
      message: `${network} was built before its papers changed.`,
      remediation: "Build it again: writ research build",
    });
  const nodes = `${build.folder}/nodes.parquet`;
  const base = { network, stale };
  if (edge.length === 2) {
    const { ofEdge } = await import("./edge.ts");
    return { nodes, ...(await ofEdge(db, build, { ends: [edge[0] ?? "", edge[1] ?? ""], base })) };
  }
  const rows = await db.rows<{ id: string; community: number | null }>(
    `SELECT CAST(id AS VARCHAR) AS id, community FROM read_parquet(?) WHERE ? IS NULL OR community = ?`,
    [nodes, cluster ?? null, cluster ?? null],
  );
  if (rows.length === 0 && cluster !== undefined) throw noCluster(network, cluster);
  const { node } = kinds[build.kind];
  return {
    papers: rows.map(({ id }) => id),
    nodes,
    answer: base,
    ...(node !== "paper" && {
      empty: {
        reason: `The nodes of ${network} are no papers; --edge A B lists those that two of them share.`,
        fix_command: `writ research read top --network ${network}`,
      },
    }),
  };
}

type Found = Build & { folder: string };

async function findBuild(ctx: Context, db: Database, name: string): Promise<Found> {
  const builds = await availableBuilds(db, rootOf(ctx));
  const found = builds.find((one) => one.name === name);
  if (found) return found;
  const names = builds.map((one) => one.name);
  if (names.length === 0)
    throw fail("E_NO_NETWORKS", {
      message: "No network has been built.",
      cause: "A network is read from its build, and there is none.",
      remediation: "Build them: writ research build",
    });
  const near = nearest(name, names) ?? names[0];
  throw fail("E_NOT_FOUND", {
    message: `No network is named "${name.slice(0, 100)}".`,
    cause: `There are ${names.join(", ")}.`,
    remediation: `Read one of them: writ research read list --network ${near}`,
    details: { missing: [name.slice(0, 100)], nearest: names },
  });
}

function noCluster(network: string, cluster: number) {
  return fail("E_NOT_FOUND", {
    message: `${network} has no community ${cluster}.`,
    cause: "Communities are numbered from 0, the largest first.",
    remediation: `See the papers of all of them: writ research read list --network ${network} --fields id,title,community`,
    details: { missing: [String(cluster)] },
  });
}
