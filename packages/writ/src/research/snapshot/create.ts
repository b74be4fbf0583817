import { rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Context, Fact } from "../../contract/index.ts";
import { makeFolder, hashFile, lstatOrNull, removeTree, storing, writeAtomic } from "../../platform/index.ts";
import { type Maturity, maturityOf } from "../builds/maturity.ts";
import { makeTarget, shownPath, targetFolder } from "../export/target.ts";
import type { Database } from "../library/database.ts";
import { libraryFiles, noteFolder } from "../library/file-store.ts";
import { corpusHash } from "../library/hash.ts";
import { placeOf } from "../library/place.ts";
import { schemaVersion } from "../library/schema.ts";
import { readLibrary, rootOf } from "../library/use.ts";
import { canonicalColumns } from "../model.ts";
import { buildPreview } from "../networks/preview.ts";
import { historyOf } from "./describe.ts";
import { gatherEvents } from "./events.ts";
import type { Manifest } from "./manifest.ts";
import { snapshotTables } from "./tables.ts";

/** Rows that are packed together in each file. */
const rowGroup = 122_880;

/** What a snapshot is, or would be. */
export interface SnapshotData extends Described {
  bytes: number | null;
  changed?: boolean;
  reason?: string;
  [name: string]: unknown;
}

interface Described {
  snapshot_dir: string;
  corpus_hash: string;
  total_papers: number;
  schema_version: string;
  maturity: Maturity;
}

/** Writes all of the library into a new folder; `wait` as for {@link readLibrary}. */
export async function createSnapshot(
  ctx: Context,
  outDir: string | undefined,
  wait: { wait?: number } = {},
): Promise<SnapshotData> {
  const root = rootOf(ctx);
  const target = await targetFolder(ctx, outDir, placeOf(root).snapshots);
  const first = await readLibrary(ctx, (db) => look(ctx, db, target.folder), wait);
  if (await lstatOrNull(first.folder)) {
    const reason = "A snapshot of the same library was made in this second.";
    return { ...dataOf(root, first), bytes: await sizeOf(first.folder), changed: false, reason };
  }
  if (ctx.dryRun) return { ...dataOf(root, first), bytes: null, changed: true };
  await makeTarget(target);
  const make = async (db: Database) => {
    const found = (await versionOf(db)) === first.version ? first : await look(ctx, db, target.folder);
    const data = dataOf(root, found);
    const staged = join(target.folder, `.stage-${ctx.act}`);
    try {
      const bytes = await write(ctx, db, { ...found, folder: staged });
      const made = { ...data, bytes };
      const renamed = { from: staged, to: found.folder };
      await noteFolder(ctx, { capability: "research.snapshot.create", fact: factOf(made), renamed });
      await storing(data.snapshot_dir, () => rename(staged, found.folder));
      return made;
    } catch (error) {
      await libraryFiles.settled(root, ctx.act).catch(() => {});
      throw error;
    } finally {
      await removeTree(staged).catch(() => {});
    }
  };
  return ctx.commit(factOf, () => readLibrary(ctx, make, wait));
}

function factOf({ snapshot_dir, corpus_hash, total_papers }: SnapshotData): Fact {
  return { subjects: [`file:${snapshot_dir}`], detail: { corpus_hash, total_papers } };
}

/** The library as it is before it is written. */
interface Looked {
  version: string;
  folder: string;
  hash: string;
  papers: number;
  maturity: Maturity;
}

async function look(ctx: Context, db: Database, parent: string): Promise<Looked> {
  ctx.emit({ phase: "plan" });
  await db.allThreads();
  const hash = await corpusHash(db);
  return {
    version: await versionOf(db),
    folder: join(parent, `${stamp(ctx.clock.now())}-${hash.slice(0, 8)}`),
    hash,
    papers: await count(db, "papers WHERE active"),
    maturity: await maturity(db),
  };
}

function dataOf(root: string, { folder, hash, papers, maturity: mature }: Looked): Described {
  return {
    snapshot_dir: shownPath(root, folder),
    corpus_hash: hash,
    total_papers: papers,
    schema_version: schemaVersion,
    maturity: mature,
  };
}

/** Grows with each change of a paper, and with each run. */
async function versionOf(db: Database): Promise<string> {
  const row = await db.row<{ version: string }>(
    `SELECT value || '.' || (SELECT coalesce(max(seq), 0) FROM runs) AS version FROM meta WHERE key = 'content_version'`,
  );
  return row?.version ?? "";
}

function stamp(now: number): string {
  return new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, "");
}

async function maturity(db: Database): Promise<Maturity> {
  const preview = await buildPreview(db);
  return maturityOf(db, {
    scope: "all",
    empty: preview.filter((one) => one.would_be_empty).map(({ kind }) => kind),
  });
}

async function write(
  ctx: Context,
  db: Database,
  { folder, hash, papers }: { folder: string; hash: string; papers: number },
): Promise<number> {
  await storing("snapshots", async () => {
    await rm(folder, { recursive: true, force: true });
    await makeFolder(join(folder, "tables"));
  });
  await gatherEvents(db, papers);
  const files = await withFewThreads(db, () => writeTables(ctx, db, folder));
  const manifest: Manifest = {
    schema_version: "1",
    corpus_hash: hash,
    lib_version: `writ/${ctx.registered.version}`,
    created_at: new Date(ctx.clock.now()).toISOString(),
    ...(await historyOf(db)),
    files,
    duckdb_version: (await db.row<{ v: string }>("SELECT version() AS v"))?.v ?? "",
    writ_version: ctx.registered.version,
  };
  await storing("manifest.json", () =>
    writeAtomic(join(folder, "manifest.json"), `${JSON.stringify(manifest, null, 2)}\n`),
  );
  ctx.emit({ phase: "write", done: files.length, total: files.length });
  return sizeOf(folder);
}

/** Each thread that writes holds a group of rows, and these are wide: several groups are more than DuckDB may take. */
async function withFewThreads<T>(db: Database, work: () => Promise<T>): Promise<T> {
  if ((await count(db, "records")) > rowGroup) await db.oneThread();
  try {
    return await work();
  } finally {
    await db.allThreads();
  }
}

async function writeTables(ctx: Context, db: Database, folder: string): Promise<Manifest["files"]> {
  const names = ["corpus", ...Object.keys(snapshotTables)];
  const files: Manifest["files"] = [];
  for (const [at, name] of names.entries()) {
    ctx.signal.throwIfAborted();
    ctx.emit({ phase: "write", item: name, done: at, total: names.length });
    const path = name === "corpus" ? "corpus.parquet" : `tables/${name}.parquet`;
    const order = snapshotTables[name]?.order;
    const query = order === undefined ? corpusSql() : `SELECT * FROM ${name} ORDER BY ${order}`;
    const rows = await copy(db, query, join(folder, path));
    if (name === "corpus") await db.run("DROP TABLE snapshot_events");
    files.push({ path, sha256: await hashFile(join(folder, path)), rows });
  }
  return files;
}

/** The canonical columns of all active papers, their provenance made from what counts. */
function corpusSql(): string {
  const columns = canonicalColumns.map((name) =>
    name === "provenance" ? "e.events AS provenance" : `p.${name}`,
  );
  return `SELECT ${columns.join(", ")} FROM papers p LEFT JOIN snapshot_events e ON e.id = p.id
    WHERE p.active ORDER BY p.id`;
}

async function copy(db: Database, query: string, file: string): Promise<number> {
  const row = await db.row<{ Count: number }>(
    `COPY (${query}) TO '${file.replaceAll("'", "''")}' (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${rowGroup})`,
  );
  return row?.Count ?? 0;
}

async function count(db: Database, from: string): Promise<number> {
  return (await db.row<{ n: number }>(`SELECT count(*) AS n FROM ${from}`))?.n ?? 0;
}

async function sizeOf(folder: string): Promise<number> {
  const paths = [
    "manifest.json",
    "corpus.parquet",
    ...Object.keys(snapshotTables).map((name) => `tables/${name}.parquet`),
  ];
  let bytes = 0;
  for (const path of paths)
    bytes += await stat(join(folder, path)).then(
      ({ size }) => size,
      () => 0,
    );
  return bytes;
}
