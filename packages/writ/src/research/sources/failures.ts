import { fail, WritError } from "../../contract/index.ts";
import { counted, rateLimited, refusedWith, timedOut } from "../../platform/index.ts";
import type { Access } from "./access.ts";
import { fields, list, number, text } from "./json.ts";
import type { Headers } from "./port.ts";

/** An answer that is no success. */
export interface Refusal {
  status: number;
  headers: Headers;
  /** The source's own words, without secrets. */
  message: string;
}

/** What a failing request was. */
export interface Asked {
  access: Access;
  /** As it may be shown. */
  url: string;
  attempts: number;
}

/** What a refusal is called. The word and the category are the platform's; what helps is the source's. */
export function refusalFailure(asked: Asked, refusal: Refusal): WritError {
  const { access, attempts } = asked;
  const { status, message } = refusal;
  const service = access.source.name;
  if (isRateLimit(refusal)) return limited(asked, refusal);
  if (status === 504) return late(asked, timedOut(service, "HTTP 504", attempts), 504);
  const base = refusedWith(service, status, attempts);
  if (status === 401 || status === 403) return refine(asked, base, { status, ...unknownKey(access) });
  if (status >= 500) return refine(asked, base, { status });
  return refine(asked, base, {
    status,
    message: message === "" ? base.failure.message : `${service} answered: ${message}`,
    remediation: "Change what is asked for, and run the command again.",
  });
}

/** 429, or 403 that speaks of a limit. */
export function isRateLimit({ status, headers, message }: Refusal): boolean {
  if (status === 429) return true;
  if (status !== 403) return false;
  return (
    headers["retry-after"] !== undefined ||
    headers["x-ratelimit-remaining"] === "0" ||
    /rate.?limit|too many requests|quota/i.test(message)
  );
}

/** Whether the headers say that nothing is left to spend. */
export function isSpent(headers: Headers): boolean {
  return [headers["x-ratelimit-remaining"], headers["x-ratelimit-remaining-usd"]].some(
    (left) => number(left) === 0,
  );
}

function limited(asked: Asked, { status, headers }: Refusal): WritError {
  const { access, attempts } = asked;
  const seconds = number(headers["retry-after"]) ?? number(headers["x-ratelimit-reset"]);
  const wait = seconds === undefined ? "Wait a minute" : `Wait ${seconds} s`;
  const key = access.keyUsed
    ? ""
    : ` ${access.source.credential.name} was not used: ${access.source.credential.about}.`;
  return refine(asked, rateLimited(access.source.name, attempts, seconds), {
    status,
    cause: `HTTP ${status} after ${counted(attempts, "attempt")}.`,
    remediation: `${wait}, then run the same command again; lower limits ask for less.${key}`,
  });
}

/** No answer in time: the same would be late again. */
export function late(asked: Asked, error: WritError, status?: number): WritError {
  return refine(asked, error, {
    cause: withAttempts(error.failure.cause, asked.attempts),
    ...(status !== undefined && { status }),
    remediation: "Ask for less: narrow the query, or lower --max-results or --max-citing.",
  });
}

/** One request is one attempt to the platform; here it may be the last of three. */
function withAttempts(cause: string, attempts: number): string {
  return cause.replace(/\b1 attempt\b/, counted(attempts, "attempt"));
}

/** A connection that broke, or an answer that ended early. */
export function broken(asked: Asked, error: WritError): WritError {
  return refine(asked, error, {
    cause: withAttempts(error.failure.cause, asked.attempts),
    remediation: "Run the same command again later; what has arrived is kept.",
  });
}

/** An answer that is not what the source writes. */
export function unreadable(asked: Asked): WritError {
  const { access, attempts } = asked;
  const error = fail("NETWORK_ERROR", {
    retryable: true,
    message: `${access.source.name} gave an answer that cannot be read.`,
    cause: `It was cut off, or is not JSON, after ${counted(attempts, "attempt")}.`,
    remediation: "Run the same command again later; what has arrived is kept.",
  });
  return refine(asked, error, {});
}

function unknownKey({ source, keyUsed }: Access): { message: string; remediation: string } {
  const { name } = source.credential;
  return keyUsed
    ? {
        message: `${source.name} refused ${name}.`,
        remediation: `Set the right one: writ key set ${name}`,
      }
    : {
        message: `${source.name} wants to know who asks: ${name} is missing.`,
        remediation: `Set it: writ key set ${name}`,
      };
}

function refine(
  { access, url, attempts }: Asked,
  error: WritError,
  more: { status?: number; message?: string; cause?: string; remediation?: string },
): WritError {
  const { status, ...words } = more;
  return new WritError(error.code, {
    ...error.failure,
    ...words,
    details: {
      ...error.failure.details,
      source: access.source.id,
      ...(status !== undefined && { status }),
      attempts,
      url,
    },
  });
}

/** What a source says of a refusal, whatever its form, without secrets and at most 300 characters. */
export function messageOf(body: Buffer, secrets: readonly string[]): string {
  const raw = body.subarray(0, 16 * 1024).toString("utf8");
  let said: string | null;
  try {
    said = messageIn(JSON.parse(raw));
  } catch {
    said = /^\s*</.test(raw) ? null : raw;
  }
  const clean = withoutSecrets(said ?? "", secrets).replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, " ");
  return clean.trim().slice(0, 300);
}

function messageIn(json: unknown): string | null {
  const answer = fields(json);
  const first = fields(list(answer.message)[0]);
  return (
    text(answer.message) ?? text(first.message) ?? text(fields(answer.error).message) ?? text(answer.error)
  );
}

/** A text in which no secret occurs, neither as it is nor as an address holds it. */
function withoutSecrets(said: string, secrets: readonly string[]): string {
  const forms = secrets.flatMap((one) => [one, encodeURIComponent(one)]);
  return forms.reduce((rest, form) => rest.replaceAll(form, "[removed]"), said);
}
