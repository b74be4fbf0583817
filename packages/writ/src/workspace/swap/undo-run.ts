import type { Context } from "../../contract/index.ts";
import type { Sources } from "../sources/open-sources.ts";
import { lockFile } from "../declare/file-names.ts";
import { repoPorts } from "../repos/repo-ports.ts";
import type { RunRequest } from "../gather/request.ts";
import type { RunData } from "../run/run-schema.ts";
import type { FaultPoint } from "./faults.ts";
import { isCommitted } from "./journal.ts";
import { openStaging } from "./staging.ts";
import { commitSwap } from "./swap-plan.ts";
import { readUndo } from "./undo-record.ts";
import { planUndo, type UndoPlan } from "./undo.ts";

interface UndoOptions {
  /** The workspace's name. */
  name: string;
  request: RunRequest;
  open: () => Sources;
  ports: { fault: FaultPoint };
}

/** Restores files, lock and record of the last changing run; clones stay, and so does what was changed since. */
export async function undoLastRun(ctx: Context, root: string, options: UndoOptions): Promise<RunData> {
  const { name } = options;
  const undo = await readUndo(root);
  if (!undo) return { ...answerOfUndo(name), changed: false, reason: "nothing_to_undo" };
  if (ctx.dryRun)
    return { ...answerOfUndo(name, await planUndo(root, undo, { run: ctx.act })), changed: true };
  const staging = await openStaging(root, ctx.act);
  try {
    const plan = await planUndo(root, undo, { run: ctx.act, staging });
    const data = await commitSwap(ctx, plan.swap, {
      capability: options.request.capability,
      fact: factOf(plan),
      staging,
      repos: repoPorts(root, ctx.act, options.open),
      fault: options.ports.fault,
      answer: () => answerOfUndo(name, plan),
    });
    return { ...(data as RunData), changed: true };
  } finally {
    if (!(await isCommitted(root, ctx.act))) await staging.remove();
  }
}

function factOf({ swap }: UndoPlan) {
  return {
    subjects: swap.actions.slice(0, 200).map(({ path }) => path),
    detail: {
      undo: true,
      lock_before: swap.lock?.from ?? null,
      lock_after: swap.lock?.to ?? null,
      restored: swap.actions.length,
    },
  };
}

function answerOfUndo(name: string, plan?: UndoPlan): RunData {
  const actions = plan?.swap.actions ?? [];
  const count = (action: string) => actions.filter((one) => one.action === action).length;
  const lock = plan?.swap.lock;
  return {
    name,
    mode: "undo",
    stacks: [],
    repos: [],
    orphans: [],
    pruned: [],
    prune_refused: [],
    files: {
      created: count("create"),
      updated: count("update") + count("link"),
      deleted: count("delete"),
      unchanged: 0,
      kept: plan?.kept.length ?? 0,
      conflicts: 0,
    },
    changes: actions.map((action) => ({
      path: action.path,
      action: action.action,
      ...(action.from !== null && { from: action.from }),
      ...(action.to !== null && { to: action.to }),
    })),
    edited: (plan?.kept ?? []).filter(({ reason }) => reason === "changed_since").map(({ path }) => path),
    adopted: [],
    collisions: [],
    conflicts: [],
    backups: [],
    agent_files: { canonical: "", mirrors: [], extras: [], bytes: {}, linked: [] },
    skills: [],
    stack_metadata: [],
    skipped: plan?.kept ?? [],
    lock: { path: lockFile, changed: lock !== undefined, sha256: lock?.to ?? null, moved: [] },
    next: [],
  };
}
