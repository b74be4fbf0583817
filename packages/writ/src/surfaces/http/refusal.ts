import { type ErrorCode, type Failure, fail, type WritError } from "../../contract/index.ts";

/** A refusal whose status is this surface's own affair: a route, a method, a size, a queue. */
export class Refusal extends Error {
  readonly error: WritError;
  readonly status: number;
  readonly headers: Record<string, string>;
  constructor(error: WritError, how: { status: number; headers?: Record<string, string> }) {
    super(error.message);
    this.name = "Refusal";
    this.error = error;
    this.status = how.status;
    this.headers = how.headers ?? {};
  }
}

/** Makes the refusal of a request, to be thrown. */
export function refuse(
  status: number,
  code: ErrorCode,
  failure: Failure & { headers?: Record<string, string> },
): Refusal {
  const { headers, ...rest } = failure;
  return new Refusal(fail(code, rest), { status, ...(headers && { headers }) });
}
