import type { Context } from "../../contract/index.ts";
import type { Database } from "./database.ts";
import { workFailure } from "./failures.ts";
import { openingOf, reading } from "./open.ts";

/** The workspace's root; a research capability always has one where it asks. */
export function rootOf(ctx: Pick<Context, "workspace">): string {
  if (!ctx.workspace) throw new TypeError("the research library lives in a workspace, and there is none");
  return ctx.workspace.root;
}

/**
 * Reads the library. `wait` is how many seconds to wait for a writer (default 30). Not to be called inside itself or
 * inside a change. Throws E_LIBRARY_MISSING, E_LIBRARY_CORRUPT, E_STORE_LOCKED, E_DUCKDB_UNAVAILABLE.
 */
export async function readLibrary<T>(
  ctx: Context,
  work: (db: Database) => Promise<T>,
  options: { wait?: number } = {},
): Promise<T> {
  const opening = openingOf(ctx, rootOf(ctx), options.wait);
  return reading(opening, (db) => interruptible(ctx, db, () => work(db)));
}

/** Runs work on a connection; a caller who gives up stops the statement that is running. */
export async function interruptible<T>(ctx: Context, db: Database, work: () => Promise<T>): Promise<T> {
  const stop = () => db.interrupt();
  ctx.signal.addEventListener("abort", stop);
  try {
    return await work();
  } catch (error) {
    throw workFailure(error, ctx);
  } finally {
    ctx.signal.removeEventListener("abort", stop);
  }
}
