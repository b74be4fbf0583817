import type { Context, Fact } from "../../contract/index.ts";
import type { Change, Folded, RunDetails } from "./changing.ts";
import type { Database } from "./database.ts";
import { noteOwed } from "./file-store.ts";
import { fold, prepareFold } from "./fold.ts";
import { endOfLittle } from "./ingest-memory.ts";
import { libraryFile } from "./place.ts";
import { finishRun, nextSeq, startRun } from "./runs.ts";
import { standingOf } from "./standing.ts";
import { after } from "./states.ts";
import { noteSummary } from "./summary.ts";
import { rootOf } from "./use.ts";
import { writeLibrary } from "./write.ts";

export type { Change } from "./changing.ts";

/** What a verb says of its change of the library. */
export interface ChangeOptions extends RunDetails {
  /** The command's words behind `research`: "seed", "curate.accept". The capability is `research.<verb>`. */
  verb: string;
  params: Record<string, unknown>;
  /** The run that was begun before the network was asked; without it the change is a run of its own. */
  runId?: string;
  /** Seconds to wait for the lock and for other processes. Default 30. */
  wait?: number;
  /** Whether a missing library is made. */
  creates?: boolean;
  /** A later phase of an act that has committed already: it belongs to the same run and owes no event. */
  phase?: boolean;
}

/**
 * Changes the library: takes the writers' lock, opens it for writing, works in one transaction, folds what was
 * touched, writes the run's row, and closes. Nothing of it is seen before the end, and a failure leaves nothing.
 *
 * Called inside `ctx.commit`; or use {@link commitLibrary}, which is both. Not to be called inside `readLibrary`.
 */
export async function changeLibrary<T>(
  ctx: Context,
  options: ChangeOptions,
  work: (change: Change) => Promise<T>,
): Promise<T> {
  // What earlier acts still owe the ledger comes before this one.
  await ctx.settle();
  return writeLibrary(ctx, options, async (db) => {
    await db.run("BEGIN");
    try {
      const made = await inTransaction(db, { ctx, options, work });
      await db.run("COMMIT");
      await noteSummary(rootOf(ctx), db);
      return made;
    } catch (error) {
      await db.run("ROLLBACK").catch(() => undefined);
      throw error;
    } finally {
      endOfLittle();
    }
  });
}

/** The one commit of a capability whose state is the library: its change, and the event in the ledger. */
export function commitLibrary<T extends Record<string, unknown>>(
  ctx: Context,
  options: ChangeOptions,
  work: (change: Change) => Promise<T>,
): Promise<T> {
  let fact: Fact = {};
  return ctx.commit(
    () => fact,
    () =>
      changeLibrary(ctx, options, async (change) => {
        const made = await work(change);
        fact = factOf(change, options);
        return made;
      }),
  );
}

/** What a change is made from. */
export interface Inside<T> {
  ctx: Context;
  options: ChangeOptions;
  work: (change: Change) => Promise<T>;
}

const counted = new WeakMap<Change, Record<string, unknown>>();

/** Makes a change inside a transaction that its caller begins and ends. */
export async function inTransaction<T>(db: Database, { ctx, options, work }: Inside<T>): Promise<T> {
  const at = new Date(ctx.clock.now());
  const run = { id: options.runId ?? ctx.ids.next("rr"), at };
  const folded: Folded = { added: 0, changed: 0, removed: 0 };
  const counts: Record<string, unknown> = {};
  const details: RunDetails = { ...options };
  const change: Change = {
    db,
    ctx,
    run,
    touch: async (papers) => {
      await db.append(
        "temp.touched_papers",
        ["id"],
        (function* () {
          for (const id of papers) yield [id];
        })(),
      );
    },
    fold: async () => {
      const one = await fold(change);
      folded.added += one.added;
      folded.changed += one.changed;
      folded.removed += one.removed;
      return { ...folded };
    },
    setCounts: (more) => void Object.assign(counts, more),
    setDetails: (more) => void Object.assign(details, more),
    transition: async (action) => {
      const next = after(action, await standingOf(db));
      await db.run("INSERT INTO loop_state_log VALUES (?, ?, ?, ?, ?)", [
        await nextSeq(db, "loop_state_log"),
        next.state,
        next.round,
        at,
        run.id,
      ]);
      return next;
    },
  };
  counted.set(change, counts);
  await prepareFold(db);
  await startRun(change, options);
  const made = await work(change);
  await change.fold();
  if (folded.added + folded.changed + folded.removed > 0)
    await db.run(
      "UPDATE meta SET value = CAST(CAST(value AS BIGINT) + 1 AS VARCHAR) WHERE key = 'content_version'",
    );
  await finishRun(change, { ...details, counts });
  if (!options.phase) await noteOwed(ctx, `research.${options.verb}`, factOf(change, options));
  return made;
}

/** What the ledger is told: which run, and its numbers. */
function factOf(change: Change, options: ChangeOptions): Fact {
  return {
    subjects: [`file:${libraryFile}`],
    detail: { run_id: change.run.id, verb: options.verb, ...counted.get(change) },
  };
}
