import { fail, type WritError } from "../contract/index.ts";
import { counted } from "./counted.ts";

/** 401 or 403: authority must be shown first. */
export function authRequired(service: string, login: string, status: number): WritError {
  return fail("E_AUTH_REQUIRED", {
    message: `${service} refused the request: it does not know you, or you may not do this.`,
    cause: `HTTP ${status}.`,
    remediation: `Give your credential and run the command again: ${login}`,
    details: { status },
  });
}

/** 429: the same request may be sent again later. */
export function rateLimited(service: string, attempts: number, seconds: number | undefined): WritError {
  const asked = seconds === undefined ? "" : `; the server asked for ${seconds} s`;
  return fail("NETWORK_ERROR", {
    subcode: "RATE_LIMITED",
    message: `${service} refused the request: too many requests.`,
    cause: `HTTP 429 after ${counted(attempts, "attempt")}${asked}.`,
    remediation:
      seconds === undefined
        ? "Wait a minute and run the command again."
        : `Wait ${seconds} s and run the command again.`,
    ...(seconds !== undefined && { retryAfterSeconds: seconds }),
    details: { attempts },
  });
}

/** 504 or no time left: the same request would run out of time again. */
export function timedOut(service: string, fact: string, attempts: number): WritError {
  return fail("NETWORK_ERROR", {
    subcode: "UPSTREAM_TIMEOUT",
    retryable: false,
    message: `${service} did not answer in time.`,
    cause: `${fact} (${counted(attempts, "attempt")}).`,
    remediation: "Ask for less at once, or allow more time.",
    details: { attempts },
  });
}

/** Any other status that is no success. */
export function refusedWith(service: string, status: number, attempts: number): WritError {
  return fail("NETWORK_ERROR", {
    // A request the server calls wrong stays wrong.
    retryable: status >= 500,
    message: `${service} answered with an error.`,
    cause: `HTTP ${status} after ${counted(attempts, "attempt")}.`,
    remediation:
      status >= 500
        ? "Wait a little and run the command again."
        : "Check what was asked for, then run the command again.",
    details: { attempts, status },
  });
}

/** No connection, or one that broke. */
export function unreachable(service: string, attempts: number, error: unknown): WritError {
  return fail("NETWORK_ERROR", {
    message: `${service} could not be reached.`,
    cause: `${reasonOf(error)} (${counted(attempts, "attempt")}).`,
    remediation: "Check the network connection and run the command again.",
    details: { attempts },
    from: error,
  });
}

/** An answer beyond the bound. */
export function tooLong(service: string, limit: number, found: number): WritError {
  return fail("E_LIMIT", {
    message: `The answer of ${service} is too large.`,
    cause: `More than ${limit} bytes came.`,
    remediation: "Ask for less at once.",
    details: { limit, found },
  });
}

const reasons: Record<string, string> = {
  ENOTFOUND: "The host's name is not known",
  EAI_AGAIN: "The name server did not answer",
  ECONNREFUSED: "The connection was refused",
  ECONNRESET: "The connection was reset",
  UND_ERR_SOCKET: "The connection was closed",
  EPIPE: "The connection was closed",
  ENETUNREACH: "The network cannot be reached",
  EHOSTUNREACH: "The host cannot be reached",
};

/** Whether a connection was not made in time. */
export function isLate(error: unknown): boolean {
  const code = codeOf(error);
  return code === "UND_ERR_CONNECT_TIMEOUT" || code === "ETIMEDOUT";
}

function codeOf(error: unknown): unknown {
  const inner = error instanceof Error ? (error.cause as { code?: unknown } | undefined) : undefined;
  return typeof inner?.code === "string" ? inner.code : (error as { code?: unknown } | null)?.code;
}

// The system's own text is left out: it holds addresses, and sometimes the URL.
function reasonOf(error: unknown): string {
  const code = codeOf(error);
  if (typeof code !== "string") return "The connection failed";
  return (
    reasons[code] ??
    (/CERT|SSL|TLS/.test(code) ? "The secure connection failed" : `The connection failed (${code})`)
  );
}
