import { fail, type Context, WritError } from "../../contract/index.ts";
import { allowsLinks, storingUnder } from "../../platform/index.ts";
import { setAsideApplied } from "../swap/applied.ts";
import { requirePlainPlaces } from "../swap/disk-scan.ts";
import { noFault, type FaultPoint } from "../swap/faults.ts";
import type { Gathering } from "../gather/gathering.ts";
import { readInputs } from "../gather/inputs.ts";
import { inputSettings } from "../gather/read-declared.ts";
import { isUpToDate } from "./no-op.ts";
import { openSources, type Sources } from "../sources/open-sources.ts";
import type { Changeset } from "../changeset/changeset.ts";
import { rootOf, warnOfPending } from "./pending.ts";
import { quietAnswer } from "./quiet-answer.ts";
import { recover } from "../swap/recover.ts";
import type { RunRequest } from "../gather/request.ts";
import { requireRunPlaces, withRunLock } from "../swap/run-lock.ts";
import { isCommitted } from "../swap/journal.ts";
import { statePlaces, stateOf } from "../swap/state.ts";
import type { RunData } from "./run-schema.ts";

// Composing is a program of its own, which a run that finds everything as it was left does not load.
const longWay = () => import("./carry-out.ts");

export interface RunPorts {
  fault: FaultPoint;
  /** Whether links can be made in a folder of this machine. */
  allowsLinks?: (folder: string) => Promise<boolean>;
}

// Where Writ keeps or composes: none of these may lead elsewhere.
const ownPlaces = [".writ", ".writ/workspace", ...statePlaces, ".agents", ".stack", "workspace.lock.yml"];

/** Makes the workspace match workspace.yml and its lock, or says what that would take. */
export async function runWorkspace(
  ctx: Context,
  request: RunRequest,
  ports: RunPorts = { fault: noFault },
): Promise<RunData> {
  const root = rootOf(ctx);
  const open = opener(ctx, request);
  const running = storingUnder(root, async () => {
    await requirePlainPlaces(root, ownPlaces);
    if (ctx.dryRun) {
      await requireRunPlaces(root);
      return observe(ctx, request, open);
    }
    return locked(ctx, request, async () => {
      await ports.fault("a");
      await recover(ctx, root, { open, fault: ports.fault });
      await ports.fault("b");
      return compose(ctx, request, { open, ports });
    });
  });
  return running.catch(async (error: unknown) => {
    throw await lateFailure(error, ctx, open.fetched());
  });
}

/** A failure before the commit says what is in the cache by then, and that the workspace is as it was. */
async function lateFailure(error: unknown, ctx: Context, fetched: readonly string[]): Promise<unknown> {
  if (!(error instanceof WritError) || fetched.length === 0) return error;
  if (await isCommitted(rootOf(ctx), ctx.act)) return error;
  const { failure } = error;
  return new WritError(error.code, { ...failure, details: { changed: false, fetched, ...failure.details } });
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
    const { manifest } = await readInputs(root, inputSettings(open(), ctx.registered));
    const { undoLastRun } = await import("../swap/undo-run.ts");
    return undoLastRun(ctx, root, { name: manifest.name, request, open, ports });
  };
  return storingUnder(root, async () => {
    await requirePlainPlaces(root, ownPlaces);
    if (ctx.dryRun) {
      await requireRunPlaces(root);
      return undo();
    }
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

/** Opens the sources once, when they are needed; `fetched` is what remotes have given since. */
function opener(ctx: Context, { command, flags }: RunRequest): (() => Sources) & { fetched: () => string[] } {
  let opened: Sources | undefined;
  const onWait = (item: string) => ctx.emit({ phase: "wait", item });
  const open = () =>
    (opened ??= openSources({
      settings: ctx.settings,
      folder: ctx.folders.cache,
      signal: ctx.signal,
      command,
      flags,
      onWait,
    }));
  return Object.assign(open, { fetched: () => [...(opened?.fetched ?? [])] });
}

/** Plans without lock and staging; the cache may gain objects, its refs stay. */
async function observe(ctx: Context, request: RunRequest, open: () => Sources): Promise<RunData> {
  const gathering = await gather(ctx, request, { open, keepRefs: true });
  const { root, inputs } = gathering;
  await warnOfPending(ctx);
  if (await isUpToDate(gathering)) return quietAnswer(root, inputs, request);
  return (await longWay()).foresee(gathering);
}

/** The changeset of a run that somebody wants to look at. */
export async function changesetOnly(ctx: Context, request: RunRequest): Promise<Changeset> {
  const root = rootOf(ctx);
  return storingUnder(root, async () => {
    await requirePlainPlaces(root, ownPlaces);
    await warnOfPending(ctx);
    const { changesetOf } = await import("../changeset/changeset.ts");
    return changesetOf(await gather(ctx, request, { open: opener(ctx, request), keepRefs: true }));
  });
}

async function gather(
  ctx: Context,
  request: RunRequest,
  {
    open,
    keepRefs,
    linkable = allowsLinks,
  }: { open: () => Sources; keepRefs: boolean; linkable?: RunPorts["allowsLinks"] },
): Promise<Gathering> {
  const root = rootOf(ctx);
  const sources = open();
  const inputs = await readInputs(root, inputSettings(sources, ctx.registered));
  if (inputs.applied.corrupt) await setAside(ctx, root, keepRefs);
  const canLink = async (): Promise<boolean> => keepRefs || linkable(stateOf(root).folder);
  return { ctx, root, inputs, request, sources, keepRefs, allowsLinks: canLink };
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
    const gathering = await gather(ctx, request, { open, keepRefs: false, linkable: ports.allowsLinks });
    const { root, inputs } = gathering;
    if (await isUpToDate(gathering)) return quietAnswer(root, inputs, request);
    // Mostly git is needed, and may start while the program is loaded; a failure is told to whoever needs it.
    gathering.sources.git.version().catch(() => {});
    const { carryOut } = await longWay();
    const data = await carryOut(gathering, ports.fault);
    if (data) return data;
  }
  throw fail("E_INPUT_CHANGED", {
    message: "workspace.yml or the lock kept changing during the run; nothing was changed.",
    cause: `They were changed by somebody else ${attempts} times.`,
    remediation: "Run the command again once nobody is editing them.",
  });
}
