import type { Admission } from "./admission.ts";
import type { Surface } from "./capability.ts";
import type { Envelope } from "./envelope.ts";
import type { Progress } from "./context.ts";

/** Where to look for the workspace: flag, then environment, then walking up from the folder. */
export interface Where {
  flag?: string;
  env?: string;
  cwd?: string;
}

/** One call of a capability, as a surface hands it to the executor. */
export interface Call {
  capability: string;
  surface: Surface;
  /** Not yet parsed: the executor validates it against the capability's schema. */
  input: Record<string, unknown>;
  where: Where;
  /** The caller's folder: relative paths in the input are resolved against it. */
  base: string;
  /** What the caller shows: a token, or being at this machine's terminal. */
  credential: { token?: string; terminal?: true };
  /** The caller came over a network, or through a proxy that others reach. */
  remote?: boolean;
  /** What `authenticate` answered for this very call; without it the executor admits the caller itself. */
  admission?: Admission;
  dryRun?: boolean;
  idempotencyKey?: string;
  deadlineMs?: number;
  /** The caller's own step that this call is a part of: a `traceparent` of W3C Trace Context. */
  traceparent?: string;
  signal: AbortSignal;
  emit?: (event: Progress | Record<string, unknown>) => void;
  ask?: (question: string, choices?: readonly string[]) => Promise<string>;
  /** The caller's standard input, where its surface has one. */
  stdin?: () => AsyncIterable<Uint8Array>;
}

/**
 * Runs one call and answers with its envelope; never throws. The one door to every capability.
 */
export type Execute = (call: Call) => Promise<Envelope>;

/** What `signal.reason` holds when a signal of the operating system ended the call. */
export interface Interrupted {
  exitCode: 130 | 143;
}

/**
 * Checks a credential before a body is read. Throws E_AUTH_REQUIRED; answers who it is, and the proof for a call
 * that follows at once.
 */
export type Authenticate = (
  credential: Call["credential"],
  where: Where,
) => Promise<{ actor: string; role: string; admission?: Admission }>;
