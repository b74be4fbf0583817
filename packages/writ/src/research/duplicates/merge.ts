import { type Context, fail } from "../../contract/index.ts";
import { quote } from "../../platform/index.ts";
import { type Change, commitLibrary } from "../library/change.ts";
import type { Database } from "../library/database.ts";
import { requireIds } from "../library/resolve.ts";
import { mergePapers } from "../library/tell.ts";
import { readLibrary } from "../library/use.ts";
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
  const merges = await readLibrary(ctx, plan, { wait: given.wait });
  const answer = merges.map(({ proposal, kind, keep, drop, score }) => ({
    proposal,
    kind,
    keep,
    drop,
    score,
  }));
  const none = { run_id: null, papers_changed: null, total_papers: null };
  if (merges.length === 0) return { ...none, merged: [], changed: false, reason: "They are one already." };
  if (ctx.dryRun) return { ...none, merged: answer, changed: true };
  const params = { merges: answer.map(({ kind, keep, drop }) => ({ kind, keep, drop })) };
  return commitLibrary(ctx, { verb: "curate.merge", params, wait: given.wait }, async (change) => {
    for (const one of await plan(change.db)) await confirm(change, one);
    const { changed, removed } = await change.fold();
    change.setCounts({ merged: merges.length });
    const total = await change.db.row<{ n: number }>("SELECT count(*) AS n FROM papers WHERE active");
    return {
      run_id: change.run.id,
      merged: answer,
      papers_changed: changed + removed,
      total_papers: total?.n ?? 0,
      changed: true,
    };
  });
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

async function planMerges(db: Database, given: MergeInput): Promise<Merge[]> {
  const { kind, keep, drop } = given;
  const merges =
    kind === undefined || keep === undefined || drop === undefined
      ? await proposed(db, given.proposal)
      : kind === "paper"
        ? await namedPapers(db, keep, drop)
        : await namedEntities(db, { kind, keep, drop });
  const vetoed = merges.find((one) => one.vetoed !== undefined);
  if (vetoed && !given.force) throw refused(vetoed);
  return merges;
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
      cause: "The library has changed since, or the pair has been merged.",
      remediation: "See what is proposed now: writ research curate duplicates --show-vetoed",
      details: { missing },
    });
  }
  return found;
}

async function namedPapers(db: Database, keepName: string, dropName: string): Promise<Merge[]> {
  const [keep = "", drop] = await requireIds(db, [keepName, dropName]);
  if (drop === undefined) return [];
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
  const find = (name: string) =>
    entities.find(({ node }) => node === name) ??
    entities.find((one) => one.node === name.trim().toLowerCase() || one.name === name);
  const [kept, dropped] = [find(keep), find(drop)];
  const missing = [...(kept ? [] : [keep]), ...(dropped ? [] : [drop])];
  if (!kept || !dropped) {
    throw fail("E_NOT_FOUND", {
      message: `No ${kind} of the library is called ${missing.map((one) => `"${one}"`).join(" or ")}.`,
      cause:
        "It is named by its id, by its name as papers write it, or it has been merged into another already.",
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
