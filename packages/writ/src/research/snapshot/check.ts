import { join } from "node:path";
import { type Context, fail } from "../../contract/index.ts";
import { hashFile, lstatOrNull, quote, readOrNull } from "../../platform/index.ts";
import { targetFolder } from "../export/target.ts";
import { Database } from "../library/database.ts";
import { hashOfCorpus } from "../library/hash.ts";
import { type Manifest, manifestSchema } from "./manifest.ts";

/** A snapshot whose files are those its manifest names. */
export interface Checked {
  /** Absolute. */
  folder: string;
  /** As it is shown. */
  name: string;
  manifest: Manifest;
  corpusHash: string;
  papers: number;
}

const maxManifest = 64 * 1024 * 1024;

/** Checks every file of a snapshot before anything of it is used. Throws E_NOT_FOUND, E_SNAPSHOT_DAMAGED. */
export async function checkSnapshot(ctx: Context, given: string): Promise<Checked> {
  const { folder, shown } = await targetFolder(ctx, given, "");
  const manifest = await readManifest(folder, shown);
  const rows = new Map(manifest.files.map((file) => [file.path, file.rows]));
  if (!rows.has("tables/records.parquet")) throw noTables(shown);
  for (const [at, { path, sha256 }] of manifest.files.entries()) {
    ctx.signal.throwIfAborted();
    ctx.emit({ phase: "plan", item: path, done: at, total: manifest.files.length });
    if (!/^(tables\/)?[a-z_]+\.parquet$/.test(path))
      throw damaged(shown, { path, why: "its name is none of a snapshot's" });
    if (!(await lstatOrNull(join(folder, path)))?.isFile())
      throw damaged(shown, { path, why: "it is not there" });
    const found = await hashFile(join(folder, path));
    if (found !== sha256) throw damaged(shown, { path, why: "it has another hash", expected: sha256, found });
  }
  const corpusHash = await hashOf(join(folder, "corpus.parquet")).catch((error: unknown) => {
    throw unreadable(error, { name: shown, path: "corpus.parquet" });
  });
  if (corpusHash !== manifest.corpus_hash)
    throw damaged(shown, {
      path: "corpus.parquet",
      why: "its papers have another hash",
      expected: manifest.corpus_hash,
      found: corpusHash,
    });
  return { folder, name: shown, manifest, corpusHash, papers: rows.get("corpus.parquet") ?? 0 };
}

async function readManifest(folder: string, shown: string): Promise<Manifest> {
  const bytes = await readOrNull(join(folder, "manifest.json"), { maxBytes: maxManifest });
  if (!bytes)
    throw fail("E_NOT_FOUND", {
      message: `There is no snapshot in "${shown}".`,
      cause: "A snapshot has a manifest.json, which is written last.",
      remediation: "See which snapshots there are: ls .writ/research/snapshots",
      details: { missing: [shown] },
    });
  try {
    return manifestSchema.parse(JSON.parse(bytes.toString("utf8")));
  } catch {
    throw damaged(shown, { path: "manifest.json", why: "it cannot be read" });
  }
}

async function hashOf(file: string): Promise<string> {
  const db = await Database.open({ file: ":memory:", memory: "1GiB" });
  try {
    return await hashOfCorpus(db, file);
  } finally {
    db.close();
  }
}

function noTables(shown: string) {
  return fail("E_SNAPSHOT_DAMAGED", {
    message: `"${shown}" holds papers, but not what they were computed from.`,
    cause: "Its manifest names no tables: another program wrote it.",
    remediation: `Take its papers as they stand: writ research snapshot restore --from-corpus ${quote(`${shown}/corpus.parquet`)}`,
    details: { file: "tables/records.parquet" },
  });
}

/** A file with the right hash may hold anything: what DuckDB says of it, as an error of the snapshot. */
export function unreadable(error: unknown, { name, path }: { name: string; path: string }): unknown {
  const isTold = error instanceof Error && strangeContent.test(error.message);
  return isTold ? damaged(name, { path, why: "it does not hold what its name says" }) : error;
}

const strangeContent =
  /^(Invalid Input|Invalid type|Conversion|Binder|Constraint|Out of Range|Mismatch Type|TProtocolException)/i;

function damaged(shown: string, of: { path: string; why: string; expected?: string; found?: string }) {
  return fail("E_SNAPSHOT_DAMAGED", {
    message: `The snapshot "${shown}" is damaged: ${of.path}, ${of.why}.`,
    cause: "Its files are not those that its manifest names; nothing was restored.",
    remediation: "Use another snapshot, or another copy of this one: ls .writ/research/snapshots",
    details: {
      file: of.path,
      ...(of.expected !== undefined && { expected: of.expected, found: of.found }),
    },
  });
}
