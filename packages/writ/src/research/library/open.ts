import { readdir, rm } from "node:fs/promises";
import { join, relative } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Context, WritError } from "../../contract/index.ts";
import {
  makeFolder,
  compareBytes,
  lstatOrNull,
  removeTree,
  requireNoLinks,
  storing,
} from "../../platform/index.ts";
import { Database } from "./database.ts";
import { foreign, givenUp, held, isHeldElsewhere, missing, openFailure, workFailure } from "./failures.ts";
import { type Place, libraryFile, placeOf } from "./place.ts";
import { createTables } from "./schema.ts";

/**
 * Up to this size papers lie in one group of rows, which one thread reads; others would only wait for it, and waiting
 * costs a core; see {@link Database.allThreads}.
 */
const smallBytes = 40 * 1024 * 1024;

/** Enough for a library of a hundred thousand papers, where nothing is kept for later. */
const littleMemory = "72MiB";

/** How long an open file without readers stays open in a server. */
const idleMs = 1000;

export interface Opening {
  root: string;
  waitMs: number;
  memory: string;
  /** Less, for work that does with less; none where a person has named how much it may take. */
  littleMemory?: string;
  signal: AbortSignal;
  /** Whether the file may stay open for the next reader; a command line ends instead. */
  keep: boolean;
}

export interface WriteOpening extends Opening {
  /** Whether a missing library is made. */
  creates: boolean;
  now: Date;
}

/** One library as this process has it: many readers of one shared opening, or one writer. */
interface Gate {
  shared?: Database;
  readers: number;
  writers: number;
  writing: boolean;
  idle?: NodeJS.Timeout;
}

// DuckDB's lock tells processes apart, not two openings in one: this table does.
const gates = new Map<string, Gate>();

function gateOf(file: string): Gate {
  const known = gates.get(file) ?? { readers: 0, writers: 0, writing: false };
  gates.set(file, known);
  return known;
}

/** The settings by which a call opens its library. */
export function openingOf(ctx: Context, root: string, wait: number | undefined): Opening {
  const named = ctx.settings.env("WRIT_RESEARCH_MEMORY");
  return {
    root,
    waitMs: (wait ?? 30) * 1000,
    ...(named ? { memory: named } : { memory: "1GiB", littleMemory }),
    signal: ctx.signal,
    keep: !ctx.local,
  };
}

/** Reads the library through an opening that all readers of this process share. Not to be called within itself. */
export async function reading<T>(opening: Opening, work: (db: Database) => Promise<T>): Promise<T> {
  const place = placeOf(opening.root);
  const gate = gateOf(place.file);
  await until(opening, () => !gate.writing && gate.writers === 0);
  clearTimeout(gate.idle);
  gate.readers += 1;
  try {
    const db = await connected(gate, place, opening);
    try {
      return await work(db);
    } finally {
      db.close();
    }
  } finally {
    gate.readers -= 1;
    if (gate.readers === 0) rest(gate, opening.keep);
  }
}

const opened = new WeakMap<Gate, Promise<Database>>();

async function connected(gate: Gate, place: Place, opening: Opening): Promise<Database> {
  if (!gate.shared) {
    const being = opened.get(gate) ?? openToRead(place, opening);
    opened.set(gate, being);
    try {
      gate.shared = await being;
    } finally {
      opened.delete(gate);
    }
  }
  return gate.shared.connect();
}

function rest(gate: Gate, keep: boolean): void {
  if (!keep || gate.writers > 0) return closeShared(gate);
  gate.idle = setTimeout(() => gate.readers === 0 && closeShared(gate), idleMs);
  gate.idle.unref();
}

function closeShared(gate: Gate): void {
  clearTimeout(gate.idle);
  gate.shared?.close();
  delete gate.shared;
}

/** Opens the library for writing, alone. The caller holds the writers' lock. */
export async function writing<T>(opening: WriteOpening, work: (db: Database) => Promise<T>): Promise<T> {
  const place = placeOf(opening.root);
  const gate = gateOf(place.file);
  gate.writers += 1;
  try {
    await until(opening, () => gate.readers === 0 && !gate.writing);
    closeShared(gate);
    gate.writing = true;
    try {
      const db = await openToWrite(place, opening);
      try {
        return await work(db);
      } finally {
        db.close();
      }
    } finally {
      gate.writing = false;
    }
  } finally {
    gate.writers -= 1;
  }
}

async function openToWrite(place: Place, opening: WriteOpening): Promise<Database> {
  const isNew = (await lstatOrNull(place.file)) === null;
  if (isNew && !opening.creates) throw missing(await newestSnapshot(place));
  if (isNew)
    await storing(libraryFile, async () => {
      for (const folder of [place.pages, place.networks, place.snapshots, place.exports])
        await makeFolder(folder);
    });
  const db = await openFile(place, opening, false).catch(async (error: unknown) => {
    // A disk that is full leaves half a beginning, which nobody could open later.
    if (isNew && error instanceof WritError && error.code !== "E_STORE_LOCKED") await removeBeginning(place);
    throw error;
  });
  try {
    await requireOwn(db, place, true);
    // What a killed process has spilled; nobody else has the file open now.
    await removeTree(place.temporary);
    // Also after a crash between the file and its tables.
    await createTables(db, opening.now);
    return db;
  } catch (error) {
    db.close();
    if (isNew) await removeBeginning(place);
    throw workFailure(error, opening);
  }
}

async function removeBeginning(place: Place): Promise<void> {
  for (const file of [place.file, `${place.file}.wal`]) await rm(file, { force: true }).catch(() => {});
}

async function openToRead(place: Place, opening: Opening): Promise<Database> {
  const db = await openFile(place, opening, true);
  try {
    await requireOwn(db, place, false);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** A database of another program is no library; one without a table is what a crash leaves before there is one. */
async function requireOwn(db: Database, place: Place, makes: boolean): Promise<void> {
  // Asked for itself it is found at once; all tables are looked at only where it is missing.
  const isOwn = await db.run("FROM meta LIMIT 0").then(
    () => true,
    () => false,
  );
  if (isOwn) return;
  const found = await db.row<{ n: number }>(
    "SELECT count(*) AS n FROM duckdb_tables() WHERE database_name = current_database()",
  );
  if (found && found.n > 0) throw foreign(await newestSnapshot(place));
  if (!makes) throw missing(await newestSnapshot(place));
}

/** Refuses links on the way to the library, and to what is written beside it and removed again. */
export async function requirePlaces(root: string): Promise<void> {
  const place = placeOf(root);
  await requireNoLinks(root, libraryFile);
  const written = [place.pages, place.networks, place.snapshots, place.exports, place.owed, place.temporary];
  // Beside its file, DuckDB keeps what is not in it yet.
  for (const path of [...written, `${place.file}.wal`]) await requireNoLinks(root, relative(root, path));
}

/** Opens the file, again and again while another process excludes us, until the time is up. */
async function openFile(place: Place, opening: Opening, readOnly: boolean): Promise<Database> {
  await requirePlaces(opening.root);
  const found = await lstatOrNull(place.file);
  if (readOnly && found === null) throw missing(await newestSnapshot(place));
  const size = found?.size ?? 0;
  const end = performance.now() + opening.waitMs;
  for (let ms = 10; ; ms = Math.min(ms * 1.6, 200)) {
    try {
      return await Database.open({
        file: place.file,
        readOnly,
        memory: opening.memory,
        ...(opening.littleMemory !== undefined && { littleMemory: opening.littleMemory }),
        temporary: place.temporary,
        isNew: found === null,
        ...(size < smallBytes && { threads: 1 }),
      });
    } catch (error) {
      const other = isHeldElsewhere(error);
      if (!other) throw openFailure(error, await newestSnapshot(place));
      if (opening.signal.aborted) throw givenUp(opening.signal);
      if (performance.now() >= end) throw held({ ...other, waitMs: opening.waitMs });
    }
    await pause(ms, undefined, { signal: opening.signal }).catch(() => undefined);
  }
}

async function until(opening: Opening, isFree: () => boolean): Promise<void> {
  const end = performance.now() + opening.waitMs;
  for (let ms = 2; !isFree(); ms = Math.min(ms * 1.5, 50)) {
    if (opening.signal.aborted) throw givenUp(opening.signal);
    if (performance.now() >= end) throw held({ here: true, waitMs: opening.waitMs });
    await pause(ms, undefined, { signal: opening.signal }).catch(() => undefined);
  }
}

/** The newest complete snapshot in the library's own folder, relative to the workspace. */
export async function newestSnapshot(place: Place): Promise<string | undefined> {
  const names = await readdir(place.snapshots).catch(() => []);
  for (const name of names.toSorted(compareBytes).toReversed())
    if (await lstatOrNull(join(place.snapshots, name, "manifest.json")))
      return `.writ/research/snapshots/${name}`;
  return undefined;
}
