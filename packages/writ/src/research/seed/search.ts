import type { Answered, Context } from "../../contract/index.ts";
import { commitLibrary } from "../library/change.ts";
import { ingest } from "../library/ingest.ts";
import { recordRequests } from "../library/runs.ts";
import { standingOf } from "../library/standing.ts";
import { byTime, collect, type Collected, worksOf } from "../sources/collect.ts";
import { warnOf } from "../sources/remarks.ts";
import { type FetchingRun, fetching, planned } from "../sources/run.ts";
import { equationId } from "./equation-id.ts";
import type { SeedInput } from "./input.ts";
import type { SeedData } from "./output.ts";
import { type Question, wantsOf } from "./question.ts";
import { resumeOf } from "./resume.ts";
import { cleanPages, summary } from "./settle.ts";

/** Asks the source, and takes what it answers into the library in one transaction. */
export async function seedFromSearch(
  ctx: Context,
  given: SeedInput,
  question: Question,
): Promise<SeedData & Answered> {
  const { source, translation, maxResults, asked } = question;
  const requests = wantsOf(question).flatMap((want) => source.plan(want));
  const plan = {
    verb: "seed",
    source: source.id,
    params: { ...asked, source: source.id },
    plan: { requests: planned(source, requests), max_results: maxResults },
    resume: resumeOf(given),
  } as const;
  const data = await fetching(ctx, { source, flags: given, plan }, async (run) => {
    run.phases.tell("plan", { total: requests.length });
    const found = await collect(run.session, requests, maxResults);
    warnOf(ctx, run.session.record.remarks, found.skipped);
    return commit(ctx, { given, question, params: plan.params, run, found });
  });
  await cleanPages(ctx, given.wait);
  const empty = data.papers_fetched === 0 && {
    reason: `${source.name} knows ${data.papers_found ?? 0} works for this query.`,
  };
  return {
    ...data,
    ...empty,
    source: source.id,
    executed_query: translation.executedQuery,
    translation_report: translation.report,
    ...(data.total_papers !== 0 && { next: ["writ research chain", "writ research build"] }),
  };
}

interface Committing {
  given: SeedInput;
  question: Question;
  params: Record<string, unknown>;
  run: FetchingRun;
  found: Collected;
}

function commit(ctx: Context, of: Committing): Promise<SeedData> {
  const { given, question, params, run, found } = of;
  const { translation, text } = question;
  const options = {
    verb: "seed",
    params,
    runId: run.id,
    wait: given.wait,
    creates: true,
    source: question.source.id,
    sourceVersion: found.version,
    usage: { ...run.session.usage() },
  };
  return commitLibrary(ctx, options, async (change) => {
    const { state } = await standingOf(change.db);
    const { executedQuery, report } = translation;
    const equation = await equationId(change);
    change.setDetails({ equation: { id: equation, text, executedQuery, translation: report } });
    let fetched = 0;
    const seen = new Set<string>();
    run.phases.tell("map", { total: found.ids.size });
    for (const { fetchedAt, pages } of byTime(found.pages)) {
      const works = worksOf(run.session, pages, seen);
      fetched += (await ingest(change, works, { via: "search", seed: true, hop: 0, fetchedAt })).records;
    }
    await recordRequests(change, run.session.record.rows);
    const done = await summary(change, { reseeded: state !== null, skipped: found.skipped });
    run.phases.tell("commit");
    change.setCounts({
      papers_found: found.count,
      papers_fetched: fetched,
      without_title: run.session.record.untitled,
    });
    return {
      run_id: run.id,
      source_version: found.version,
      equation_id: equation,
      papers_found: found.count,
      papers_fetched: fetched,
      ...done,
      usage: run.session.usage(),
    };
  });
}
