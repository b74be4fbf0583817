import type { Context } from "../../contract/index.ts";
import { type Change, type ChangeOptions, commitLibrary } from "../library/change.ts";
import { corpusHash } from "../library/hash.ts";
import { rehearseLibrary } from "../library/rehearse.ts";
import { checkSnapshot, type Checked } from "./check.ts";
import { type Corpus, openCorpus, restoreCorpus } from "./corpus.ts";
import { type StillUndone, uniteTables } from "./unite.ts";

export interface RestoreRequest {
  /** A folder that `snapshot create` made. */
  from?: string;
  /** A Parquet file with the canonical columns. */
  fromCorpus?: string;
  wait?: number;
}

/** Unites what a snapshot or a corpus file holds with what is in the library. */
export async function restoreSnapshot(ctx: Context, request: RestoreRequest) {
  const how = {
    verb: "snapshot.restore",
    creates: true,
    ...(request.wait !== undefined && { wait: request.wait }),
  };
  if (request.fromCorpus !== undefined) {
    const corpus = await openCorpus(ctx, request.fromCorpus);
    const options = { ...how, params: { from_corpus: corpus.name, sha256: corpus.sha256 } };
    return made(ctx, options, (change) =>
      finish(change, corpus, async () => {
        await restoreCorpus(change, corpus);
        return {};
      }),
    );
  }
  const checked = await checkSnapshot(ctx, request.from ?? "");
  const options = { ...how, params: { from: checked.name, corpus_hash: checked.corpusHash } };
  return made(ctx, options, (change) => finish(change, checked, () => uniteTables(change, checked)));
}

async function made(
  ctx: Context,
  options: ChangeOptions,
  work: (change: Change) => ReturnType<typeof finish>,
) {
  if (!ctx.dryRun) return commitLibrary(ctx, options, work);
  return {
    ...(await rehearseLibrary(ctx, options, work)),
    changed: true,
    run_id: null,
    next: ["writ research status"],
  };
}

async function finish(change: Change, from: Checked | Corpus, take: () => Promise<StillUndone>) {
  const { db, ctx } = change;
  await db.allThreads();
  const before = await db.row<{ n: number }>("SELECT count(*) AS n FROM papers");
  const undone = await take();
  const { added } = await change.fold();
  const { state, round } = await change.transition("restore");
  const hash = await corpusHash(db);
  const total = await db.row<{ n: number }>("SELECT count(*) AS n FROM papers WHERE active");
  if (before?.n === 0 && from.corpusHash !== undefined && from.corpusHash !== hash)
    ctx.warn({
      code: "W_HASH",
      message: "The library has another hash than the manifest names; what the files hold counts.",
    });
  change.setCounts({ papers_loaded: from.papers, papers_new: added });
  return {
    run_id: change.run.id,
    papers_loaded: from.papers,
    papers_new: added,
    total_papers: total?.n ?? 0,
    corpus_hash: hash,
    state,
    round,
    ...undone,
    next: ["writ research status"],
  };
}
