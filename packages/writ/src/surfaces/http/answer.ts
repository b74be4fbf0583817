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
  return secured(bytesOf(result), { status, headers });
}

const kept = new WeakMap<object, Uint8Array<ArrayBuffer>>();

/** The bytes of an envelope; of data that answers every call alike, made once. */
function bytesOf(result: Envelope): Uint8Array<ArrayBuffer> {
  const { data, warnings, error } = result;
  if (error || warnings.length > 0 || !Object.isFrozen(data)) return encode(result);
  const known = kept.get(data);
  if (known) return known;
  const bytes = encode(result);
  kept.set(data, bytes);
  return bytes;
}

// Encoded here, which is fast: a socket that is handed a text encodes it slowly.
function encode(result: Envelope): Uint8Array<ArrayBuffer> {
  return Buffer.from(`${JSON.stringify(result)}\n`);
}

/** Whatever was thrown on the way to a capability, as the envelope of `command`. */
export function answerThrown(thrown: unknown, command: string): Response {
  const refusal = thrown instanceof Refusal ? thrown : undefined;
  const error = toWritError(refusal?.error ?? thrown);
  return answer(envelope(command, { error: error.toObject() }), {
    ...(refusal && { status: refusal.status, headers: refusal.headers }),
  });
}
