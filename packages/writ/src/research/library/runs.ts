import type { Context } from "../../contract/index.ts";
import type { Change, RunDetails } from "./changing.ts";
import type { Database, Value } from "./database.ts";
import { resumableSince, unfinishedRuns } from "./unfinished.ts";
import { rootOf } from "./use.ts";
import { writeLibrary } from "./write.ts";

export type { RunDetails } from "./changing.ts";

export type RunState = "running" | "paused" | "done" | "failed";

/** One request of a run, or one page taken from the store. */
export interface RequestRow {
  source: string;
  method: string;
  /** Without key and address of the user. */
  url: string;
  attempt: number | null;
  status: number | null;
  fromStore: boolean;
  page: string | null;
  ms: number | null;
  bytes: number | null;
  costUsd: number | null;
  credits: number | null;
  at: Date;
}

/**
 * Begins a run that will ask the network, in a short write of its own; an unfinished run of the same plan, less than
 * seven days old, is taken up again. A later run of that plan takes its place. Makes the library where there is none.
 */
export async function beginRun(
  ctx: Context,
  begun: RunDetails & {
    verb: string;
    params: Record<string, unknown>;
    planHash: string;
    resume?: boolean;
    wait?: number;
  },
): Promise<{ runId: string; startedAt: Date; resumed: boolean }> {
  const now = new Date(ctx.clock.now());
  const since = resumableSince(now.getTime());
  const how = { verb: begun.verb, creates: true, ...(begun.wait !== undefined && { wait: begun.wait }) };
  return writeLibrary(ctx, how, async (db) => {
    const [open] = begun.resume === false ? [] : await unfinishedRuns(db, since, begun);
    if (open) {
      await db.run("UPDATE runs SET state = 'running', error = NULL WHERE run_id = ?", [open.run_id]);
      return { runId: open.run_id, startedAt: open.started_at, resumed: true };
    }
    const runId = ctx.ids.next("rr");
    await insertRun(db, ctx, { ...begun, runId, state: "running", at: now });
    return { runId, startedAt: now, resumed: false };
  });
}

/** The run stops here and may be taken up again: its budget is spent, or its caller has gone. */
export function pauseRun(ctx: Context, runId: string, end: RunEnd = {}): Promise<void> {
  return endRun(ctx, runId, { ...end, state: "paused" });
}

/** The run failed; the same command takes up what it has got. */
export function failRun(ctx: Context, runId: string, end: RunEnd = {}): Promise<void> {
  return endRun(ctx, runId, { ...end, state: "failed" });
}

export interface RunEnd {
  usage?: Record<string, unknown>;
  error?: { code: string; message: string; subcode?: string };
  requests?: readonly RequestRow[];
  counts?: Record<string, unknown>;
}

async function endRun(ctx: Context, runId: string, end: RunEnd & { state: RunState }): Promise<void> {
  // The caller's own signal may be what ended the run; noting that must not be ended by it too.
  const unhurried: Context = { ...pick(ctx), signal: new AbortController().signal };
  await writeLibrary(unhurried, { verb: "seed" }, async (db) => {
    await db.run("BEGIN");
    await db.run(
      "UPDATE runs SET state = ?, usage = ?, error = ?, counts = ?, ended_at = ? WHERE run_id = ? AND state <> 'done'",
      [end.state, json(end.usage), json(end.error), json(end.counts), new Date(ctx.clock.now()), runId],
    );
    await addRequests(db, runId, end.requests ?? []);
    await db.run("COMMIT");
  });
}

// A context has getters; a spread of it reads them, which an observation does not want and this does not mind.
function pick(ctx: Context): Context {
  return { ...ctx, workspace: { root: rootOf(ctx), source: "flag" } };
}

/** Keeps what a run asked, in the transaction of its change. */
export function recordRequests(change: Change, requests: readonly RequestRow[]): Promise<void> {
  return addRequests(change.db, change.run.id, requests);
}

async function addRequests(db: Database, runId: string, requests: readonly RequestRow[]): Promise<void> {
  if (requests.length === 0) return;
  const last = await db.row<{ seq: number | null }>("SELECT max(seq) AS seq FROM requests WHERE run_id = ?", [
    runId,
  ]);
  let seq = last?.seq ?? 0;
  await db.append(
    "requests",
    [
      "run_id",
      "seq",
      "source",
      "method",
      "url",
      "attempt",
      "status",
      "from_store",
      "page",
      "ms",
      "bytes",
      "cost_usd",
      "credits",
      "at",
    ],
    requests.map((one): Value[] => [
      runId,
      ++seq,
      one.source,
      one.method,
      one.url,
      one.attempt,
      one.status,
      one.fromStore,
      one.page,
      one.ms,
      one.bytes,
      one.costUsd,
      one.credits,
      one.at,
    ]),
  );
}

/** The next number of a table that is ordered under the library's lock. */
export async function nextSeq(db: Database, table: "runs" | "loop_state_log" | "decisions"): Promise<number> {
  const row = await db.row<{ seq: number | null }>(`SELECT max(seq) AS seq FROM ${table}`);
  return (row?.seq ?? 0) + 1;
}

interface NewRun extends RunDetails {
  runId: string;
  verb: string;
  params: Record<string, unknown>;
  state: RunState;
  at: Date;
}

async function insertRun(db: Database, ctx: Context, run: NewRun): Promise<void> {
  await db.run(
    `INSERT INTO runs (run_id, seq, verb, params, state, actor, acts_for, started_at, writ_version)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      run.runId,
      await nextSeq(db, "runs"),
      run.verb,
      JSON.stringify(run.params),
      run.state,
      ctx.caller.actor,
      ctx.caller.acts_for ?? null,
      run.at,
      ctx.registered.version,
    ],
  );
  await describe(db, run.runId, run);
}

async function describe(db: Database, runId: string, details: RunDetails): Promise<void> {
  const { equation } = details;
  const set: Record<string, Value> = {
    plan_hash: details.planHash ?? null,
    source: details.source ?? null,
    source_version: details.sourceVersion ?? null,
    equation_id: equation?.id ?? null,
    equation_text: equation?.text ?? null,
    executed_query: json(equation?.executedQuery),
    translation: json(equation?.translation),
    usage: json(details.usage),
    agent_run: details.agentRun ?? null,
  };
  const given = Object.entries(set).filter(([, value]) => value !== null);
  if (given.length === 0) return;
  await db.run(`UPDATE runs SET ${given.map(([name]) => `${name} = ?`).join(", ")} WHERE run_id = ?`, [
    ...given.map(([, value]) => value),
    runId,
  ]);
}

/** The run's row stands before what it tells: only rows of known runs count. */
export async function startRun(
  change: Change,
  run: RunDetails & { verb: string; params: Record<string, unknown> },
): Promise<void> {
  const known = await change.db.row("SELECT 1 AS one FROM runs WHERE run_id = ?", [change.run.id]);
  if (known) return;
  await insertRun(change.db, change.ctx, {
    ...run,
    runId: change.run.id,
    state: "running",
    at: change.run.at,
  });
}

/** Completes the row of a run whose change is about to be committed. */
export async function finishRun(
  change: Change,
  run: RunDetails & { counts: Record<string, unknown> },
): Promise<void> {
  const { db, ctx } = change;
  const runId = change.run.id;
  await describe(db, runId, run);
  await db.run(
    `UPDATE runs SET state = 'done', act = ?, ended_at = ?, error = NULL,
       counts = CAST(json_merge_patch(coalesce(counts, '{}'), ?) AS JSON) WHERE run_id = ?`,
    [ctx.act, new Date(ctx.clock.now()), JSON.stringify(run.counts), runId],
  );
}

function json(value: unknown): string | null {
  return value === undefined || value === null ? null : JSON.stringify(value);
}
