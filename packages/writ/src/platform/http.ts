import { setTimeout as pause } from "node:timers/promises";
import { fail, WritError } from "../contract/index.ts";
import {
  authRequired,
  isLate,
  rateLimited,
  refusedWith,
  timedOut,
  tooLong,
  unreachable,
} from "./http-failures.ts";

/** One request to another machine. */
export interface HttpRequest {
  url: string;
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** Who is asked, in the user's words: "OpenAlex". */
  service: string;
  /** The command that gives the missing authority: "writ key set OPENALEX_API_KEY". */
  login: string;
  /** For all attempts together. Default 30 s. */
  timeoutMs?: number;
  /** Longest time without a byte in one attempt, its beginning included. Default: only timeoutMs bounds it. */
  idleMs?: number;
  /** "manual" makes a redirect an answer like any other, where `accept` names its status. */
  redirect?: "follow" | "manual";
  /** Default 8 MiB. */
  maxBytes?: number;
  /** Pauses before the second, third … attempt. Default 1 s, 3 s; only for GET, unless given. */
  retryAfterMs?: readonly number[];
  /** Statuses beside 2xx that are an answer and no failure. */
  accept?: readonly number[];
  signal?: AbortSignal;
}

/** The answer of another machine, read whole. */
export interface HttpAnswer {
  status: number;
  headers: Headers;
  body: Buffer;
}

type Attempt = { answer: HttpAnswer } | { failure: WritError; again: boolean; afterMs?: number };

/**
 * Asks another machine and reads its answer within bounds.
 *
 * Fails with NETWORK_ERROR (429 RATE_LIMITED; 504 or no time left UPSTREAM_TIMEOUT, never tried again),
 * E_AUTH_REQUIRED (401, 403), E_LIMIT, or E_CANCELLED. No error holds the URL: it may carry a key.
 */
export async function request(ask: HttpRequest): Promise<HttpAnswer> {
  const { timeoutMs = 30_000, method = "GET" } = ask;
  const pauses = ask.retryAfterMs ?? (method === "GET" ? [1000, 3000] : []);
  const endsAt = performance.now() + timeoutMs;
  const deadline = AbortSignal.timeout(timeoutMs);
  const signal = ask.signal ? AbortSignal.any([ask.signal, deadline]) : deadline;
  for (let attempt = 1; ; attempt++) {
    const result = await once({ ...ask, signal }, attempt).catch((error: unknown) => {
      throw ended(error, { ask, deadline, attempt });
    });
    if ("answer" in result) return result.answer;
    const afterMs = Math.max(pauses[attempt - 1] ?? 0, result.afterMs ?? 0);
    if (!result.again || attempt > pauses.length || performance.now() + afterMs >= endsAt)
      throw result.failure;
    await pause(afterMs, undefined, { signal }).catch((error: unknown) => {
      throw ended(error, { ask, deadline, attempt });
    });
  }
}

async function once(ask: HttpRequest, attempt: number): Promise<Attempt> {
  const idle = idleWatch(ask.idleMs, ask.signal);
  try {
    return await answerOf({ ...ask, signal: idle.signal }, { attempt, moved: idle.moved });
  } catch (error) {
    if (!idle.late()) throw error;
    return {
      failure: timedOut(ask.service, `No byte for ${(ask.idleMs ?? 0) / 1000} s`, attempt),
      again: false,
    };
  } finally {
    idle.stop();
  }
}

/** Ends an attempt that brings no byte for too long. */
function idleWatch(idleMs: number | undefined, signal: AbortSignal | undefined) {
  if (idleMs === undefined) return { signal, moved: () => {}, late: () => false, stop: () => {} };
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(), idleMs);
  return {
    signal: signal ? AbortSignal.any([signal, silence.signal]) : silence.signal,
    moved: () => void timer.refresh(),
    late: () => silence.signal.aborted && signal?.aborted !== true,
    stop: () => clearTimeout(timer),
  };
}

async function answerOf(
  ask: HttpRequest,
  { attempt, moved }: { attempt: number; moved: () => void },
): Promise<Attempt> {
  const { method = "GET", headers, body, signal, service, redirect } = ask;
  let response: Response;
  try {
    response = await fetch(ask.url, { method, headers, body: body as string | undefined, signal, redirect });
    moved();
  } catch (error) {
    if (signal?.aborted) throw error;
    if (isLate(error)) return { failure: timedOut(service, "No connection in time", attempt), again: false };
    return { failure: unreachable(service, attempt, error), again: true };
  }
  const { status } = response;
  if (!response.ok && !ask.accept?.includes(status)) {
    await response.body?.cancel();
    return refusal(ask, response, attempt);
  }
  try {
    return {
      answer: { status, headers: response.headers, body: await readBody(response, { ...ask, moved }) },
    };
  } catch (error) {
    if (signal?.aborted || error instanceof WritError) throw error;
    return { failure: unreachable(service, attempt, error), again: true };
  }
}

function refusal({ service, login }: HttpRequest, response: Response, attempt: number): Attempt {
  const { status } = response;
  if (status === 401 || status === 403)
    return { failure: authRequired(service, login, status), again: false };
  if (status === 504) return { failure: timedOut(service, "HTTP 504", attempt), again: false };
  if (status === 429) {
    const seconds = secondsOf(response.headers.get("retry-after"));
    const afterMs = seconds === undefined ? undefined : seconds * 1000;
    return { failure: rateLimited(service, attempt, seconds), again: true, afterMs };
  }
  return { failure: refusedWith(service, status, attempt), again: status >= 500 };
}

async function readBody(
  response: Response,
  { maxBytes = 8 * 1024 * 1024, service, moved }: HttpRequest & { moved: () => void },
): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let total = 0;
  for await (const part of response.body ?? []) {
    moved();
    total += part.length;
    // Leaving the loop cancels the stream, so what is too long is not read to its end.
    if (total > maxBytes) throw tooLong(service, maxBytes, total);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function secondsOf(header: string | null): number | undefined {
  if (header === null) return undefined;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header);
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - Date.now()) / 1000));
}

function ended(error: unknown, at: { ask: HttpRequest; deadline: AbortSignal; attempt: number }): unknown {
  const { ask, deadline, attempt } = at;
  if (error instanceof WritError) return error;
  if (ask.signal?.aborted) {
    if (ask.signal.reason instanceof WritError) return ask.signal.reason;
    return fail("E_CANCELLED", {
      message: `The request to ${ask.service} was given up.`,
      cause: "The caller cancelled it.",
      remediation: "Run the command again when you want it done.",
    });
  }
  if (deadline.aborted)
    return timedOut(ask.service, `No answer within ${(ask.timeoutMs ?? 30_000) / 1000} s`, attempt);
  return error;
}
