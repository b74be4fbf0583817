import { type Context, fail } from "../../contract/index.ts";
import { quote } from "../../platform/index.ts";
import { type Change, commitLibrary } from "../library/change.ts";
import type { Database } from "../library/database.ts";
import { normaliseText } from "../library/identity.ts";
import { mergedInto } from "../networks/merged.ts";
import { rehearseLibrary } from "../library/rehearse.ts";
import { notFound, resolveIds } from "../library/resolve.ts";
import { totalPapers } from "../library/standing.ts";
import { mergePapers } from "../library/tell.ts";
import { readLibrary } from "../library/use.ts";
import { standingData } from "../seed/settle.ts";
import { entitiesOf } from "./entities.ts";
import { type DuplicateKind, duplicateKinds, type EntityKind, mergeId, rounded } from "./proposal.ts";
import { proposals } from "./propose.ts";
import { vetoOfEntities } from "./propose-entities.ts";
import { bareTitle } from "./propose-papers.ts";
import { ratio, sortedTokens } from "./similarity.ts";
import { type Veto, vetoOf } from "./vetoes.ts";

export interface MergeInput {
  proposal: string[];
  kind?: DuplicateKind | undefined;
  keep?: string | undefined;
  drop?: string | undefined;
  force: boolean;
  wait: number;
}

/** A pair that somebody says is one. */
interface Merge {
  proposal: string;
  kind: DuplicateKind;
  keep: string;
  drop: string;
  score: number | null;
  evidence: string[];
  vetoed?: Veto;
}

export interface Merged {
  run_id: string | null;
  merged: Pick<Merge, "proposal" | "kind" | "keep" | "drop" | "score">[];
  papers_changed: number | null;
  total_papers: number | null;
  changed: boolean;
  reason?: string;
}

/** Confirms proposals, or a pair that is named. All of them, or none. */
export async function merge(ctx: Context, given: MergeInput): Promise<Merged> {
  requireForm(given);
  ctx.emit({ phase: "pairs" });
  const plan = (db: Database) => planMerges(db, given);
  const { merges, already } = await readLibrary(ctx, plan, { wait: given.wait });
  if (merges.length === 0) {
    const { total_papers } = await standingData(ctx, given.wait);
    const reason = already.length === 0 ? "They are one already." : already.join(" ");
    return { run_id: null, merged: [], papers_changed: 0, total_papers, changed: false, reason };
  }
  const params = { merges: merges.map(({ kind, keep, drop }) => ({ kind, keep, drop })) };
  const options = { verb: "curate.merge", params, wait: given.wait };
  const work = async (change: Change) => {
    // Looked at anew: somebody else may have merged some of them meanwhile.
    const now = (await plan(change.db)).merges;
    for (const one of now) await confirm(change, one);
    const { changed, removed } = await change.fold();
    change.setCounts({ merged: now.length });
    return {
      run_id: change.run.id,
      merged: now.map(({ proposal, kind, keep, drop, score }) => ({ proposal, kind, keep, drop, score })),
      papers_changed: changed + removed,
      total_papers: await totalPapers(change),
      changed: true,
    };
  };
  if (ctx.dryRun) return { ...(await rehearseLibrary(ctx, options, work)), run_id: null };
  return commitLibrary(ctx, options, work);
}

async function confirm(change: Change, one: Merge): Promise<void> {
  const { proposal: id, kind, keep, drop, score, evidence } = one;
  if (kind === "paper") return mergePapers(change, { id, keep, drop, score, evidence });
  const { db, run } = change;
  await db.run("INSERT INTO merges VALUES (?, ?, ?, ?, ?, ?, ?)", [
    id,
    kind,
    keep,
    drop,
    score,
    JSON.stringify({ evidence }),
    run.id,
  ]);
  await db.run("INSERT INTO entity_map VALUES (?, ?, ?, ?)", [kind, drop, keep, run.id]);
}

function requireForm({ proposal, kind, keep, drop }: MergeInput): void {
  const named = [kind, keep, drop].filter((one) => one !== undefined).length;
  if (proposal.length > 0 && named > 0) {
    throw fail("E_CONFLICTING_INPUT", {
      message: "A proposal says already what it joins.",
      cause: "--proposal was given together with --kind, --keep or --drop.",
      remediation: `Confirm it alone: writ research curate merge --proposal ${proposal[0]}`,
      details: { inputs: ["proposal", "kind", "keep", "drop"] },
    });
  }
  if (proposal.length === 0 && named < 3) {
    throw fail("E_MISSING_INPUT", {
      message: "Say what is to be merged.",
      cause: "Neither a --proposal nor all of --kind, --keep and --drop was given.",
      remediation: "See what may be one: writ research curate duplicates",
      details: { missing: ["proposal"] },
    });
  }
}

/** What is to be merged, and in words what has been before. */
interface Planned {
  merges: Merge[];
  already: string[];
}

async function planMerges(db: Database, given: MergeInput): Promise<Planned> {
  const { kind, keep, drop } = given;
  if (kind === undefined || keep === undefined || drop === undefined) {
    const done = await mergedBefore(db, given.proposal);
    const open = given.proposal.filter((id) => !done.has(id));
    return allowed({ merges: await proposed(db, open), already: [...done.values()] }, given.force);
  }
  const merges =
    kind === "paper" ? await namedPapers(db, keep, drop) : await namedEntities(db, { kind, keep, drop });
  return allowed({ merges, already: [] }, given.force);
}

/** Of these proposals those that count as merged, each in words. */
async function mergedBefore(db: Database, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.rows<{ merge_id: string; keep: string; drop: string; run_id: string }>(
    `SELECT merge_id, keep, "drop", run_id FROM merges JOIN runs USING (run_id)
     WHERE revoked_by IS NULL AND list_contains(CAST(? AS VARCHAR[]), merge_id) ORDER BY merge_id`,
    [[...ids]],
  );
  return new Map(
    rows.map(({ merge_id, keep, drop, run_id }) => [
      merge_id,
      `${drop} was merged into ${keep} before, by ${run_id}.`,
    ]),
  );
}

function allowed(planned: Planned, force: boolean): Planned {
  const vetoed = planned.merges.find((one) => one.vetoed !== undefined);
  if (vetoed && !force) throw refused(vetoed);
  return planned;
}

/** The proposals of these ids. One kind after the other is looked at, until all are found. */
async function proposed(db: Database, ids: readonly string[]): Promise<Merge[]> {
  const wanted = new Set(ids);
  const found: Merge[] = [];
  for (const kind of duplicateKinds) {
    if (found.length === wanted.size) break;
    found.push(...(await proposals(db, [kind])).filter(({ proposal }) => wanted.has(proposal)));
  }
  const missing = [...wanted].filter((id) => !found.some(({ proposal }) => proposal === id));
  if (missing.length > 0) {
    throw fail("E_NOT_FOUND", {
      message: `Nothing is proposed under ${missing.join(", ")}.`,
      cause: "The papers or words that it joined have changed since.",
      remediation: "See what is proposed now: writ research curate duplicates --show-vetoed",
      details: { missing },
    });
  }
  return found;
}

async function namedPapers(db: Database, keepName: string, dropName: string): Promise<Merge[]> {
  const { found, missing } = await resolveIds(db, [keepName, dropName]);
  if (missing.length > 0) throw await notFound(db, missing);
  const [keep = "", drop = ""] = [found.get(keepName), found.get(dropName)];
  if (keep === drop) return [];
  const titles = await db.rows<{ id: string; text: string }>(
    `SELECT id, ${bareTitle} AS text FROM papers WHERE active AND list_contains(CAST($1 AS VARCHAR[]), id)`,
    [[keep, drop]],
  );
  const text = (id: string) => titles.find((one) => one.id === id)?.text ?? "";
  const vetoed = vetoOf(text(keep), text(drop));
  const score = rounded(ratio(sortedTokens(text(keep)), sortedTokens(text(drop))));
  const proposal = mergeId("paper", keep, drop);
  return [{ proposal, kind: "paper", keep, drop, score, evidence: ["named"], ...(vetoed && { vetoed }) }];
}

async function namedEntities(
  db: Database,
  { kind, keep, drop }: { kind: EntityKind; keep: string; drop: string },
): Promise<Merge[]> {
  const entities = await entitiesOf(db, kind);
  const into = await mergedInto(db, kind);
  // A name that was merged into another is that other.
  const named = (name: string) => into.get(name) ?? into.get(normaliseText(name)) ?? name;
  const find = (name: string) =>
    entities.find(({ node }) => node === named(name)) ??
    entities.find((one) => one.node === normaliseText(name) || one.name === name);
  const [kept, dropped] = [find(keep), find(drop)];
  const missing = [...(kept ? [] : [keep]), ...(dropped ? [] : [drop])];
  if (!kept || !dropped) {
    throw fail("E_NOT_FOUND", {
      message: `No ${kind} of the library is called ${missing.map((one) => `"${one}"`).join(" or ")}.`,
      cause: "It is named by its id, or by its name as papers write it.",
      remediation: `See which may be one: writ research curate duplicates --kind ${kind}`,
      details: { missing },
    });
  }
  if (kept.node === dropped.node) return [];
  const vetoed = vetoOfEntities(kind, kept, dropped);
  return [
    {
      proposal: mergeId(kind, kept.node, dropped.node),
      kind,
      keep: kept.node,
      drop: dropped.node,
      score: rounded(ratio(sortedTokens(kept.text), sortedTokens(dropped.text))),
      evidence: ["named"],
      ...(vetoed && { vetoed }),
    },
  ];
}

function refused({ proposal, kind, keep, drop, vetoed, evidence }: Merge) {
  const pair = evidence.includes("named")
    ? `--kind ${kind} --keep ${quote(keep)} --drop ${quote(drop)}`
    : `--proposal ${proposal}`;
  return fail("E_INVALID_VALUE", {
    message: `${keep} and ${drop} look alike and are vetoed: ${vetoed}.`,
    cause: "Such pairs usually mean two things.",
    remediation: `If they are one all the same: writ research curate merge ${pair} --force`,
    details: { proposal, vetoed },
  });
}
