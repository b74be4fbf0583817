import { fail, WritError } from "../../contract/index.ts";
import type { Answer, Asked, ResolveOptions } from "./resolve.ts";

type Settled = readonly [Asked, Answer | WritError];
type AnswerGroup = (group: readonly Asked[], signal: AbortSignal) => Promise<Settled[]>;

const GRACE_MS = 5_000;

/**
 * Answers groups of sources in parallel. The first failure keeps what has not started from starting, and gives
 * what runs a few seconds more; then every failure is reported at once.
 */
export async function fetchTogether(
  { asked, groups }: { asked: readonly Asked[]; groups: readonly (readonly Asked[])[] },
  options: ResolveOptions,
  answer: AnswerGroup,
): Promise<Map<Asked, Answer>> {
  const killer = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, killer.signal]) : killer.signal;
  const settled: Settled[] = [];
  let failed = false;
  let next = 0;
  let grace: NodeJS.Timeout | undefined;
  const take = (found: readonly Settled[]): void => {
    settled.push(...found);
    if (failed || !found.some(([, outcome]) => outcome instanceof WritError)) return;
    failed = true;
    grace = setTimeout(() => killer.abort(), options.graceMs ?? GRACE_MS);
  };
  const tell = async (found: readonly Settled[]): Promise<void> => {
    for (const [ask, outcome] of found)
      if (!failed && !(outcome instanceof WritError)) await options.onAnswer?.(ask, outcome);
  };
  const worker = async (): Promise<void> => {
    // What came last is looked at while the next is fetched.
    let telling = Promise.resolve();
    while (!failed && next < groups.length) {
      const group = groups[next++] ?? [];
      const found = await outcomesOf(group, () => answer(group, signal));
      take(found);
      options.onFetch?.({ source: group[0]?.label ?? "", done: settled.length, total: asked.length });
      await telling;
      telling = tell(found);
      // Thrown where it is awaited.
      telling.catch(() => {});
    }
    await telling;
  };
  try {
    await Promise.all(Array.from({ length: Math.min(options.jobs, groups.length) }, worker));
  } finally {
    clearTimeout(grace);
  }
  if (failed) throw together(asked, settled, options.signal);
  return new Map(settled as [Asked, Answer][]);
}

async function outcomesOf(group: readonly Asked[], work: () => Promise<Settled[]>): Promise<Settled[]> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof WritError) return group.map((ask) => [ask, error] as const);
    throw error;
  }
}

/** One error for all: the first in the order of the manifest speaks, the others stand in its details. */
function together(
  asked: readonly Asked[],
  settled: readonly Settled[],
  signal: AbortSignal | undefined,
): WritError {
  const outcomes = new Map(settled);
  const errors = asked.flatMap((ask) => {
    const outcome = outcomes.get(ask);
    return outcome instanceof WritError ? [{ ask, error: outcome }] : [];
  });
  // What was stopped because of another's failure has not failed itself.
  const own = signal?.aborted ? errors : errors.filter(({ error }) => error.code !== "E_CANCELLED");
  const [first] = own.length > 0 ? own : errors;
  if (!first) throw new Error("fetches failed without an error");
  const fetched = asked.filter((ask) => {
    const outcome = outcomes.get(ask);
    return outcome !== undefined && !(outcome instanceof WritError) && outcome.from === "remote";
  });
  return fail(first.error.code, {
    ...first.error.failure,
    details: {
      ...first.error.failure.details,
      failures: own.map(({ ask, error }) => ({
        source: ask.label,
        code: error.code,
        message: error.failure.message,
      })),
      fetched: fetched.map((ask) => ask.label),
    },
  });
}
