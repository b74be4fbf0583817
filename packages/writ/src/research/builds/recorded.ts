import { access } from "node:fs/promises";
import { join } from "node:path";
import type { Database } from "../library/database.ts";
import { placeOf } from "../library/place.ts";
import type { NetworkKind } from "../model.ts";
import { fingerprint } from "../networks/fingerprint.ts";
import { kinds } from "../networks/kinds.ts";
import type { NetworkSpec } from "../networks/spec.ts";
import { readIndex, stageName } from "./index-file.ts";

/** What was built, from what: a row of `builds`. */
export interface Build {
  buildId: string;
  name: string;
  kind: NetworkKind;
  spec: NetworkSpec;
  /** Where the networks lie when not in the library's own folder; absolute. */
  outDir?: string;
  contentVersion: number;
  fingerprint: string;
  corpusHash: string;
  nodes: number;
  edges: number;
  builtAt: Date;
  runId: string;
}

interface Row {
  build_id: string;
  name: string;
  kind: NetworkKind;
  params: string;
  content_version: number;
  fingerprint: string;
  corpus_hash: string;
  nodes: number;
  edges: number;
  built_at: Date;
  run_id: string;
}

const order = Object.keys(kinds);

/**
 * The newest build of each network that has an edge, in the order of the kinds, then by name; a network that came out
 * empty since has none.
 */
export async function newestBuilds(db: Database): Promise<Build[]> {
  const rows = await db.rows<Row>(
    `SELECT DISTINCT ON (b.name) b.* FROM builds b JOIN runs r USING (run_id)
     WHERE r.revoked_by IS NULL ORDER BY b.name, r.seq DESC`,
  );
  return rows
    .filter(({ edges }) => edges > 0)
    .map(buildOf)
    .toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind) || (a.name < b.name ? -1 : 1));
}

function buildOf(row: Row): Build {
  const { spec, out_dir: outDir } = JSON.parse(row.params) as { spec: NetworkSpec; out_dir?: string };
  return {
    buildId: row.build_id,
    name: row.name,
    kind: row.kind,
    spec,
    ...(outDir !== undefined && { outDir }),
    contentVersion: row.content_version,
    fingerprint: row.fingerprint,
    corpusHash: row.corpus_hash,
    nodes: row.nodes,
    edges: row.edges,
    builtAt: row.built_at,
    runId: row.run_id,
  };
}

/** Where the files of a build lie, in the library of the workspace at `root`; undefined when they are gone. */
async function folderOf(root: string, build: Build): Promise<string | undefined> {
  const networks = build.outDir ?? placeOf(root).networks;
  // A build that was committed and then cut off has not moved its networks yet, or not all.
  const stage = join(networks, stageName(build.runId));
  const staged = join(stage, build.name);
  if (await holdsEdges(staged)) return staged;
  const folder = join(networks, build.name);
  return (await holdsEdges(folder)) && (await isTold(build, [networks, stage])) ? folder : undefined;
}

/** Whether these folders tell of the build; another, which was undone, may have taken its place under its name. */
async function isTold({ buildId, name }: Build, folders: readonly string[]): Promise<boolean> {
  const told = await Promise.all(folders.map(readIndex));
  const ids = told.flatMap((index) => index[name]?.build_id ?? []);
  return ids.length === 0 || ids.includes(buildId);
}

function holdsEdges(folder: string): Promise<boolean> {
  return access(join(folder, "edges.parquet")).then(
    () => true,
    () => false,
  );
}

/** The builds whose files are there. */
export async function availableBuilds(db: Database, root: string): Promise<(Build & { folder: string })[]> {
  return thoseThere(root, await newestBuilds(db));
}

/** Those of the builds whose files are there, and where. */
export async function thoseThere<T extends Build>(
  root: string,
  builds: readonly T[],
): Promise<(T & { folder: string })[]> {
  const found: (T & { folder: string })[] = [];
  for (const build of builds) {
    const folder = await folderOf(root, build);
    if (folder !== undefined) found.push({ ...build, folder });
  }
  return found;
}

/** The number that grows with each committed change of a paper. */
export async function contentVersion(db: Database): Promise<number> {
  const row = await db.row<{ value: string }>("SELECT value FROM meta WHERE key = 'content_version'");
  return Number(row?.value ?? 0);
}

/** Whether the papers a network was built from have changed since: those of its own scope only. */
export async function isStale(db: Database, build: Build): Promise<boolean> {
  if ((await contentVersion(db)) === build.contentVersion) return false;
  return (await fingerprint(db, build.spec)) !== build.fingerprint;
}
