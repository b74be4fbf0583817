import { type Envelope, envelope, toWritError } from "../../contract/index.ts";
import { Refusal } from "./refusal.ts";
import { secured } from "./security-headers.ts";
import { statusOf } from "./status.ts";

/** An envelope as an HTTP response. */
export function answer(
  result: Envelope,
  how: { status?: number; headers?: Record<string, string> } = {},
): Response {
  const status = how.status ?? statusOf(result.error);
  const headers: Record<string, string> = {
    "Content-Type": "application/json; charset=utf-8",
    "Cache-Control": "no-store",
    ...how.headers,
  };
  if (status === 401) headers["WWW-Authenticate"] = 'Bearer realm="writ"';
  if (result.error?.retry_after_seconds !== undefined) {
    headers["Retry-After"] = String(Math.ceil(result.error.retry_after_seconds));
  }
  return secured(`${JSON.stringify(result)}\n`, { status, headers });
}

/** Whatever was thrown on the way to a capability, as the envelope of `command`. */
export function answerThrown(thrown: unknown, command: string): Response {
  const refusal = thrown instanceof Refusal ? thrown : undefined;
  const error = toWritError(refusal?.error ?? thrown);
  return answer(envelope(command, { error: error.toObject() }), {
    ...(refusal && { status: refusal.status, headers: refusal.headers }),
  });
}
