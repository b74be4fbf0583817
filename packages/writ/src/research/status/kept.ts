import { type BigIntStats, lstatSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Context } from "../../contract/index.ts";
import { makeFolder, readOrNull, sha256Hex, writeAtomic } from "../../platform/index.ts";
import { requirePlaces } from "../library/open.ts";
import { placeOf } from "../library/place.ts";
import { readLibrary, rootOf } from "../library/use.ts";
import { tell, type Told, toldBuilds } from "./told.ts";

interface Kept {
  key: string;
  /** How many runs were asked for. */
  runs: number;
  told: Told;
}

// Moves when the same library would be told otherwise.
const format = "1";
const maxKeptBytes = 16 * 1024 * 1024;

/** A file system may tell times by the second or two; what has been left alone for so long is not taken for what follows. */
const settledMs = 2000;

/**
 * What the library tells. Loading a database and counting a library is most of what a status costs, so it is kept for
 * as long as the library's file is the same one: in the cache of this user, where no workspace can put it. Every change
 * of the file, whoever makes it, gives it another time or size.
 */
export async function toldOf(ctx: Context, runs: number): Promise<Told> {
  const root = rootOf(ctx);
  const path = join(ctx.folders.cache, "read", `library-${sha256Hex(root)}.json`);
  const before = await markOf(root);
  const key = before && JSON.stringify([format, ctx.registered.version, before.mark]);
  const kept = key && (await readKept(path, key));
  if (kept && isEnough(kept, runs) && (await toldBuilds(root, kept.told)))
    return { ...kept.told, runs: kept.told.runs.slice(0, runs) };
  const told = await readLibrary(ctx, (db) => tell(db, root, runs));
  const after = await markOf(root);
  if (key && before.mark === after?.mark && ctx.clock.now() - before.changedMs > settledMs)
    await keep(path, { key, runs, told });
  return told;
}

/** What tells the library's file from any other and from itself at another time; undefined while it is not all of it. */
async function markOf(root: string): Promise<{ mark: string; changedMs: number } | undefined> {
  await requirePlaces(root);
  const { file } = placeOf(root);
  if (statsOf(`${file}.wal`)) return undefined;
  const found = statsOf(file);
  if (!found?.isFile()) return undefined;
  const { dev, ino, size, mtimeNs, ctimeNs } = found;
  return { mark: [dev, ino, size, mtimeNs, ctimeNs].join(" "), changedMs: Number(ctimeNs / 1_000_000n) };
}

function statsOf(path: string): BigIntStats | undefined {
  return lstatSync(path, { bigint: true, throwIfNoEntry: false });
}

function isEnough({ runs, told }: Kept, asked: number): boolean {
  return asked <= runs || told.runs.length < runs;
}

async function readKept(path: string, key: string): Promise<Kept | undefined> {
  try {
    const bytes = await readOrNull(path, maxKeptBytes);
    const kept = bytes && (JSON.parse(bytes.toString("utf8")) as Kept);
    return kept && kept.key === key ? kept : undefined;
  } catch {
    // Whatever is wrong with it, the library is there to be asked.
    return undefined;
  }
}

async function keep(path: string, kept: Kept): Promise<void> {
  // A cache that cannot be written costs time only.
  try {
    await makeFolder(dirname(path), 0o700);
    await writeAtomic(path, `${JSON.stringify(kept)}\n`, { mode: 0o600, sync: false });
  } catch {}
}
