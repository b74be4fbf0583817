import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Context, Fact, FileStore, OwedEvent } from "../../contract/index.ts";
import {
  lstatOrNull,
  makeFolder,
  readOrNull,
  requireNoLinks,
  storing,
  writeAtomic,
} from "../../platform/index.ts";
import { reading } from "./open.ts";
import { libraryFile, libraryFolder, placeOf } from "./place.ts";
import { rootOf } from "./use.ts";

const maxBytes = 1024 * 1024;

/** A folder that an act makes by a rename: it was committed once `to` stands and `from` does not. */
export interface Renamed {
  from: string;
  to: string;
}

type Note = OwedEvent & { renamed?: Renamed };

/**
 * Notes the event of a change just before it commits. It counts only once the run's row, which holds the act's id,
 * stands in the library: a note alone proves nothing.
 */
export function noteOwed(ctx: Context, capability: string, fact: Fact): Promise<void> {
  return write(ctx, { capability, fact });
}

/** The same of an act that leaves the library as it is and makes a folder. */
export function noteFolder(
  ctx: Context,
  note: { capability: string; fact: Fact; renamed: Renamed },
): Promise<void> {
  return write(ctx, note);
}

async function write(ctx: Context, said: Pick<Note, "capability" | "fact" | "renamed">): Promise<void> {
  const { actor, acts_for } = ctx.caller;
  const note: Note = {
    act: ctx.act,
    actor,
    ...(acts_for && { acts_for }),
    at: new Date(ctx.clock.now()).toISOString(),
    ...said,
  };
  await storing(`${libraryFolder}/owed`, async () => {
    await makeFolder(placeOf(rootOf(ctx)).owed);
    await writeAtomic(noteOf(rootOf(ctx), ctx.act), `${JSON.stringify(note)}\n`);
  });
}

/** The research library, as the executor sees it. */
export const libraryFiles: FileStore = {
  name: "research",

  async owed(root) {
    const noted = await notes(root);
    const changes = noted.filter(({ renamed }) => renamed === undefined);
    const committed = await committedOf(
      root,
      changes.map(({ act }) => act),
    );
    const owed: OwedEvent[] = [];
    for (const { renamed, ...event } of noted) {
      const stands = renamed ? await hasMoved(renamed) : committed?.has(event.act);
      if (stands) owed.push(event);
      // Nobody else writes while the library can be read: that change was never committed.
      else if (stands === false) await rm(noteOf(root, event.act), { force: true });
    }
    return owed;
  },

  async find(root, act) {
    return (await committedOf(root, [act]))?.has(act) === true;
  },

  async settled(root, act) {
    await rm(noteOf(root, act), { force: true });
  },
};

function noteOf(root: string, act: string): string {
  return join(placeOf(root).owed, `${act}.json`);
}

/** Undefined while the folder still has its first name: somebody may be at work there. */
async function hasMoved({ from, to }: Renamed): Promise<boolean | undefined> {
  if ((await lstatOrNull(from)) !== null) return undefined;
  return (await lstatOrNull(to)) !== null;
}

async function notes(root: string): Promise<Note[]> {
  const { owed } = placeOf(root);
  // Behind a link nothing is ours: a note that proves nothing is removed.
  const names = await requireNoLinks(root, `${libraryFolder}/owed`)
    .then(() => readdir(owed))
    .catch(() => []);
  const found: Note[] = [];
  for (const name of names.filter((one) => /^act_[\w-]+\.json$/.test(one)).sort()) {
    const bytes = await readOrNull(join(owed, name), { maxBytes });
    const event = bytes && parsed(bytes.toString("utf8"));
    if (event) found.push(event);
  }
  return found;
}

// Written whole or not at all: what does not parse is not ours.
function parsed(text: string): Note | undefined {
  try {
    const event = JSON.parse(text) as Note;
    return typeof event.act === "string" ? event : undefined;
  } catch {
    return undefined;
  }
}

async function isThere(root: string): Promise<boolean> {
  return (await storing(libraryFile, () => lstatOrNull(placeOf(root).file))) !== null;
}

/** Which of the acts stand in the library; undefined while it cannot be read, when nothing can be said. */
async function committedOf(root: string, acts: string[]): Promise<ReadonlySet<string> | undefined> {
  if (acts.length === 0 || !(await isThere(root))) return new Set();
  const opening = { root, waitMs: 0, memory: "256MiB", signal: new AbortController().signal, keep: false };
  try {
    return await reading(opening, async (db) => {
      const rows = await db.rows<{ act: string }>("SELECT act FROM runs WHERE list_contains(?, act)", [acts]);
      return new Set(rows.map(({ act }) => act));
    });
  } catch {
    return undefined;
  }
}
