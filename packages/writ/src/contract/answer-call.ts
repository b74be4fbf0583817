import type { Call } from "./call.ts";
import { type Envelope, envelope } from "./envelope.ts";
import { cancelled, fail, toWritError, WritError } from "./errors.ts";
import type { Progressing } from "./execution.ts";
import type { Deadline, Ports } from "./ports.ts";

/** The call as another process makes it: our deadline cancels it, so it needs none of its own. */
export function ownTime(call: Call, deadline: Deadline): Call {
  const { deadlineMs: _, admission: __, ...rest } = call;
  return { ...rest, signal: deadline.signal };
}

/** What another process answered, as if it had been found here. */
export function unwrap(answer: Envelope, so: Progressing): Record<string, unknown> {
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
export function ended(thrown: unknown, deadline: Deadline): WritError {
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

/** The answer of a call that failed. */
export async function failed(ports: Ports, so: Progressing, error: WritError): Promise<Envelope> {
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

type Placed = Record<string, unknown> & { workspace?: { root: string; source: string } };
const held = new WeakMap<object, Placed>();

/** Data, with the workspace it is about. What is held for everyone is so as one object, of which its bytes are made once. */
export function placed({ workspace }: Progressing, data: Record<string, unknown>): Record<string, unknown> {
  if (!workspace) return data;
  const { root, source } = workspace;
  const known = held.get(data);
  if (known?.workspace?.root === root && known.workspace.source === source) return known;
  const made: Placed = { workspace: { root, source }, ...data };
  if (Object.isFrozen(data)) held.set(data, Object.freeze(made));
  return made;
}
