import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { readOrNull } from "../../platform/index.ts";
import { type Applied, emptyApplied, parseApplied, printApplied, readApplied } from "./applied.ts";
import { hashOf, look } from "./disk.ts";
import { sha256 } from "./hashes.ts";
import type { Action } from "./journal.ts";
import { isKept, keptPath, readKept } from "./kept.ts";
import { noPrint } from "./record.ts";
import type { Staging } from "./staging.ts";
import type { SwapPlan } from "./swap-plan.ts";
import type { Undo } from "./undo-record.ts";

type Step = Undo["actions"][number];

/** What an undo will do, and which paths stay because somebody has changed them since. */
export interface UndoPlan {
  swap: SwapPlan;
  kept: { path: string; reason: "changed_since" | "bytes_gone" }[];
}

/** Plans the way back from the last changing run: the same kind of swap, with the old bytes as the new ones. */
export async function planUndo(
  root: string,
  undo: Undo,
  options: { run: string; staging?: Staging },
): Promise<UndoPlan> {
  const actions: Action[] = [];
  const kept: UndoPlan["kept"] = [];
  for (const step of undo.actions) {
    const planned = await reverse(root, step, options.staging);
    if (planned && "reason" in planned) kept.push(planned);
    else if (planned) actions.push(planned);
  }
  const lock = await reverseLock(root, undo, options.staging);
  if (lock === "changed_since") kept.push({ path: "workspace.lock.yml", reason: lock });
  const before = await readApplied(root);
  const bytes = undo.applied === null ? undefined : await readKept(root, undo.applied);
  const applied = (bytes && parseApplied(bytes.toString("utf8"))) ?? emptyApplied(options.run);
  const next = printApplied({ ...withKept(applied, before.applied, kept), run: options.run });
  const staged = await options.staging?.put(next, 0o600);
  return {
    kept,
    swap: {
      actions,
      clones: [],
      forwards: [],
      prunes: [],
      ...(typeof lock === "object" && { lock }),
      applied: {
        from: before.bytes ? sha256(before.bytes) : null,
        to: sha256(next),
        staged: staged?.name ?? "",
      },
      undo: true,
      commit: false,
    },
  };
}

/**
 * A file that stays keeps the base it was edited from, where the earlier record knows none: the next run then
 * sees an edit, and no conflict of two texts that have nothing in common.
 */
function withKept(earlier: Applied, now: Applied | undefined, kept: UndoPlan["kept"]): Applied {
  const paths = new Set(kept.map(({ path }) => path));
  const added = <T extends { path: string }>(old: readonly T[], recorded: readonly T[] = []): T[] => {
    const known = new Set(old.map(({ path }) => path));
    return recorded.filter(({ path }) => paths.has(path) && !known.has(path));
  };
  return {
    ...earlier,
    // The bytes on disk are not those of the record, so they are always hashed.
    files: [...earlier.files, ...added(earlier.files, now?.files).map((file) => ({ ...file, ...noPrint }))],
    regions: [...earlier.regions, ...added(earlier.regions, now?.regions)],
  };
}

async function reverse(
  root: string,
  step: Step,
  staging: Staging | undefined,
): Promise<Action | UndoPlan["kept"][number] | undefined> {
  const { path } = step;
  const found = await look(root, path);
  const now = hashOf(found);
  if (now === step.from && found.kind !== "folder") return undefined;
  if (now !== step.to || found.kind === "folder" || found.kind === "special")
    return { path, reason: "changed_since" };
  const was = found.kind === "link" ? { was: found.target } : {};
  if (step.from === null) return { path, action: "delete", from: step.to, to: null, ...was };
  const action = now === null ? "create" : "update";
  if (step.target !== undefined)
    return { path, action: "link", from: now, to: step.from, target: step.target, ...was };
  if (!(await isKept(root, step.from))) return { path, reason: "bytes_gone" };
  const kept = keptPath(root, step.from);
  const { mode } = await lstat(kept);
  const staged = await staging?.copy(kept, mode & 0o777);
  return { path, action, from: now, to: step.from, staged: staged?.name, ...was };
}

async function reverseLock(
  root: string,
  undo: Undo,
  staging: Staging | undefined,
): Promise<SwapPlan["lock"] | "changed_since"> {
  if (!undo.lock) return undefined;
  const bytes = await readOrNull(join(root, "workspace.lock.yml")).catch(() => null);
  const now = bytes ? sha256(bytes) : null;
  const { from, to } = undo.lock;
  if (now === from) return undefined;
  if (now !== to) return "changed_since";
  if (from === null) return { from: now, to: null };
  const old = await readKept(root, from);
  if (!old) return "changed_since";
  const staged = await staging?.put(old);
  return { from: now, to: from, staged: staged?.name };
}
