import { fail, type Context } from "../../contract/index.ts";
import { storingUnder } from "../../platform/index.ts";
import { answerOf } from "./answer.ts";
import { setAsideApplied } from "../swap/applied.ts";
import { applyPlan } from "./apply.ts";
import { requirePlainPlaces } from "../swap/disk-scan.ts";
import { noFault, type FaultPoint } from "../swap/faults.ts";
import type { Gathering } from "../gather/gathering.ts";
import { readInputs } from "../gather/inputs.ts";
import { readJournal } from "../swap/journal.ts";
import { isUpToDate } from "./no-op.ts";
import { openSources, type Sources } from "../sources/open-sources.ts";
import { planRun, type Plan } from "../plan/plan.ts";
import { quietAnswer } from "./quiet-answer.ts";
import { recover } from "../swap/recover.ts";
import type { RunRequest } from "../gather/request.ts";
import { withRunLock } from "../swap/run-lock.ts";
import type { RunData } from "./run-schema.ts";
import { undoLastRun } from "../swap/undo-run.ts";
import { describeWorkspaceRepo, mayCommit } from "../repos/workspace-repo.ts";

export interface RunPorts {
  fault: FaultPoint;
}

// Where Writ keeps or composes: none of these may lead elsewhere.
const ownPlaces = [".writ", ".writ/workspace", ".agents", ".stack", "workspace.lock.yml"];

/** The root of the workspace this call is about. */
export function rootOf(ctx: Context): string {
  if (!ctx.workspace) throw new TypeError("this capability needs a workspace");
  return ctx.workspace.root;
}

/** Makes the workspace match workspace.yml and its lock, or says what that would take. */
export async function runWorkspace(
  ctx: Context,
  request: RunRequest,
  ports: RunPorts = { fault: noFault },
): Promise<RunData> {
  const root = rootOf(ctx);
  return storingUnder(root, async () => {
    await requirePlainPlaces(root, ownPlaces);
    const open = opener(ctx, request);
    if (ctx.dryRun) return observe(ctx, request, open);
    return locked(ctx, request, async () => {
      await ports.fault("a");
      await recover(ctx, root, { open, fault: ports.fault });
      await ports.fault("b");
      return compose(ctx, request, { open, ports });
    });
  });
}

/** Takes the last changing run back. */
export async function undoWorkspace(
  ctx: Context,
  request: RunRequest,
  ports: RunPorts = { fault: noFault },
): Promise<RunData> {
  const root = rootOf(ctx);
  const open = opener(ctx, request);
  const undo = async () => {
    const { base, protocols } = open();
    const { manifest } = await readInputs(root, { base, protocols });
    return undoLastRun(ctx, root, { name: manifest.name, request, open, ports });
  };
  return storingUnder(root, async () => {
    await requirePlainPlaces(root, ownPlaces);
    if (ctx.dryRun) return undo();
    return locked(ctx, request, async () => {
      await recover(ctx, root, { open, fault: ports.fault });
      return undo();
    });
  });
}

function locked<T>(ctx: Context, request: RunRequest, work: () => Promise<T>): Promise<T> {
  const { waitMs, command } = request;
  const onWait = () => ctx.emit({ phase: "wait" });
  return withRunLock(rootOf(ctx), { waitMs, command, signal: ctx.signal, onWait }, work);
}

function opener(ctx: Context, { command, flags }: RunRequest): () => Sources {
  let opened: Sources | undefined;
  const onWait = (item: string) => ctx.emit({ phase: "wait", item });
  return () =>
    (opened ??= openSources({ settings: ctx.settings, signal: ctx.signal, command, flags, onWait }));
}

/** Plans without lock and staging; the cache may gain objects, its refs stay. */
async function observe(ctx: Context, request: RunRequest, open: () => Sources): Promise<RunData> {
  const gathering = await gather(ctx, request, { open, keepRefs: true });
  const { root, inputs } = gathering;
  await warnOfPending(ctx);
  if (await isUpToDate(gathering)) return quietAnswer(root, inputs, request);
  const plan = await planRun(gathering);
  return { ...answerOf(plan), changed: wouldChange(plan) };
}

/** The plan of a run that somebody wants to look at. */
export async function planOnly(ctx: Context, request: RunRequest): Promise<Plan> {
  const root = rootOf(ctx);
  return storingUnder(root, async () => {
    await requirePlainPlaces(root, ownPlaces);
    await warnOfPending(ctx);
    return planRun(await gather(ctx, request, { open: opener(ctx, request), keepRefs: true }));
  });
}

/** Tells an observer that an interrupted run waits to be completed; it is not for an observer to do that. */
export async function warnOfPending(ctx: Context): Promise<boolean> {
  if (!(await readJournal(rootOf(ctx)))) return false;
  ctx.warn({
    code: "W_PENDING_SWAP",
    message: "An interrupted run is waiting to be completed; files may be old or new.",
    remediation: "Complete it: writ bootstrap",
  });
  return true;
}

/** True when carrying out the plan would change a file, the lock, a clone or a record of an adoption. */
export function wouldChange({ drafts, files, lock, repos, orphans }: Plan): boolean {
  const moves = repos.some(({ action }) => action !== "kept") || orphans.prunes.length > 0;
  return drafts.length > 0 || lock.changed || moves || files.some(({ step }) => step === "record");
}

async function gather(
  ctx: Context,
  request: RunRequest,
  { open, keepRefs }: { open: () => Sources; keepRefs: boolean },
): Promise<Gathering> {
  const root = rootOf(ctx);
  const sources = open();
  const { base, protocols } = sources;
  const inputs = await readInputs(root, { base, protocols });
  if (inputs.applied.corrupt) await setAside(ctx, root, keepRefs);
  return { ctx, root, inputs, request, sources, keepRefs };
}

async function setAside(ctx: Context, root: string, observing: boolean): Promise<void> {
  if (!observing) await setAsideApplied(root, ctx.act);
  ctx.warn({
    code: "W_STATE_REBUILT",
    message:
      "The record of what was composed could not be read; files that differ from their source are kept.",
    remediation: "Settle what is reported as a conflict with --theirs, --ours or --merge.",
  });
}

/** Changed inputs start a run again; a third time means that somebody else is at work on them. */
const attempts = 3;

async function compose(
  ctx: Context,
  request: RunRequest,
  { open, ports }: { open: () => Sources; ports: RunPorts },
): Promise<RunData> {
  for (let attempt = 1; attempt <= attempts; attempt++) {
    ctx.emit({ phase: "read" });
    const gathering = await gather(ctx, request, { open, keepRefs: false });
    const { root, inputs } = gathering;
    if (await isUpToDate(gathering)) return quietAnswer(root, inputs, request);
    const plan = await planRun(gathering);
    await ports.fault("e");
    const applied = await applyPlan(plan, {
      fault: ports.fault,
      answer: (outcome) => answerOf(plan, outcome),
    });
    if (applied.state === "inputs_changed") continue;
    ctx.emit({ phase: "done" });
    const data = applied.state === "done" ? (applied.data as RunData) : answerOf(plan);
    return { ...data, ...(await workspaceRepo(gathering, plan)), changed: applied.state === "done" };
  }
  throw fail("E_INPUT_CHANGED", {
    message: "workspace.yml or the lock kept changing during the run; nothing was changed.",
    cause: `They were changed by somebody else ${attempts} times.`,
    remediation: "Run the command again once nobody is editing them.",
  });
}

async function workspaceRepo(
  { ctx, root, sources, inputs }: Gathering,
  plan: Plan,
): Promise<Pick<RunData, "workspace_repo">> {
  if (!inputs.manifest.workspaceRepo.enabled) return {};
  const reason = await mayCommit(sources.git, root);
  if (reason) {
    ctx.warn({
      code: "W_NOT_COMMITTED",
      message: `The changed files were not committed: ${reason.replaceAll("_", " ")}.`,
      remediation: "Commit them yourself: git add workspace.yml workspace.lock.yml .gitignore && git commit",
    });
  }
  const stacks = plan.stacks.map(({ stack }) => stack);
  return {
    workspace_repo: await describeWorkspaceRepo(sources.git, root, {
      manifest: inputs.manifest,
      stacks,
      registry: plan.registry,
    }),
  };
}
