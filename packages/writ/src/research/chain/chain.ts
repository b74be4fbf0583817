import { type Context, fail } from "../../contract/index.ts";
import type { Database } from "../library/database.ts";
import { readLibrary } from "../library/use.ts";
import { specSeed } from "../seed/fix.ts";
import { openAccess } from "../sources/access.ts";
import { requireAble, sourceOf } from "../sources/registry.ts";
import { openSession } from "../sources/run.ts";
import type { Chaining } from "./chaining.ts";
import { groupsOf } from "./citers.ts";
import { prepareCites } from "./cites.ts";
import { recordedEquations } from "./equations.ts";
import { estimateChain } from "./estimate.ts";
import { type ChainInput, checkFlags } from "./input.ts";
import type { ChainData } from "./output.ts";
import { previewChain } from "./preview.ts";
import { bestReferences } from "./references.ts";
import { resumeOf } from "./resume.ts";
import { sinceOf } from "./since.ts";
import { surveyOf } from "./survey.ts";

/** Follows citations from the library, or looks what was published since. */
export async function chain(
  ctx: Context,
  given: ChainInput,
): Promise<ChainData & { reason?: string; fix_command?: string; changed?: boolean }> {
  checkFlags(given);
  if (given.since !== undefined) sinceOf(given.since, ctx.clock.now(), null);
  const source = sourceOf(given.source);
  const command = resumeOf({ ...given, source: undefined });
  const direction = given.since === undefined ? given.direction : "forward";
  if (!given.preview && direction !== "backward")
    requireAble(source, "citers", { wanted: "citing works", command });
  if (given.since !== undefined)
    requireAble(source, "since", { wanted: "what was published since a day", command });
  const { survey, ...known } = await readLibrary(ctx, (db) => look(db, { given, source, direction }), {
    wait: given.wait,
  });
  if (given.since !== undefined && survey.active === 0) throw noCorpus(ctx);
  const since = given.since === undefined ? undefined : sinceOf(given.since, ctx.clock.now(), survey.lastRun);
  const chaining: Chaining = { given, source, direction, since, survey, ...known };
  if (given.preview)
    return readLibrary(ctx, (db) => previewChain(ctx, db, { given, survey }), { wait: given.wait });
  if (given.estimate) return estimated(ctx, chaining);
  if (!leadsAnywhere(chaining)) return nowhere(ctx, chaining);
  if (ctx.dryRun) return { ...unknown, direction, depth: given.depth, ...(since !== undefined && { since }) };
  const { runChain } = await import("./run-chain.ts");
  const data = await runChain(ctx, chaining);
  return { ...data, ...emptiness(ctx, chaining, data) };
}

/** What a chaining needs to know of the library, from one reading of it. */
async function look(
  db: Database,
  { given, source, direction }: Pick<Chaining, "given" | "source" | "direction">,
): Promise<Pick<Chaining, "survey" | "names" | "equations">> {
  const survey = await surveyOf(db, source.id);
  const fetches = given.fetch_top > 0 && direction !== "forward" && !given.preview;
  if (fetches) await prepareCites(db);
  return {
    survey,
    names: fetches ? await bestReferences(db, given.fetch_top) : [],
    equations: given.equations ? await recordedEquations(db, source) : [],
  };
}

/** What only the network knows. */
const unknown = {
  run_id: null,
  candidates_found: null,
  new_candidates: null,
  total_papers: null,
  observed_refs_count: null,
  fetched: null,
  enrichment: null,
};

/** Whether there is anything to follow: a seed that the source knows, a reference, or an equation to ask again. */
function leadsAnywhere({ direction, survey, equations }: Chaining): boolean {
  const forward = direction !== "backward" && survey.starts.length > 0;
  const backward = direction !== "forward" && survey.cites;
  return forward || backward || equations.length > 0;
}

/** Nothing can be asked: the library, its loop and its round stay. */
async function nowhere(
  ctx: Context,
  chaining: Chaining,
): Promise<ChainData & { reason?: string; fix_command?: string; changed: boolean }> {
  const { given, source, direction, since, survey } = chaining;
  const { state, round } = survey.standing;
  const data: ChainData = {
    run_id: null,
    source: source.id,
    direction,
    depth: given.depth,
    candidates_found: 0,
    new_candidates: 0,
    total_papers: survey.active,
    ranking_preview: [],
    observed_refs_count: 0,
    fetched: { asked: 0, found: 0, missing: [] },
    loop_state: state,
    round,
    ...(since !== undefined && { since, new: [], new_total: 0 }),
    usage: (await sessionOf(ctx, chaining)).usage(),
  };
  return { ...data, ...emptiness(ctx, chaining, data), changed: false };
}

/** A session of a call that is no run. */
async function sessionOf(ctx: Context, { given, source }: Chaining) {
  const access = await openAccess(ctx, source, { email: given.email, maxWait: given.max_wait });
  const asOf = new Date(ctx.clock.now());
  return openSession(ctx, { access, flags: given, resume: resumeOf(given), asOf });
}

async function estimated(ctx: Context, chaining: Chaining): Promise<ChainData> {
  const { given, source, survey, direction, since } = chaining;
  const session = await sessionOf(ctx, chaining);
  const groups = direction === "backward" ? [] : groupsOf(survey.starts, given.max_citing);
  const estimate = await estimateChain(session, groups, { since, fetchTop: given.fetch_top });
  return { source: source.id, direction, estimate, usage: session.usage() };
}

/** Why nothing was found, with the counts behind it, and what would help. */
function emptiness(
  ctx: Context,
  { given, survey, source, direction, since }: Chaining,
  data: ChainData,
): { reason?: string; fix_command?: string } {
  if (data.candidates_found !== 0 || (data.new_candidates ?? 0) > 0) return {};
  const { papers, seeds, withDoi, starts, cites } = survey;
  if (papers === 0) return { reason: "The library has 0 papers to start from.", ...specSeed(ctx) };
  if (direction !== "backward" && starts.length === 0) {
    const fix = withDoi > 0 ? { fix_command: "writ research seed --resolve" } : {};
    return { reason: `0 of ${seeds} seeds have an id at ${source.name}; ${withDoi} have a DOI.`, ...fix };
  }
  if (direction === "backward" && !cites) {
    const fix = withDoi > 0 ? { fix_command: "writ research seed --resolve" } : {};
    return { reason: `0 of ${papers} papers tell what they cite.`, ...fix };
  }
  const lately = since === undefined ? "" : ` published since ${since}`;
  const citing = `0 works${lately} that are not in the library cite one of ${starts.length} seeds.`;
  const cited = `${papers} papers cite nothing that is not in the library.`;
  const reason = { forward: citing, backward: cited, both: `${cited} ${citing}` }[direction];
  // Answers are good for a day: who looks for what is new meanwhile is told how to ask again.
  const stored = since !== undefined && (data.usage?.from_store ?? 0) > 0 && !given.refresh && !given.offline;
  return { reason, ...(stored && { fix_command: resumeOf({ ...given, refresh: true }) }) };
}

function noCorpus(ctx: Context) {
  const { fix_command: seed = "writ research seed --help" } = specSeed(ctx);
  return fail("E_NO_CORPUS", {
    message: "There is nothing to monitor: the library has no papers.",
    cause: "Monitoring asks what cites the papers that are there.",
    remediation: `Seed it first: ${seed}`,
  });
}
