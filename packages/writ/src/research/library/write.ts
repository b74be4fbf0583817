import type { Context } from "../../contract/index.ts";
import { withLock } from "../../platform/index.ts";
import type { Database } from "./database.ts";
import { openingOf, requirePlaces, writing } from "./open.ts";
import { libraryFolder, placeOf } from "./place.ts";
import { interruptible, rootOf } from "./use.ts";

export interface WriteOptions {
  /** The command's words behind `research`: "seed", "curate.accept". */
  verb: string;
  /** Seconds to wait for the lock and for other processes. Default 30. */
  wait?: number;
  /** Whether a missing library is made. */
  creates?: boolean;
}

/** Opens the library for writing under the writers' lock, without a transaction or a run. */
export async function writeLibrary<T>(
  ctx: Context,
  options: WriteOptions,
  work: (db: Database) => Promise<T>,
): Promise<T> {
  const root = rootOf(ctx);
  const place = placeOf(root);
  const opening = openingOf(ctx, root, options.wait);
  const lock = {
    waitMs: opening.waitMs,
    what: "the research library",
    folder: libraryFolder,
    command: `writ research ${options.verb.replaceAll(".", " ")}`,
    signal: ctx.signal,
  };
  await requirePlaces(root);
  return withLock(place.lock, lock, () =>
    writing({ ...opening, creates: options.creates === true, now: new Date(ctx.clock.now()) }, (db) =>
      interruptible(ctx, db, () => work(db)),
    ),
  );
}
