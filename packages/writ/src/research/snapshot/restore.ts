import type { Context } from "../../contract/index.ts";
import { type Change, commitLibrary } from "../library/change.ts";
import { corpusHash } from "../library/hash.ts";
import { checkSnapshot, type Checked } from "./check.ts";
import { type Corpus, openCorpus, restoreCorpus } from "./corpus.ts";
import { uniteTables } from "./unite.ts";

export interface RestoreRequest {
  /** A folder that `snapshot create` made. */
  from?: string;
  /** A Parquet file with the canonical columns. */
  fromCorpus?: string;
  wait?: number;
}

/** Unites what a snapshot or a corpus file holds with what is in the library. */
export async function restoreSnapshot(ctx: Context, request: RestoreRequest) {
  const how = request.wait === undefined ? {} : { wait: request.wait };
  if (request.fromCorpus !== undefined) {
    const corpus = await openCorpus(ctx, request.fromCorpus);
    if (ctx.dryRun) return rehearsed(corpus.papers);
    const params = { from_corpus: corpus.name, sha256: corpus.sha256 };
    const options = { verb: "snapshot.restore", params, creates: true, ...how };
    return commitLibrary(ctx, options, (change) =>
      finish(change, corpus, async () => restoreCorpus(change, corpus)),
    );
  }
  const checked = await checkSnapshot(ctx, request.from ?? "");
  if (ctx.dryRun) return rehearsed(checked.papers);
  const params = { from: checked.name, corpus_hash: checked.corpusHash };
  const options = { verb: "snapshot.restore", params, creates: true, ...how };
  return commitLibrary(ctx, options, (change) => finish(change, checked, () => uniteTables(change, checked)));
}

function rehearsed(papers: number) {
  return {
    run_id: null,
    papers_loaded: papers,
    papers_new: null,
    total_papers: null,
    corpus_hash: null,
    state: null,
    round: null,
  };
}

async function finish(change: Change, from: Checked | Corpus, take: () => Promise<void>) {
  const { db, ctx } = change;
  await db.allThreads();
  const before = await db.row<{ n: number }>("SELECT count(*) AS n FROM papers");
  await take();
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
    next: ["writ research status"],
  };
}
