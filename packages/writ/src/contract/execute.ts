import { type Admitted, redeem } from "./admission.ts";
import type { Call, Execute } from "./call.ts";
import type { Capability, Need } from "./capability.ts";
import type { Caller, Context, Workspace } from "./context.ts";
import { createContext, type Act } from "./create-context.ts";
import { type Envelope, envelope } from "./envelope.ts";
import { cancelled, fail, toWritError, WritError } from "./errors.ts";
import type { Grant } from "./grant.ts";
import { parseInput } from "./parse-input.ts";
import type { Deadline, Ports, Session, Span } from "./ports.ts";
import { type Command, toolName } from "./registry.ts";
import { nearest } from "./suggest.ts";
import type { Warning } from "./warnings.ts";

/** What one execution has learnt so far; the answer is made from it, also after a failure. */
interface Progressing {
  command: string;
  workspace?: Workspace;
  session?: Session;
  warnings: Warning[];
  span?: Span | undefined;
  /** True inside an act that has begun: it may finish what it needs, also after it was asked to stop. */
  inside?: true;
}

/**
 * Makes the one executor: parse, locate, admit, allow, replay, run, answer. Every surface, every agent and
 * every `invoke` passes through it, in this order, and gets an envelope also for every failure.
 */
export function createExecutor(ports: Ports): Execute {
  const execute = async (call: Call): Promise<Envelope> => {
    const so: Progressing = { command: call.capability.replaceAll(".", " "), warnings: [] };
    so.span = spanOf(ports, call);
    const deadline = ports.deadline(call.signal, call.deadlineMs);
    try {
      const data = await perform(ports, { call, deadline, so });
      return told(so, envelope(so.command, { data: placed(so, data), warnings: so.warnings }));
    } catch (thrown) {
      return told(so, await failed(ports, so, ended(thrown, deadline)));
    } finally {
      deadline.stop();
    }
  };
  return execute;
}

/** A name that no command has is input like any other, and is not told. */
function spanOf(ports: Ports, { capability, surface }: Call): Span | undefined {
  const id = ports.commands.find(capability)?.id ?? "unknown";
  return ports.span?.(id, { "writ.capability": id, "writ.surface": surface });
}

function told(so: Progressing, answer: Envelope): Envelope {
  const { exit_code: exitCode, error } = answer;
  so.span?.end({ exitCode, ...(error && { errorCode: error.code }) });
  return answer;
}

async function perform(
  ports: Ports,
  { call, deadline, so }: { call: Call; deadline: Deadline; so: Progressing },
): Promise<Record<string, unknown>> {
  const command = findCommand(ports, call);
  so.command = command.path.join(" ");
  const capability = await ports.commands.load(command.id);
  const { input, dryRun } = readCall(command, capability, call);
  const need = needOf(command, { narrowed: capability.narrow?.(input), dryRun });

  const admitted = redeem(call);
  so.workspace = await locate(ports, { call, need, so, admitted });
  so.session = so.workspace && ports.session(so.workspace.root);
  const caller = admitted?.caller ?? (await ports.admit(call, so.session ?? (await homeOf(ports, call))));
  const grant = await allow(ports, {
    command,
    need,
    input,
    caller,
    session: so.session,
    mutates: command.mutates && !dryRun,
  });

  const replay = keyOf(ports, { call, command, input, dryRun });
  const kept = replay && (await findReplay(so, { caller, replay, command }));
  if (kept) return kept;
  if (ports.offload && command.heavy && call.surface !== "cli")
    return unwrap(await ports.offload(ownTime(call, deadline)), so);

  const act = beginAct(ports, { call, command, capability, grant, dryRun, signal: deadline.signal });
  const { ctx, committed } = createContext(ports, { act, state: so, ...(replay && { replay }), invoke });
  if (need.effect === "external" && so.session) {
    await so.session.started({ act: act.id, capability: command.id, caller });
  }
  // A call that was given up while it waited for the steps above never begins.
  if (deadline.fired() && !so.inside) throw new TypeError("the call has ended");
  const answer = await runGranted(grant, { capability, ctx, input });
  const mutates = command.mutates ? { changed: answer.changed ?? committed(), dry_run: dryRun } : {};
  return { ...mutates, ...answer };

  async function invoke(id: string, given: Record<string, unknown>): Promise<Record<string, unknown>> {
    const inner: Call = { ...call, capability: id, input: given };
    delete inner.idempotencyKey;
    delete inner.admission;
    // Inside an act the workspace is the act's own, also when the act has just made it.
    if (so.workspace) inner.where = { flag: so.workspace.root };
    inner.dryRun = dryRun && ports.commands.find(id)?.mutates === true;
    return perform(ports, {
      call: inner,
      deadline,
      so: { command: id, warnings: so.warnings, span: so.span, inside: true },
    });
  }
}

/** An act has its id before it starts; an observation is given one when it asks, which costs as much as a small one. */
function beginAct(ports: Ports, of: Omit<Act, "id">): Act {
  let id = of.command.mutates ? ports.ids.next("act") : undefined;
  return {
    ...of,
    get id() {
      id ??= ports.ids.next("act");
      return id;
    },
  };
}

/** The only place where a capability runs. */
function runGranted(
  grant: Grant,
  { capability, ctx, input }: { capability: Capability; ctx: Context; input: Record<string, unknown> },
) {
  if (!grant) throw new TypeError("a capability runs only with a grant");
  return capability.run(ctx, input);
}

function findCommand(ports: Ports, call: Call): Command {
  const command = ports.commands.find(call.capability);
  if (command && (call.surface === "agent" || command.on.includes(call.surface))) return command;
  const offered = ports.commands.rows.filter((row) => row.on.includes(call.surface));
  const near = nearest(
    call.capability,
    offered.map((row) => row.id),
  );
  throw fail("USAGE_ERROR", {
    message: `There is no capability "${call.capability.slice(0, 80)}" here.`,
    cause: near
      ? `The nearest is ${near} (${toolName(offered.find((row) => row.id === near) ?? { path: [near] })}).`
      : "None is near it.",
    remediation: "See what there is: writ schema",
    details: { unknown: call.capability.slice(0, 80), ...(near && { nearest: near }) },
  });
}

function readCall(command: Command, capability: Capability, call: Call) {
  const { dry_run: asked, ...given } = call.input;
  if (asked !== undefined && typeof asked !== "boolean") {
    throw fail("USAGE_ERROR", {
      message: "dry_run is true or false.",
      cause: `It was given as ${typeof asked}.`,
      remediation: "Give dry_run: true, or leave it out.",
    });
  }
  const dryRun = call.dryRun === true || asked === true;
  if (dryRun && !command.mutates) {
    throw fail("USAGE_ERROR", {
      message: `${command.path.join(" ")} has no dry run.`,
      cause: "It only observes; there is nothing it would change.",
      remediation: `Call it without --dry-run: writ ${command.path.join(" ")}`,
    });
  }
  return { input: parseInput(command, capability, given), dryRun };
}

const effectRank = { observe: 0, local: 1, external: 2 } as const;

/** What this call needs. What is declared is the ceiling: narrowing past it is a defect, and nothing runs. */
function needOf(
  command: Command,
  { narrowed, dryRun }: { narrowed: Partial<Need> | undefined; dryRun: boolean },
): Need {
  const need: Need = { ...command.need, ...narrowed };
  const raises = effectRank[need.effect] > effectRank[command.need.effect];
  if (raises || (need.network === "may" && command.need.network === "never")) {
    throw new TypeError(`${command.id} narrowed its need to more than it declares`);
  }
  return dryRun ? { ...need, effect: "observe" } : need;
}

async function locate(
  ports: Ports,
  { call, need, so, admitted }: { call: Call; need: Need; so: Progressing; admitted: Admitted | undefined },
): Promise<Workspace | undefined> {
  if (need.workspace === "none" || need.workspace === "creates") return undefined;
  const workspace = admitted?.workspace ?? (await ports.locate(call.where, call.base));
  if (workspace?.source === "cwd" && workspace.root !== call.base) {
    so.warnings.push({
      code: "W_WORKSPACE_WALKUP",
      message: `The workspace is ${workspace.root}, found by walking up from the current folder.`,
      remediation: "Pin it with --workspace DIR or WRIT_WORKSPACE.",
    });
  }
  if (workspace || need.workspace === "optional") return workspace;
  throw fail("E_NO_WORKSPACE", {
    message: "There is no workspace here.",
    cause: "No workspace.yml stands in the folder or above it.",
    remediation: "Make one with writ init NAME, or name one with --workspace DIR.",
    details: { searched_from: call.where.flag ?? call.where.env ?? call.where.cwd ?? call.base },
  });
}

/** Where a token is looked up for a call that itself needs no workspace. */
async function homeOf(ports: Ports, call: Call): Promise<Session | undefined> {
  if (call.credential.token === undefined) return undefined;
  const home = await ports.locate(call.where, call.base);
  return home && ports.session(home.root);
}

async function allow(
  ports: Ports,
  of: {
    command: Command;
    need: Need;
    input: Record<string, unknown>;
    caller: Caller;
    session: Session | undefined;
    mutates: boolean;
  },
): Promise<Grant> {
  try {
    return ports.allow(of.caller, of.command, of);
  } catch (refusal) {
    const { session, caller, command } = of;
    // A refused attempt to change something is itself a fact; failing to note it must not hide the refusal.
    if (of.mutates && session && refusal instanceof WritError) {
      await session
        .denied({ act: ports.ids.next("act"), capability: command.id, caller }, refusal.code)
        .catch(() => {});
    }
    throw refusal;
  }
}

function keyOf(
  ports: Ports,
  of: { call: Call; command: Command; input: Record<string, unknown>; dryRun: boolean },
) {
  const key = of.call.idempotencyKey;
  if (key === undefined || !of.command.mutates || of.dryRun) return undefined;
  if (key.length === 0 || key.length > 200) {
    throw fail("E_LIMIT", {
      message: "An idempotency key has 1 to 200 characters.",
      cause: `This one has ${key.length}.`,
      remediation: "Use a UUID.",
      details: { limit: 200, found: key.length },
    });
  }
  return { key, inputHash: ports.hash(of.input), secrets: of.command.secrets };
}

async function findReplay(
  so: Progressing,
  of: {
    caller: Caller;
    command: Command;
    replay: { key: string; inputHash: string; secrets: readonly string[] };
  },
): Promise<Record<string, unknown> | undefined> {
  const kept = await so.session?.findReplay(of.caller, of.replay.key);
  if (!kept) return undefined;
  if (kept.capability !== of.command.id || kept.inputHash !== of.replay.inputHash) {
    throw fail("E_CONFLICTING_INPUT", {
      message: "This idempotency key was used for another call.",
      cause: `It belongs to ${kept.capability} with other input.`,
      remediation: "Use a new key for a new call.",
      details: { capability: kept.capability },
    });
  }
  const lost =
    of.replay.secrets.length > 0 ? ` ${of.replay.secrets.join(", ")} was shown once and is not stored.` : "";
  so.warnings.push({
    code: "W_REPLAYED",
    message: `This call was made before; its answer is repeated.${lost}`,
  });
  return { ...kept.data };
}

/** The call as another process makes it: our deadline cancels it, so it needs none of its own. */
function ownTime(call: Call, deadline: Deadline): Call {
  const { deadlineMs: _, admission: __, ...rest } = call;
  return { ...rest, signal: deadline.signal };
}

function unwrap(answer: Envelope, so: Progressing): Record<string, unknown> {
  so.warnings.push(...answer.warnings.filter((one) => one.code !== "W_WORKSPACE_WALKUP"));
  const { workspace: _, ...data } = answer.data;
  if (!answer.error) return data;
  const { code, ...error } = answer.error;
  throw fail(code, {
    ...error,
    ...(error.retry_after_seconds !== undefined && { retryAfterSeconds: error.retry_after_seconds }),
    data,
  });
}

/** What was thrown, read in the light of why the call ended: cancelled, out of time, or neither. */
function ended(thrown: unknown, deadline: Deadline): WritError {
  const fired = deadline.fired();
  if (!fired || (thrown instanceof WritError && thrown.code !== "INTERNAL_ERROR")) return toWritError(thrown);
  if (fired.kind === "deadline") {
    return fail("E_DEADLINE", {
      message: "The call ran out of its time.",
      cause: "Its deadline passed before it was done; nothing was committed.",
      remediation: "Call it again, with more time.",
      from: thrown,
    });
  }
  return cancelled({ from: thrown, ...(fired.exitCode !== undefined && { exitCode: fired.exitCode }) });
}

async function failed(ports: Ports, so: Progressing, error: WritError): Promise<Envelope> {
  const object = error.toObject();
  if (error.code === "INTERNAL_ERROR") {
    const file = await ports.trace(error.failure.from ?? error, so.workspace?.root).catch(() => undefined);
    if (file) object.details = { ...object.details, trace: file };
  }
  return envelope(so.command, {
    data: placed(so, error.failure.data ?? {}),
    warnings: so.warnings,
    error: object,
  });
}

function placed(so: Progressing, data: Record<string, unknown>): Record<string, unknown> {
  const { workspace } = so;
  return workspace ? { workspace: { root: workspace.root, source: workspace.source }, ...data } : data;
}
