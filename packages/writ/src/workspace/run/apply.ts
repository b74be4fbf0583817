import { join } from "node:path";
import type { Fact } from "../../contract/index.ts";
import { printApplied } from "../swap/applied.ts";
import type { FaultPoint } from "../swap/faults.ts";
import { stageDrafts } from "../swap/drafts.ts";
import { sha256 } from "../swap/hashes.ts";
import { areUnchanged } from "../gather/inputs.ts";
import { isCommitted, type Journal } from "../swap/journal.ts";
import { nextApplied } from "../swap/next-applied.ts";
import type { Changeset } from "../changeset/changeset.ts";
import { cloneFromCache } from "../repos/repo-clone.ts";
import { requireCommit } from "../sources/cache-read.ts";
import { repoPorts } from "../repos/repo-ports.ts";
import { urlOf } from "../declare/sources.ts";
import { openStaging, type Staging } from "../swap/staging.ts";
import { stateOf } from "../swap/state.ts";
import { inParallel, storing, writeAtomic } from "../../platform/index.ts";
import type { SwapOutcome } from "../swap/swap.ts";
import { changesAnything, commitSwap, type SwapPlan } from "../swap/swap-plan.ts";

/** What came of carrying out a changeset. */
export type Applied =
  | { state: "done"; data: Record<string, unknown> }
  | { state: "unchanged" }
  /** workspace.yml or the lock changed meanwhile; nothing has been done. */
  | { state: "inputs_changed" };

export interface ApplyOptions {
  fault: FaultPoint;
  /** The answer of the run, kept for its idempotency key. */
  answer(outcome: SwapOutcome): Record<string, unknown>;
}

/** Stages everything, then commits it; up to the commit a failure leaves the workspace as it was. */
export async function applyChangeset(
  changeset: Changeset,
  { fault, answer }: ApplyOptions,
): Promise<Applied> {
  const { ctx, root, inputs, request, sources } = changeset.gathering;
  ctx.emit({ phase: "stage" });
  const staging = await openStaging(root, ctx.act);
  try {
    const swap = await stageChangeset(changeset, staging);
    await fault("f");
    if (!(await areUnchanged(root, inputs))) return { state: "inputs_changed" };
    const records = changeset.files.some(({ step }) => step === "record");
    if (!changesAnything(swap) && !records) {
      await refreshApplied(changeset);
      return { state: "unchanged" };
    }
    ctx.emit({ phase: "swap" });
    const repos = repoPorts(root, ctx.act, () => sources);
    const commit = { capability: request.capability, fact: factOf(changeset), staging, repos, fault };
    const data = await commitSwap(ctx, swap, {
      ...commit,
      answer: (outcome) => ({ ...answer(outcome), changed: true }),
    });
    return { state: "done", data };
  } finally {
    // From the commit on, what is staged belongs to the journal.
    if (!(await isCommitted(root, ctx.act))) await staging.remove();
  }
}

async function stageChangeset(changeset: Changeset, staging: Staging): Promise<SwapPlan> {
  const { gathering, drafts, lock, readBlobs } = changeset;
  const { ctx, inputs } = gathering;
  const { actions, prints } = await stageDrafts(drafts, staging, readBlobs);
  const clones = await stageClones(changeset, staging);
  const text = printApplied(nextApplied(changeset, ctx.act, prints));
  const applied = await staging.put(text, 0o600);
  const lockFile = lock.changed ? await staging.put(lock.text) : undefined;
  const before = inputs.applied.bytes;
  return {
    actions,
    clones,
    forwards: forwardsOf(changeset),
    prunes: changeset.orphans.prunes.map((path) => ({
      path,
      discardIgnored: gathering.request.discardIgnored,
    })),
    ...(lockFile && { lock: { from: inputs.lockHash, to: lock.hash, staged: lockFile.name } }),
    applied: { from: before ? sha256(before) : null, to: sha256(text), staged: applied.name },
    undo: false,
    commit: inputs.manifest.workspaceRepo.enabled,
  };
}

async function stageClones({ gathering, repos }: Changeset, staging: Staging): Promise<Journal["clones"]> {
  const { ctx, sources } = gathering;
  const missing = repos.filter(({ action }) => action === "cloned");
  return inParallel(missing, sources.jobs, async ({ declared, answer }, at) => {
    ctx.emit({ phase: "clone", item: declared.path, done: at, total: missing.length });
    const name = staging.reserve("clone");
    const url = urlOf(declared.source, sources.base);
    const head = (await sources.cache.refs(url))?.head;
    const from = answer.gitDir ?? sources.cache.gitDir(url);
    const commit = answer.commit ?? "";
    await cloneFromCache(sources.git, {
      from,
      to: join(staging.folder, name),
      url,
      ...(answer.ref !== undefined && { ref: answer.ref }),
      commit,
      ...(head !== undefined && { head }),
      ...(declared.sparsePaths && { sparse: declared.sparsePaths }),
    }).catch(async (error: unknown) => {
      await requireCommit(sources.git, { ...answer, gitDir: from, commit });
      throw error;
    });
    return { path: declared.path, staged: name, ...(declared.mode === "submodule" && { submodule: url }) };
  });
}

function forwardsOf({ gathering, repos }: Changeset): Journal["forwards"] {
  return repos.flatMap(({ declared, action, from, answer }) => {
    if (action !== "fast_forwarded" || from === undefined || !answer.ref || !answer.commit) return [];
    const branch = answer.ref.slice("refs/heads/".length);
    return [
      {
        path: declared.path,
        branch,
        from,
        to: answer.commit,
        url: urlOf(declared.source, gathering.sources.base),
      },
    ];
  });
}

/** Nothing of the workspace changes, but what is known of it may: stats, and inputs that compose to the same. */
async function refreshApplied(changeset: Changeset): Promise<void> {
  const { root, inputs, ctx } = changeset.gathering;
  const before = inputs.applied.applied;
  const text = printApplied(nextApplied(changeset, before?.run ?? ctx.act, new Map()));
  if (inputs.applied.bytes?.toString("utf8") === text) return;
  await storing(".writ/workspace/applied.json", () =>
    writeAtomic(stateOf(root).applied, text, { mode: 0o600 }),
  );
}

// A ledger event names what an act was about; a list longer than this tells nobody more.
const maxSubjects = 200;

/** What the ledger keeps: hashes, counts and relative paths; never content, and nothing of the overlay. */
function factOf(changeset: Changeset): Fact {
  const { gathering, files, lock, orphans, repos } = changeset;
  const shared = files.filter(({ output, recorded }) => !output?.overlay && recorded?.stack !== "overlay");
  const changed = shared.filter(({ step }) => step !== "none" && step !== "keep" && step !== "forget");
  const count = (step: string) => shared.filter((file) => file.step === step).length;
  return {
    subjects: changed.slice(0, maxSubjects).map(({ path }) => path),
    detail: {
      undo: false,
      lock_before: gathering.inputs.lockHash,
      lock_after: lock.hash,
      created: count("create"),
      updated: count("update"),
      deleted: count("delete"),
      adopted: count("record"),
      cloned: repos.filter(({ action }) => action === "cloned").map(({ declared }) => declared.path),
      fast_forwarded: repos
        .filter(({ action }) => action === "fast_forwarded")
        .map(({ declared }) => declared.path),
      pruned: orphans.prunes,
    },
  };
}
