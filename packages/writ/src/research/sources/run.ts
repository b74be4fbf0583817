import { join } from "node:path";
import { type Context, commandLine, WritError } from "../../contract/index.ts";
import { canonicalJson, sha256Hex, withLock } from "../../platform/index.ts";
import type { Database } from "../library/database.ts";
import { requirePlaces } from "../library/open.ts";
import { libraryFolder, placeOf } from "../library/place.ts";
import { beginRun, failRun, pauseRun, type RunDetails } from "../library/runs.ts";
import { readLibrary, rootOf } from "../library/use.ts";
import { type Access, openAccess } from "./access.ts";
import type { NetworkInput } from "./flags.ts";
import { openPageStore, pageKey } from "./page-store.ts";
import type { PlannedRequest, Source } from "./port.ts";
import { createPhases, type Phases } from "./progress.ts";
import { SourceSession } from "./session.ts";
import type { Prices } from "./usage.ts";

/** What every command that asks a source was given. */
export type AskingFlags = Omit<NetworkInput, "source"> & { wait: number };

/** A run that asks a source, from its beginning to its commit. */
export interface FetchingRun {
  id: string;
  session: SourceSession;
  phases: Phases;
}

interface FetchPlan extends RunDetails {
  verb: "seed" | "chain";
  source: string;
  /** The input as it was given, without what changes no result. */
  params: Record<string, unknown>;
  /** All that decides which requests are sent. */
  plan: Record<string, unknown>;
  /** The command that goes on after a stop. */
  resume: string;
}

/**
 * Carries out a run that asks a source: begins it, or goes on with an unfinished one of the same plan, and notes
 * how it ended. `work` ends in the commit. A failure has the usage in its data and says how to go on.
 *
 * Whoever asks for the same at the same time waits, and then finds the answers in the store: two processes on one
 * unfinished run would ask for everything twice.
 */
export async function fetching<T>(
  ctx: Context,
  of: Fetching,
  work: (run: FetchingRun) => Promise<T>,
): Promise<T> {
  const { source, flags, plan } = of;
  const { verb, plan: planned } = plan;
  const access = await openAccess(ctx, source, { email: flags.email, maxWait: flags.max_wait });
  const planHash = sha256Hex(canonicalJson({ verb, source: source.id, refresh: flags.refresh, ...planned }));
  const lock = {
    waitMs: flags.wait * 1000,
    what: "the same search",
    folder: libraryFolder,
    command: plan.resume,
    signal: ctx.signal,
  };
  const path = join(placeOf(rootOf(ctx)).folder, `.fetch-${planHash.slice(0, 16)}.lock`);
  await requirePlaces(rootOf(ctx));
  return withLock(path, lock, () => carryOut(ctx, { ...of, access, planHash }, work));
}

interface Fetching {
  source: Source;
  flags: AskingFlags;
  plan: FetchPlan;
}

async function carryOut<T>(
  ctx: Context,
  { access, planHash, flags, plan }: Fetching & { access: Access; planHash: string },
  work: (run: FetchingRun) => Promise<T>,
): Promise<T> {
  const { plan: _, resume, ...details } = plan;
  const { wait } = flags;
  const begun = await beginRun(ctx, { ...details, planHash, resume: flags.resume, wait });
  const run = { id: begun.runId };
  const session = await openSession(ctx, { access, flags, resume, run, asOf: begun.startedAt });
  const { phases } = session;
  try {
    const done = await work({ ...run, session, phases });
    phases.end();
    return done;
  } catch (error) {
    await noteEnd(ctx, { ...run, session, error });
    throw told(error, { ...run, session });
  }
}

/** A session of a run, or of an estimate, which is none. */
export async function openSession(
  ctx: Context,
  of: { access: Access; flags: AskingFlags; resume: string; run?: { id: string }; asOf: Date },
): Promise<SourceSession> {
  const { access, flags, resume, run, asOf } = of;
  return new SourceSession(ctx, {
    access,
    store: openPageStore(placeOf(rootOf(ctx)).pages),
    ...(run && { run }),
    asOf,
    offline: flags.offline || ctx.settings.isOn("WRIT_OFFLINE"),
    refresh: flags.refresh,
    maxCostUsd: flags.max_cost_usd,
    prices: flags.max_cost_usd === undefined && run ? {} : await lastPrices(ctx, access.source, flags.wait),
    resume,
    phases: createPhases(ctx),
  });
}

/** The prices of a source as they were seen last. */
async function lastPrices(ctx: Context, source: Source, wait: number): Promise<Prices> {
  const read = async (db: Database): Promise<Prices> => {
    const rows = await db.rows<{ search: boolean; usd: number }>(
      `SELECT contains(url, 'search') AS search, arg_max(cost_usd, "at") AS usd FROM requests
       WHERE source = ? AND NOT from_store AND cost_usd IS NOT NULL AND contains(url, '?') GROUP BY ALL`,
      [source.id],
    );
    return Object.fromEntries(rows.map(({ search, usd }) => [search ? "search" : "list", usd]));
  };
  try {
    return await readLibrary(ctx, read, { wait });
  } catch (error) {
    if (error instanceof WritError && error.code === "E_LIBRARY_MISSING") return {};
    throw error;
  }
}

/** The requests of a plan as its hash holds them. */
export function planned(source: Source, requests: readonly PlannedRequest[]): string[] {
  return requests.map((request) => pageKey(source.id, request));
}

/** A command as it is typed, without what is left at its default. */
export function commandOf(path: readonly string[], input: Record<string, unknown>): string {
  const given = Object.entries(input).filter(
    ([, value]) => value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0),
  );
  return commandLine({ path: [...path], flags: [] }, Object.fromEntries(given));
}

type Ended = { id: string; session: SourceSession };

async function noteEnd(ctx: Context, { id, session, error }: Ended & { error: unknown }): Promise<void> {
  const known = error instanceof WritError ? error : undefined;
  // What cannot be opened now cannot take a note either; an unfinished run is one without it.
  if (known?.code === "E_STORE_LOCKED" || known?.code === "STORE_ERROR") return;
  const stopped = ctx.signal.aborted || known?.code === "E_BUDGET_EXCEEDED";
  const end = stopped ? pauseRun : failRun;
  await end(ctx, id, {
    usage: { ...session.usage() },
    requests: session.record.rows,
    counts: { pages_done: session.record.pages, resume: session.resume },
    ...(known && {
      error: {
        code: known.code,
        message: known.failure.message,
        ...(known.failure.subcode && { subcode: known.failure.subcode }),
      },
    }),
  }).catch(() => undefined);
}

function told(error: unknown, { id, session }: Ended): unknown {
  if (!(error instanceof WritError)) return error;
  const { failure } = error;
  return new WritError(error.code, {
    ...failure,
    details: {
      ...failure.details,
      checkpoint: {
        run_id: id,
        pages_done: session.record.pages,
        records_kept: session.record.works,
        resume: session.resume,
      },
    },
    data: { ...failure.data, run_id: id, usage: session.usage() },
  });
}
