import type { Context } from "../../contract/index.ts";
import { cleanPages } from "../seed/settle.ts";
import { optionalPhase } from "../sources/optional-phase.ts";
import { warnOf } from "../sources/remarks.ts";
import { type FetchingRun, fetching, planned } from "../sources/run.ts";
import type { Chaining, Fetched } from "./chaining.ts";
import { fetchCiters, groupsOf } from "./citers.ts";
import { commitChain } from "./commit.ts";
import { noCiters, type Step, stepFrom } from "./deeper.ts";
import { askAgain, orSkipped } from "./equations.ts";
import { type Enrichment, lookUpReferences } from "./look-up.ts";
import type { ChainData } from "./output.ts";
import { fetchNamed, planNamed } from "./references.ts";
import { resumeOf } from "./resume.ts";

/** Fetches, takes everything into the library in one transaction, and then looks up DOIs of references. */
export async function runChain(ctx: Context, chaining: Chaining): Promise<ChainData & { changed?: boolean }> {
  const { given, source, direction, since, survey, names, equations } = chaining;
  const { wait } = given;
  const starts = direction === "backward" ? [] : survey.starts;
  const params = paramsOf(chaining);
  const plan = {
    verb: "chain",
    source: source.id,
    params,
    plan: {
      ...params,
      citers: groupsOf(starts, given.max_citing),
      names: planned(source, planNamed(source, names)),
      equations: equations.map(({ id }) => id),
    },
    resume: resumeOf(given),
  } as const;
  const data = await fetching(ctx, { source, flags: given, plan }, async (run) => {
    run.phases.tell("plan", { total: starts.length });
    const fetched = await fetchAll(ctx, chaining, run);
    warnOf(ctx, run.session.record.remarks, []);
    const done = await commitChain(ctx, chaining, { run, params, fetched });
    const enrichment = given.resolve_refs ? await enrich(ctx, run, wait) : undefined;
    return { ...done, enrichment: enrichment ?? null, usage: run.session.usage() };
  });
  await cleanPages(ctx, wait);
  return { ...data, source: source.id, direction, depth: given.depth, ...(since !== undefined && { since }) };
}

async function fetchAll(
  ctx: Context,
  { given, source, direction, since, survey, names, equations }: Chaining,
  run: FetchingRun,
): Promise<Fetched> {
  const { session } = run;
  const { max_citing: maxCiting, fetch_top: fetchTop, depth, wait } = given;
  const citers =
    direction === "backward" ? noCiters : await fetchCiters(session, survey.starts, { maxCiting, since });
  const steps: Step[] = [{ hop: 1, citers, named: await fetchNamed(session, names) }];
  for (let step = 2; step <= depth; step++)
    steps.push(
      await stepFrom(ctx, steps, { session, source: source.id, direction, fetchTop, maxCiting, wait }),
    );
  const again: Fetched["equations"] = [];
  for (const equation of equations) {
    const found = await orSkipped(ctx, equation, () => askAgain(session, equation, since ?? ""));
    if (found) again.push({ equation, found });
  }
  return { steps, equations: again };
}

function enrich(ctx: Context, run: FetchingRun, wait: number): Promise<Enrichment | undefined> {
  const skipped = { missing: "The DOIs of references were not looked up.", command: "writ research chain" };
  return optionalPhase(ctx, skipped, () =>
    lookUpReferences(ctx, { session: run.session, runId: run.id, wait }),
  );
}

/** What the run was asked to do; kept with it, and part of its plan. */
function paramsOf({ given, source, direction, since }: Chaining): Record<string, unknown> {
  const { max_citing, max_candidates, fetch_top, depth, equations } = given;
  return {
    source: source.id,
    direction,
    max_citing,
    max_candidates: max_candidates ?? null,
    fetch_top,
    depth,
    ...(since !== undefined && { since, equations }),
  };
}
