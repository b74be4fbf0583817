import { AdvisorFailure, type HttpReply } from "./adapter.ts";

/** Codes by which servers say that an account has nothing left, whatever the status. */
const exhausted = new Set([
  "insufficient_quota",
  "credit_balance_exhausted",
  "billing_error",
  "billing_hard_limit_reached",
  "enforced_spend_limit_reached",
]);

/** What a status that is no success means. The text of the server is never shown: it may hold anything. */
export function failureOf(reply: HttpReply, now: number): AdvisorFailure {
  const { status } = reply;
  const said = `HTTP ${status}`;
  if ([400, 403, 429].includes(status) && errorCodes(reply.text).some((code) => exhausted.has(code)))
    return new AdvisorFailure(
      "quota_exhausted",
      `${said}, the account has nothing left`,
      retryAfterOf(reply, now),
    );
  if (status === 401 || status === 403) return new AdvisorFailure("auth_failed", said);
  if (status === 402) return new AdvisorFailure("quota_exhausted", said, retryAfterOf(reply, now));
  if (status === 429) return new AdvisorFailure("rate_limited", said, retryAfterOf(reply, now));
  if (status === 408 || status === 504) return new AdvisorFailure("timeout", said);
  if (status === 404 || status >= 500) return new AdvisorFailure("unavailable", said);
  if (status >= 300 && status < 400)
    return new AdvisorFailure("error", `${said}, a redirect that is not followed`);
  return new AdvisorFailure("error", said);
}

function errorCodes(text: string): string[] {
  try {
    const { error } = JSON.parse(text) as { error?: { code?: unknown; type?: unknown } | string };
    if (typeof error !== "object" || error === null) return [];
    return [error.code, error.type].filter((code) => typeof code === "string");
  } catch {
    return [];
  }
}

/** Seconds, rounded up, or the time until a date; undefined where the server asked for nothing. */
function retryAfterOf({ headers }: HttpReply, now: number): number | undefined {
  const text = headers["retry-after"]?.trim();
  if (text === undefined || text === "") return undefined;
  if (/^\d+(?:\.\d+)?$/.test(text)) return Math.ceil(Number(text));
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(1, Math.ceil((at - now) / 1000));
}

/** The body of an answer as an object; what is none is malformed. */
export function jsonOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch {
    // Said below.
  }
  throw new AdvisorFailure("malformed", "the answer is no JSON object");
}
