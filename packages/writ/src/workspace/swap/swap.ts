import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as breathe } from "node:timers/promises";
import {
  readOrNull,
  removeTemporaries,
  replaceFile,
  storing,
  syncFolder,
  writeAtomic,
} from "../../platform/index.ts";
import { parseApplied, printApplied, readApplied, readAppliedRun, type Applied } from "./applied.ts";
import { addBackups, areBackupsKnown, readBackups, type Backup } from "./backups.ts";
import type { FaultPoint } from "./faults.ts";
import { sha256 } from "./hashes.ts";
import type { Journal } from "./journal.ts";
import { dropUnnamed, isKept, keepBytes, keepFile, keepRecord } from "./kept.ts";
import { removeLeftovers } from "./staging.ts";
import { stateFolder, stateOf } from "./state.ts";
import { applyAction, oldName, placeClone } from "./swap-actions.ts";
import { readUndo } from "./undo-record.ts";

/** What a swap asks of git; each call may be repeated after a crash. */
export interface RepoPorts {
  forward(step: Journal["forwards"][number]): Promise<void>;
  submodule(path: string, url: string): Promise<void>;
  /** Removes a repository that was found safe to remove; looks again first. */
  prune(step: Journal["prunes"][number]): Promise<boolean>;
  /** The workspace repository's own commit. */
  commit(): Promise<void>;
}

export interface SwapOutcome {
  /** Paths that somebody edited between the plan and the swap: theirs was kept. */
  refused: { path: string; local: string | null }[];
  backups: Backup[];
  /** Repositories that were found changed since the plan, and stay. */
  unpruned: string[];
}

/**
 * Completes a committed run: the same whether it is called right after the commit point or by the next run
 * after a crash. The journal stays until its ledger event is written.
 */
export async function finishSwap(
  root: string,
  journal: Journal,
  ports: { repos: RepoPorts; fault: FaultPoint },
): Promise<SwapOutcome> {
  const outcome: SwapOutcome = { refused: [], backups: [], unpruned: [] };
  // A file of the workspace is named by whoever touches it; what remains are records of this folder.
  await storing(stateFolder, async () => {
    const isSwapped = (await readAppliedRun(root)) === journal.run;
    if (!isSwapped) await swap(root, journal, { ...ports, outcome });
    await tidy(root);
  });
  return outcome;
}

async function swap(
  root: string,
  journal: Journal,
  { repos, fault, outcome }: { repos: RepoPorts; fault: FaultPoint; outcome: SwapOutcome },
): Promise<void> {
  const staging = stateOf(root).stagingOf(journal.run);
  await swapFiles(root, journal, { staging, fault, outcome });
  for (const clone of journal.clones) {
    if (!(await placeClone(root, clone.path, join(staging, clone.staged))))
      outcome.refused.push({ path: clone.path, local: null });
    else if (clone.submodule) await repos.submodule(clone.path, clone.submodule);
    await fault("h");
  }
  for (const step of journal.forwards) await repos.forward(step);
  for (const step of journal.prunes) if (!(await repos.prune(step))) outcome.unpruned.push(step.path);
  outcome.backups = await keepOld(root, journal, staging);
  await record(root, journal, outcome);
  await fault("h");
  await swapLock(root, journal, staging);
  await fault("i");
  if (journal.commit) await repos.commit();
  await swapApplied(root, journal, { staging, outcome });
  await syncFolder(root);
}

// Files are renamed at once; whatever else this process does gets its turn in between.
const renamesAtOnce = 64;

/** First what is deleted, which makes room; then the rest, in no order that anybody could rely on. */
async function swapFiles(
  root: string,
  { actions }: Journal,
  { staging, fault, outcome }: { staging: string; fault: FaultPoint; outcome: SwapOutcome },
): Promise<void> {
  const numbered = actions.map((action, index) => ({ action, index }));
  const isDelete = ({ action }: (typeof numbered)[number]) => action.action === "delete";
  for (const group of [numbered.filter(isDelete), numbered.filter((one) => !isDelete(one))]) {
    for (const [at, { action, index }] of group.entries()) {
      if (at % renamesAtOnce === renamesAtOnce - 1) await breathe();
      const done = await applyAction(root, action, { staging, index });
      await fault("h");
      if (done !== "done") outcome.refused.push({ path: action.path, local: done.refused });
    }
  }
}

/** Moves replaced bytes into the content store; what was written at the last moment becomes a backup. */
async function keepOld(root: string, journal: Journal, staging: string): Promise<Backup[]> {
  const backups: Backup[] = [];
  for (const [index, action] of journal.actions.entries()) {
    if (action.from === null) continue;
    const kept = await keepFile(root, oldName(staging, index));
    // Before a crash it may have been kept already; where nothing was replaced there is nothing to name.
    const before = !kept && action.backup && (await isKept(root, action.from)) ? action.from : undefined;
    const hash = kept ?? before;
    if (hash && (action.backup || hash !== action.from)) {
      backups.push({ path: action.path, sha256: hash, run: journal.run });
    }
  }
  return backups;
}

/** Writes what undo needs and where backups are, before the lock and applied.json move. */
async function record(root: string, journal: Journal, outcome: SwapOutcome): Promise<void> {
  const state = stateOf(root);
  await addBackups(root, outcome.backups);
  if (journal.undo) return rm(state.undo, { force: true });
  const applied = await keepRecord(root, journal.applied.from);
  const actions = journal.actions
    .filter((action) => !isRefused(outcome, action.path))
    .map(({ path, from, to, was }) => ({ path, from, to, ...(was !== undefined && { target: was }) }));
  const undo = {
    schema: "writ-undo/1",
    run: journal.run,
    actions,
    ...(journal.lock && { lock: { from: journal.lock.from, to: journal.lock.to } }),
    applied,
  };
  await writeAtomic(state.undo, `${JSON.stringify(undo, null, 1)}\n`);
}

function isRefused({ refused }: SwapOutcome, path: string): boolean {
  return refused.some((one) => one.path === path);
}

async function swapLock(root: string, journal: Journal, staging: string): Promise<void> {
  if (!journal.lock) return;
  const path = join(root, "workspace.lock.yml");
  const bytes = await readOrNull(path).catch(() => null);
  const now = bytes ? sha256(bytes) : null;
  // Somebody else's lock, written since the inputs were checked, is not ours to replace.
  if (now === journal.lock.to || now !== journal.lock.from) return;
  if (bytes) await keepBytes(root, bytes);
  const { staged } = journal.lock;
  await storing("workspace.lock.yml", () =>
    staged === undefined ? rm(path, { force: true }) : replaceFile(join(staging, staged), path),
  );
}

async function swapApplied(
  root: string,
  journal: Journal,
  { staging, outcome }: { staging: string; outcome: SwapOutcome },
): Promise<void> {
  const staged = join(staging, journal.applied.staged);
  if (outcome.refused.length > 0) {
    const next = parseApplied(String(await readOrNull(staged)));
    const { applied: before } = await readApplied(root);
    if (next) await writeAtomic(staged, printApplied(withoutRefused(next, before, outcome)));
  }
  await storing(".writ/workspace/applied.json", () => replaceFile(staged, stateOf(root).applied));
}

/** What was not written has not been composed: its base stays what it was, and the next run looks again. */
function withoutRefused(next: Applied, before: Applied | undefined, outcome: SwapOutcome): Applied {
  const keep = <T extends { path: string }>(now: T[], old: T[] | undefined): T[] => [
    ...now.filter(({ path }) => !isRefused(outcome, path)),
    ...(old ?? []).filter(({ path }) => isRefused(outcome, path)),
  ];
  return {
    ...next,
    inputs: "",
    files: keep(next.files, before?.files),
    regions: keep(next.regions, before?.regions),
    repos: next.repos.filter(({ path }) => !isRefused(outcome, path)),
  };
}

/** Drops what no record names any more. */
async function tidy(root: string): Promise<void> {
  if (await areBackupsKnown(root)) await dropUnnamed(root, await namedBytes(root));
  await removeLeftovers(root);
  await removeTemporaries(stateOf(root).folder);
}

/** The kept bytes that somebody may still ask for. */
async function namedBytes(root: string): Promise<Set<string>> {
  const undo = await readUndo(root);
  const backups = (await readBackups(root)) ?? [];
  const replaced = undo?.actions.map(({ from }) => from) ?? [];
  const named = [undo?.applied, undo?.lock?.from, ...replaced, ...backups.map(({ sha256: hash }) => hash)];
  return new Set(named.filter((hash) => typeof hash === "string"));
}
