import type { Context } from "../../contract/index.ts";
import { type Change, changeLibrary, commitLibrary } from "../library/change.ts";
import type { Database } from "../library/database.ts";
import { ingest } from "../library/ingest.ts";
import { recordRequests } from "../library/runs.ts";
import { totalPapers } from "../library/standing.ts";
import { readLibrary } from "../library/use.ts";
import type { SourceId, Work } from "../model.ts";
import { openAccess } from "../sources/access.ts";
import { type KeptPage, worksOf } from "../sources/collect.ts";
import { optionalPhase } from "../sources/optional-phase.ts";
import { requireAble, sourceOf } from "../sources/registry.ts";
import { warnOf } from "../sources/remarks.ts";
import { fetching, openSession, planned } from "../sources/run.ts";
import { series, together } from "../sources/series.ts";
import type { SourceSession } from "../sources/session.ts";
import type { SeedInput } from "./input.ts";
import type { SeedData } from "./output.ts";
import { cleanPages } from "./settle.ts";

/** Papers with a DOI, and which of them the source does not know yet. */
interface Wanted {
  /** DOI -> how many steps the paper is from a seed. */
  missing: Map<string, number>;
  withDoi: number;
  papers: number;
}

type Resolved = NonNullable<SeedData["resolve"]>;

/** Looks up every paper that has a DOI and that the source does not know. State and round stay. */
export async function resolveAll(
  ctx: Context,
  given: SeedInput,
): Promise<SeedData & { reason?: string; changed?: boolean }> {
  const source = sourceOf(given.source);
  requireAble(source, "byDoi", { wanted: "DOIs", command: "writ research seed --resolve" });
  const wanted = await readLibrary(ctx, (db) => wantedIn(db, source.id), { wait: given.wait });
  const requests = source.plan({ kind: "dois", dois: [...wanted.missing.keys()] });
  if (ctx.dryRun)
    return { run_id: null, source: source.id, resolve: null, requests_planned: requests.length };
  const plan = {
    verb: "seed",
    source: source.id,
    params: { resolve: true, source: source.id },
    plan: { resolve: planned(source, requests) },
    resume: "writ research seed --resolve",
  } as const;
  const data = await fetching(ctx, { source, flags: given, plan }, async (run) => {
    const pages = await lookUp(run.session, [...wanted.missing.keys()]);
    const options = {
      verb: "seed",
      params: plan.params,
      runId: run.id,
      wait: given.wait,
      source: source.id,
      usage: { ...run.session.usage() },
    };
    return commitLibrary(ctx, options, async (change) => {
      const resolve = await take(change, { session: run.session, pages, wanted });
      await recordRequests(change, run.session.record.rows);
      change.setCounts({ ...resolve });
      return {
        run_id: run.id,
        source: source.id,
        resolve,
        changed: resolve.resolved > 0,
        ...(resolve.resolved === 0 && {
          reason: `${source.name} brought nothing new: it was asked for ${wanted.missing.size} of ${wanted.withDoi} papers with a DOI.`,
        }),
        total_papers: await totalPapers(change),
        usage: run.session.usage(),
      };
    });
  });
  await cleanPages(ctx, given.wait);
  return data;
}

/** Looks up the papers that an import brought; the import stands whatever comes of it. */
export async function resolveImported(
  ctx: Context,
  given: SeedInput,
  runId: string,
): Promise<Partial<SeedData>> {
  const source = sourceOf(given.source);
  const resume = "writ research seed --resolve";
  let session: SourceSession | undefined;
  const skipped = { missing: "The DOIs were not looked up.", command: resume };
  const resolve = await optionalPhase(ctx, skipped, async () => {
    const access = await openAccess(ctx, source, { email: given.email, maxWait: given.max_wait });
    const asOf = new Date(ctx.clock.now());
    const opened = await openSession(ctx, { access, flags: given, resume, run: { id: runId }, asOf });
    session = opened;
    const wanted = await readLibrary(ctx, (db) => wantedIn(db, source.id, runId), { wait: given.wait });
    const pages = await lookUp(opened, [...wanted.missing.keys()]);
    const options = { verb: "seed", params: {}, runId, wait: given.wait, phase: true };
    return changeLibrary(ctx, options, async (change) => {
      const done = await take(change, { session: opened, pages, wanted });
      await recordRequests(change, opened.record.rows);
      change.setDetails({ usage: { ...opened.usage() } });
      return done;
    });
  });
  session?.phases.end();
  return { resolve: resolve ?? null, ...(session && { usage: session.usage() }) };
}

const engines: Partial<Record<SourceId, string>> = { openalex: "openalex", semanticscholar: "s2" };

async function wantedIn(db: Database, source: SourceId, runId?: string): Promise<Wanted> {
  const engine = engines[source];
  const known =
    engine === undefined
      ? "EXISTS (SELECT 1 FROM record_papers r WHERE r.paper_id = p.id AND r.source = $1)"
      : "EXISTS (SELECT 1 FROM external_ids e WHERE e.paper_id = p.id AND e.engine = $1)";
  const own =
    runId === undefined
      ? "$2::VARCHAR IS NULL"
      : "p.id IN (SELECT paper_id FROM record_papers JOIN sightings USING (source, source_key) WHERE run_id = $2)";
  const rows = await db.rows<{ doi: string | null; hop: number | null; known: boolean }>(
    `SELECT p.doi, p.hop, ${known} AS known FROM papers p WHERE p.active AND ${own} ORDER BY p.id`,
    [engine ?? source, runId ?? null],
  );
  const withDoi = rows.filter(({ doi }) => doi !== null);
  const missing = new Map(
    withDoi.filter((one) => !one.known).map(({ doi, hop }) => [doi as string, hop ?? 0] as const),
  );
  return { missing, withDoi: withDoi.length, papers: rows.length };
}

async function lookUp(session: SourceSession, dois: readonly string[]): Promise<KeptPage[]> {
  const requests = session.access.source.plan({ kind: "dois", dois });
  session.expected = requests.length;
  const found = await together(session, requests, async (request) => {
    const pages: KeptPage[] = [];
    for await (const { key, at } of series(session, request))
      if (key !== undefined && at) pages.push({ key, request, at });
    return pages;
  });
  return found.flat();
}

/** Takes in what was found, at the distance from a seed that each paper has. */
async function take(
  change: Change,
  { session, pages, wanted }: { session: SourceSession; pages: KeptPage[]; wanted: Wanted },
): Promise<Resolved> {
  const fetchedAt = pages[0]?.at ?? change.run.at;
  // A source may know two works by one DOI.
  const brought = new Set<string>();
  for (const hop of new Set(wanted.missing.values())) {
    const works = ofHop(worksOf(session, pages), { hops: wanted.missing, hop, brought });
    await ingest(change, works, { via: "lookup", seed: false, hop, fetchedAt });
  }
  warnOf(change.ctx, session.record.remarks, []);
  return {
    resolved: brought.size,
    total_with_doi: wanted.withDoi,
    already_resolved: wanted.withDoi - wanted.missing.size,
    total_papers: wanted.papers,
  };
}

/** Of the works those that were asked for and are so many steps from a seed; their DOIs are noted in `brought`. */
async function* ofHop(
  works: AsyncIterable<Work>,
  { hops, hop, brought }: { hops: ReadonlyMap<string, number>; hop: number; brought: Set<string> },
): AsyncGenerator<Work> {
  for await (const work of works) {
    if (work.doi === null || hops.get(work.doi) !== hop) continue;
    brought.add(work.doi);
    yield work;
  }
}
