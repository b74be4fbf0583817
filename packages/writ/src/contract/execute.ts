import { redeem } from "./admission.ts";
import { ended, failed, ownTime, placed, unwrap } from "./answer-call.ts";
import type { Call, Execute } from "./call.ts";
import type { Capability } from "./capability.ts";
import type { Context } from "./context.ts";
import { createContext, type Act } from "./create-context.ts";
import { type Envelope, envelope } from "./envelope.ts";
import type { Progressing } from "./execution.ts";
import { findCommand, needOf, readCall } from "./find-command.ts";
import type { Grant } from "./grant.ts";
import { createHeldAnswers, type HeldAnswers } from "./held-answers.ts";
import { allow, homeOf, locate } from "./place-call.ts";
import type { Deadline, Ports, Span } from "./ports.ts";
import { findReplay, keepAnswer, keyOf } from "./replays.ts";

/**
 * Makes the one executor: parse, locate, admit, allow, replay, run, answer. Every surface, every agent and
 * every `invoke` passes through it, in this order, and gets an envelope also for every failure.
 */
export function createExecutor(ports: Ports): Execute {
  const held = createHeldAnswers();
  const execute = async (call: Call): Promise<Envelope> => {
    const so: Progressing = {
      command: call.capability.replaceAll(".", " "),
      warnings: [],
      span: ports.span && spanOf(ports, call),
    };
    const deadline = ports.deadline(call.signal, call.deadlineMs);
    try {
      const data = await perform(ports, { call, deadline, so, held });
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
function spanOf(ports: Ports, { capability, surface, traceparent }: Call): Span | undefined {
  const id = ports.commands.find(capability)?.id ?? "unknown";
  return ports.span?.(id, { "writ.capability": id, "writ.surface": surface }, traceparent);
}

function told(so: Progressing, answer: Envelope): Envelope {
  const { exit_code: exitCode, error } = answer;
  so.span?.end({ exitCode, ...(error && { errorCode: error.code }) });
  return answer;
}

interface Performing {
  call: Call;
  deadline: Deadline;
  so: Progressing;
  held: HeldAnswers;
}

async function perform(ports: Ports, of: Performing): Promise<Record<string, unknown>> {
  const { call, deadline, so, held } = of;
  const command = findCommand(ports, call);
  so.command = command.path.join(" ");
  const capability = await ports.commands.load(command.id);
  const { input, dryRun } = await readCall(command, capability, call);
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
    remote: call.remote === true,
  });

  const replay = keyOf(ports, { call, command, input, dryRun });
  const kept = replay && (await findReplay(so, { caller, replay, command }));
  if (kept) return kept;
  if (ports.offload && command.heavy && call.surface !== "cli")
    return unwrap(await ports.offload(ownTime(call, deadline)), so);

  return await held({ capability, input, session: so.session }, async () => {
    const act = beginAct(ports, { call, command, capability, grant, dryRun, signal: deadline.signal });
    const { ctx, committed } = createContext(ports, { act, state: so, ...(replay && { replay }), invoke });
    if (need.effect === "external" && so.session) {
      await so.session.started({ act: act.id, capability: command.id, caller });
    }
    // A call that was given up while it waited for the steps above never begins.
    if (deadline.fired() && !so.inside) throw new TypeError("the call has ended");
    const answer = await runGranted(grant, { capability, ctx, input });
    const mutates = command.mutates ? { changed: answer.changed ?? committed(), dry_run: dryRun } : {};
    const data = { ...mutates, ...answer };
    if (replay && committed()) await keepAnswer(so, { act, replay }, data);
    return data;
  });

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
      held,
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
