import { catalogue, type ErrorCode } from "./catalogue.ts";
import { exitCodeOf, type Category } from "./exit-codes.ts";

/** Finer words for NETWORK_ERROR; an untyped network failure has none. */
export type NetworkSubcode = "RATE_LIMITED" | "UPSTREAM_TIMEOUT";

/** The error object of the envelope; optional fields are absent when they do not apply, never null. */
export interface ErrorObject {
  code: ErrorCode;
  category: Category;
  subcode?: NetworkSubcode;
  /** What failed, in the user's terms. */
  message: string;
  /** The fact behind it. */
  cause: string;
  /** The next action, with a command where one exists. */
  remediation: string;
  exit_code: number;
  retryable: boolean;
  retry_after_seconds?: number;
  details?: Record<string, unknown>;
}

/** What domain code says of a failure; code, category and exit code come from the catalogue. */
export interface Failure {
  message: string;
  cause: string;
  remediation: string;
  subcode?: NetworkSubcode;
  /** Overrides the catalogue, e.g. for a time-out that must not be retried. */
  retryable?: boolean;
  retryAfterSeconds?: number;
  details?: Record<string, unknown>;
  /** On a signal, the process's own exit code: 130 or 143. */
  exitCode?: number;
  /** Complete data beside the error: a check that found something. */
  data?: Record<string, unknown>;
  /** The error that led here; for the trace only, never shown. */
  from?: unknown;
}

/** The one error class of Writ. Made by {@link fail}; turned into text, status or exit code by a surface only. */
export class WritError extends Error {
  readonly code: ErrorCode;
  readonly failure: Failure;
  constructor(code: ErrorCode, failure: Failure) {
    super(`${code}: ${failure.message}`, failure.from === undefined ? {} : { cause: failure.from });
    this.name = "WritError";
    this.code = code;
    this.failure = failure;
  }

  /** The error as it stands in an envelope. */
  toObject(): ErrorObject {
    const { subcode, retryAfterSeconds, details } = this.failure;
    const { category, retryable } = catalogue[this.code];
    return {
      code: this.code,
      category,
      ...(subcode && { subcode }),
      message: this.failure.message,
      cause: this.failure.cause,
      remediation: this.failure.remediation,
      exit_code: this.failure.exitCode ?? exitCodeOf(category),
      retryable: this.failure.retryable ?? retryable === true,
      ...(retryAfterSeconds !== undefined && { retry_after_seconds: retryAfterSeconds }),
      ...(details && { details }),
    };
  }
}

/** Makes the error of a catalogued code, to be thrown: `throw fail("E_NOT_FOUND", { … })`. */
export function fail(code: ErrorCode, failure: Failure): WritError {
  return new WritError(code, failure);
}

/** The error of a call that its caller gave up; on a signal it carries the exit code of the process. */
export function cancelled({ exitCode, from }: { exitCode?: number; from?: unknown }): WritError {
  return fail("E_CANCELLED", {
    message: "The call was cancelled.",
    cause: "Its caller gave it up; nothing was committed.",
    remediation: "Call it again.",
    from,
    ...(exitCode !== undefined && { exitCode }),
  });
}

/** The one funnel: whatever was thrown becomes a WritError; the unknown is a defect of Writ. */
export function toWritError(thrown: unknown): WritError {
  if (thrown instanceof WritError) return thrown;
  return fail("INTERNAL_ERROR", {
    message: "Writ failed in a way it did not foresee.",
    cause: thrown instanceof Error ? thrown.name : typeof thrown,
    remediation: "Report this with the trace file that the details name: writ doctor",
    from: thrown,
  });
}
