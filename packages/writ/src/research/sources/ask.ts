import { WritError } from "../../contract/index.ts";
import { type HttpAnswer, request } from "../../platform/index.ts";
import { limits } from "../model.ts";
import type { Access } from "./access.ts";
import { addressOf } from "./address.ts";
import {
  type Asked,
  broken,
  isRateLimit,
  isSpent,
  late,
  messageOf,
  type Refusal,
  refusalFailure,
  unreadable,
} from "./failures.ts";
import type { Headers, PlannedRequest } from "./port.ts";

/** One attempt, for the record. */
export interface Attempt {
  attempt: number;
  /** Null when there was no answer. */
  status: number | null;
  ms: number;
  bytes: number;
  headers: Headers;
}

/** An answer as it came; status 404 is one where a single work is asked for by name. */
export interface Received {
  status: number;
  headers: Headers;
  body: unknown;
}

interface AskOptions {
  signal: AbortSignal;
  now(): number;
  /** A pause that ends early, by throwing, when the signal fires. */
  pause(ms: number): Promise<void>;
  /** Before the request is sent, each time. */
  before(): Promise<void>;
  /** From 0 to 1. */
  chance(): number;
  attempted(attempt: Attempt): void;
  /** Throws what is no answer of this source. */
  check(received: Received): void;
}

const attempts = 3;
const inAllMs = 120_000;
const redirects = 5;
const statuses = Array.from({ length: 300 }, (_, at) => 300 + at);

type Outcome =
  | { received: Received }
  | { failure: WritError; again: "never" | "once" | "yes"; afterMs?: number };

/**
 * Asks a source, three times at most. Fails with NETWORK_ERROR, whose subcode says whether waiting helps,
 * with E_LIMIT for an answer beyond its bound, or as the signal says.
 */
export async function ask(access: Access, planned: PlannedRequest, options: AskOptions): Promise<Received> {
  let timeouts = 0;
  for (let attempt = 1; ; attempt++) {
    await options.before();
    const outcome = await once(access, planned, { ...options, attempt });
    if ("received" in outcome) return outcome.received;
    if (outcome.again === "once") timeouts += 1;
    if (attempt === attempts || outcome.again === "never" || timeouts === 2) throw outcome.failure;
    // A fifth more or less, so that many who failed together do not come back together.
    const backoff = access.backoffMs * attempt * (0.8 + 0.4 * options.chance());
    await options.pause(outcome.afterMs ?? backoff);
  }
}

async function once(
  access: Access,
  planned: PlannedRequest,
  options: AskOptions & { attempt: number },
): Promise<Outcome> {
  const { attempt, now } = options;
  const asked: Asked = { access, url: addressOf(access.base, planned), attempts: attempt };
  const began = now();
  const record = (status: number | null, bytes: number, headers: Headers = {}) =>
    options.attempted({ attempt, status, ms: now() - began, bytes, headers });
  let answer: HttpAnswer;
  try {
    answer = await send(access, planned, options.signal);
  } catch (error) {
    record(null, 0);
    return unanswered(asked, error, options.signal);
  }
  const headers = headersOf(answer, access);
  record(answer.status, answer.body.length, headers);
  if (answer.status === 404 && planned.price === "single")
    return { received: { status: 404, headers, body: null } };
  if (answer.status !== 200) {
    const message = messageOf(answer.body, access.secrets);
    return refused(asked, { status: answer.status, headers, message }, now());
  }
  try {
    const received = { status: 200, headers, body: JSON.parse(answer.body.toString("utf8")) as unknown };
    options.check(received);
    return { received };
  } catch {
    return { failure: unreadable(asked), again: "yes" };
  }
}

/** Sends it, and follows a redirect as long as it stays with the same service. */
async function send(access: Access, planned: PlannedRequest, signal: AbortSignal): Promise<HttpAnswer> {
  const { base, source, headers, contact } = access;
  let url = addressOf(base, { ...planned, query: { ...planned.query, ...contact } });
  for (let hop = 0; ; hop++) {
    const answer = await request({
      url,
      method: planned.method,
      headers: { ...headers, ...(planned.body !== undefined && { "content-type": "application/json" }) },
      ...(planned.body !== undefined && { body: planned.body }),
      service: source.name,
      login: `writ key set ${source.credential.name}`,
      timeoutMs: inAllMs,
      idleMs: access.idleMs,
      maxBytes: limits.responseBytes,
      retryAfterMs: [],
      redirect: "manual",
      accept: statuses,
      signal,
    });
    const location = answer.status < 400 ? answer.headers.get("location") : null;
    const next = location !== null && URL.canParse(location, url) ? new URL(location, url) : undefined;
    // Elsewhere the credential would be given away.
    if (!next || next.origin !== new URL(base).origin || hop === redirects) return answer;
    url = next.href;
  }
}

function headersOf({ headers }: HttpAnswer, { source }: Access): Headers {
  const kept = [...source.headers, "retry-after"];
  return Object.fromEntries(
    kept.flatMap((name) => {
      const value = headers.get(name);
      return value === null ? [] : [[name, value.slice(0, 200)]];
    }),
  );
}

function unanswered(asked: Asked, error: unknown, signal: AbortSignal): Outcome {
  if (!(error instanceof WritError) || error.code !== "NETWORK_ERROR" || signal.aborted) throw error;
  if (error.failure.subcode === "UPSTREAM_TIMEOUT") return { failure: late(asked, error), again: "once" };
  return { failure: broken(asked, error), again: "yes" };
}

const passing = new Set([429, 500, 502, 503, 504]);

function refused(asked: Asked, refusal: Refusal, now: number): Outcome {
  const seconds = secondsOf(refusal.headers["retry-after"], now);
  const told =
    seconds === undefined ? refusal.headers : { ...refusal.headers, "retry-after": String(seconds) };
  const failure = refusalFailure(asked, { ...refusal, headers: told });
  if (!passing.has(refusal.status)) return { failure, again: "never" };
  if (isRateLimit(refusal) && isSpent(refusal.headers)) return { failure, again: "never" };
  if (seconds === undefined) return { failure, again: "yes" };
  return seconds * 1000 > asked.access.maxWaitMs
    ? { failure, again: "never" }
    : { failure, again: "yes", afterMs: seconds * 1000 };
}

/** Seconds, or a date, as seconds from now. */
function secondsOf(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header);
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now) / 1000));
}
