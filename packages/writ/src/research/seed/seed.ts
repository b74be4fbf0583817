import type { Answered, Context } from "../../contract/index.ts";
import { openAccess } from "../sources/access.ts";
import { openSession } from "../sources/run.ts";
import { estimate } from "../sources/estimate.ts";
import { originOf, type SeedInput } from "./input.ts";
import type { SeedData } from "./output.ts";
import { type Question, questionOf, wantsOf } from "./question.ts";
import { placingRefusal } from "./refused-part.ts";
import { resumeOf } from "./resume.ts";

/** Seeds the library: from an equation, from a file, or by looking up what a source does not know yet. */
export async function seed(ctx: Context, given: SeedInput): Promise<SeedData & Answered> {
  const origin = originOf(given);
  switch (origin.kind) {
    case "search":
      return search(ctx, given);
    case "file": {
      const { seedFromFile } = await import("./import.ts");
      return seedFromFile(ctx, given, origin);
    }
    case "resolve": {
      const { resolveAll } = await import("./resolve.ts");
      return resolveAll(ctx, given);
    }
  }
}

async function search(ctx: Context, given: SeedInput): Promise<SeedData & Answered> {
  const question = await questionOf(ctx, given);
  const { source } = question;
  const said = {
    source: source.id,
    executed_query: question.translation.executedQuery,
    translation_report: question.translation.report,
  };
  const requests = wantsOf(question).flatMap((want) => source.plan(want));
  if (given.preview) return { preview: true, ...said, requests_planned: requests.length };
  if (given.estimate)
    return { ...said, ...(await placingRefusal(question.text, () => estimated(ctx, given, question))) };
  if (ctx.dryRun) return { ...said, ...unknown };
  const { seedFromSearch } = await import("./search.ts");
  return placingRefusal(question.text, () => seedFromSearch(ctx, given, question));
}

/** What only the network knows. */
const unknown = {
  run_id: null,
  source_version: null,
  equation_id: null,
  papers_found: null,
  papers_fetched: null,
  papers_new: null,
  papers_updated: null,
  papers_added: null,
  total_papers: null,
  possible_duplicates: null,
  skipped: [],
};

async function estimated(ctx: Context, given: SeedInput, question: Question): Promise<Partial<SeedData>> {
  const { source } = question;
  const access = await openAccess(ctx, source, { email: given.email, maxWait: given.max_wait });
  const session = await openSession(ctx, {
    access,
    flags: given,
    resume: resumeOf(given),
    asOf: new Date(ctx.clock.now()),
  });
  const requests = wantsOf(question).flatMap((want) => source.plan(want));
  return { estimate: await estimate(session, requests, question.maxResults), usage: session.usage() };
}
