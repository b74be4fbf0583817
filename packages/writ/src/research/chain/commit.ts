import type { Context } from "../../contract/index.ts";
import { type Change, commitLibrary } from "../library/change.ts";
import type { Database } from "../library/database.ts";
import { ingest } from "../library/ingest.ts";
import { recordRequests } from "../library/runs.ts";
import { totalPapers } from "../library/standing.ts";
import { addCiters } from "../library/tell.ts";
import type { Work } from "../model.ts";
import { byTime, worksOf } from "../sources/collect.ts";
import type { FetchingRun } from "../sources/run.ts";
import type { SourceSession } from "../sources/session.ts";
import type { Chaining, Fetched } from "./chaining.ts";
import { prepareBackward, prepareCites, prepareSeeds, seedEngine } from "./cites.ts";
import type { Step } from "./deeper.ts";
import { takeAgain } from "./equations.ts";
import { isReference, observeAll } from "./observe.ts";
import type { ChainData } from "./output.ts";
import { previewOf, rank, tellWorks } from "./rank.ts";
import { saturationOf } from "./saturation.ts";

interface Committing {
  run: FetchingRun;
  params: Record<string, unknown>;
  fetched: Fetched;
}

const shownNew = 200;

/** Ranks what was found, takes it in, and moves the loop on: one transaction. */
export function commitChain(
  ctx: Context,
  chaining: Chaining,
  { run, params, fetched }: Committing,
): Promise<ChainData & { changed: boolean }> {
  const { given, source, since } = chaining;
  const { session, phases } = run;
  const options = {
    verb: "chain",
    params,
    runId: run.id,
    wait: given.wait,
    source: source.id,
    usage: { ...session.usage() },
  };
  return commitLibrary(ctx, options, async (change) => {
    phases.tell("map");
    const { ranked, ranking, equations } = await takeAll(change, chaining, { run, fetched });
    const { added } = await change.fold();
    const { state, round } = await change.transition(since === undefined ? "chain" : "monitor");
    await observeAll(change, round);
    const saturation = await saturationOf(change.db, round);
    await recordRequests(change, session.record.rows);
    const counts = {
      candidates_found: ranked + deeperIn(fetched.steps),
      new_candidates: added,
      total_papers: await totalPapers(change),
      round,
      saturation,
    };
    change.setCounts({ ...counts, without_title: session.record.untitled });
    phases.tell("commit");
    return {
      run_id: run.id,
      ...counts,
      ranking_preview: ranking,
      observed_refs_count: await observed(change.db),
      fetched: namedIn(fetched.steps),
      loop_state: state,
      ...(since !== undefined && (await newPapers(change))),
      ...(given.equations && { equations }),
      changed: true,
    };
  });
}

/** Ranks what was found against the library as it was, and then takes it in. */
async function takeAll(
  change: Change,
  { given, source, direction, survey }: Chaining,
  { run, fetched }: { run: FetchingRun; fetched: Fetched },
) {
  const { db } = change;
  const { session } = run;
  await prepareCites(db);
  await prepareSeeds(db, seedEngine(source.id));
  const [first] = fetched.steps;
  await tellWorks(db, worksOf(session, first?.citers.pages ?? []));
  const ranked = await rank(db, { direction, source: source.id, most: given.max_candidates });
  const ranking = await previewOf(db, survey.papers);
  const pairs = await db.rows<{ cited: string; citer: string }>(
    "SELECT DISTINCT r.ref AS cited, r.id AS citer FROM chain_told_refs r JOIN chain_seed_ids s ON s.id = r.ref",
  );
  const wanted = await wantedCiters(db, seedEngine(source.id));
  for (const step of fetched.steps) await takeStep(change, session, { step, wanted });
  run.phases.tell("fold");
  const equations: NonNullable<ChainData["equations"]> = [];
  for (const { equation, found } of fetched.equations)
    equations.push({ equation_id: equation.id, papers_new: await takeAgain(change, session, found) });
  if (source.id === "openalex") await addCiters(change, ofWanted(pairs, wanted));
  return { ranked, ranking, equations };
}

/** The citers that enter: those of the ranking, by rank, and those that are papers already. */
async function wantedCiters(db: Database, engine: string): Promise<Map<string, number>> {
  const rows = await db.rows<{ id: string }>(
    `SELECT t.id FROM chain_told t LEFT JOIN chain_ranking r ON r.id = t.id
     WHERE r.id IS NOT NULL OR EXISTS (
       SELECT 1 FROM external_ids e WHERE (e.engine = ? AND e.value = t.id) OR (e.engine = 'doi' AND e.value = t.doi))
     ORDER BY r.scent DESC NULLS LAST, t.id`,
    [engine],
  );
  return new Map(rows.map(({ id }, at) => [id, at]));
}

/** Works are taken in by rank as long as they fit into memory; many more come in the order of their pages. */
const held = 20_000;

async function takeStep(
  change: Change,
  session: SourceSession,
  { step, wanted }: { step: Step; wanted: ReadonlyMap<string, number> },
): Promise<void> {
  const { hop, citers, named } = step;
  const isFirst = hop === 1;
  const seen = new Set<string>();
  for (const { fetchedAt, pages } of byTime(citers.pages)) {
    const works = only(worksOf(session, pages, seen), isFirst ? wanted : citers.kept);
    const ordered = isFirst && wanted.size <= held ? inOrder(await all(works), wanted) : works;
    await ingest(change, ordered, { via: "citer", seed: false, hop, fetchedAt });
  }
  for (const { fetchedAt, pages } of byTime(named.pages))
    await ingest(change, worksOf(session, pages, seen), { via: "reference", seed: false, hop, fetchedAt });
}

async function* only(works: AsyncIterable<Work>, wanted: { has(id: string): boolean }): AsyncGenerator<Work> {
  for await (const work of works) if (wanted.has(work.sourceKey)) yield work;
}

async function all(works: AsyncIterable<Work>): Promise<Work[]> {
  const held: Work[] = [];
  for await (const work of works) held.push(work);
  return held;
}

function inOrder(works: Work[], rank: ReadonlyMap<string, number>): Work[] {
  return works.sort((a, b) => (rank.get(a.sourceKey) ?? 0) - (rank.get(b.sourceKey) ?? 0));
}

function ofWanted(pairs: readonly { cited: string; citer: string }[], wanted: ReadonlyMap<string, number>) {
  return pairs.filter(({ citer }) => wanted.has(citer));
}

function namedIn(steps: readonly Step[]): NonNullable<ChainData["fetched"]> {
  const asked = steps.flatMap(({ named }) => named.asked);
  const found = new Set(steps.flatMap(({ named }) => [...named.found]));
  const missing = asked.filter((one) => !found.has(one));
  return { asked: asked.length, found: asked.length - missing.length, missing };
}

/** What the steps after the first brought. */
function deeperIn(steps: readonly Step[]): number {
  return steps.slice(1).reduce((sum, { citers, named }) => sum + citers.kept.size + named.found.size, 0);
}

async function observed(db: Database): Promise<number> {
  const row = await db.row<{ n: number }>(
    `SELECT count(DISTINCT work) AS n FROM chain_refs WHERE ${isReference}`,
  );
  return row?.n ?? 0;
}

/** The papers that this run added, best scent first. */
async function newPapers({ db, run }: Change): Promise<Pick<ChainData, "new" | "new_total">> {
  await prepareBackward(db);
  const rows = await db.rows<{
    id: string;
    title: string;
    year: number | null;
    backward: number;
    forward: number;
  }>(
    `WITH f AS (
       SELECT paper, count(*) AS n FROM chain_refs WHERE work IN (SELECT paper FROM chain_seeds) GROUP BY paper)
     SELECT p.id, p.title, p.year, coalesce(b.n, 0) AS backward, coalesce(f.n, 0) AS forward
     FROM papers p LEFT JOIN chain_backward b ON b.work = p.id LEFT JOIN f ON f.paper = p.id
     WHERE p.active AND p.first_run = ? ORDER BY backward + forward DESC, p.id`,
    [run.id],
  );
  return {
    new: rows.slice(0, shownNew).map(({ id, title, year, backward, forward }) => ({
      ref: `paper:${id}`,
      title,
      year,
      scent: backward + forward,
      why: whyOf(backward, forward),
    })),
    new_total: rows.length,
  };
}

function whyOf(backward: number, forward: number): string {
  const parts = [
    ...(forward > 0 ? [`cites ${forward === 1 ? "one seed" : `${forward} seeds`}`] : []),
    ...(backward > 0 ? [`is cited by ${backward === 1 ? "one paper" : `${backward} papers`}`] : []),
  ];
  return parts.length === 0 ? "a recorded equation finds it" : parts.join("; ");
}
