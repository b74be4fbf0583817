import { type Envelope, envelope, toWritError } from "../../contract/index.ts";
import { Refusal } from "./refusal.ts";
import { secured, withSecurity } from "./security-headers.ts";
import { statusOf } from "./status.ts";

const usual = { "Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store" };
const done = withSecurity(200, usual);

/** An envelope as an HTTP response. */
export function answer(
  result: Envelope,
  how: { status?: number; headers?: Record<string, string> } = {},
): Response {
  const status = how.status ?? statusOf(result.error);
  if (status === 200 && !how.headers) return secured(bytesOf(result), done);
  const headers: Record<string, string> = { ...usual, ...how.headers };
  if (status === 401) headers["WWW-Authenticate"] = 'Bearer realm="writ"';
  if (result.error?.retry_after_seconds !== undefined) {
    headers["Retry-After"] = String(Math.ceil(result.error.retry_after_seconds));
  }
  return secured(bytesOf(result), withSecurity(status, headers));
}

type Body = string | Uint8Array<ArrayBuffer>;

const kept = new WeakMap<object, Body>();

/** The body of an envelope; of data that answers every call alike, made once. */
function bytesOf(result: Envelope): Body {
  const { data, warnings, error } = result;
  if (error || warnings.length > 0 || !Object.isFrozen(data)) return encode(result);
  const known = kept.get(data);
  if (known) return known;
  const bytes = encode(result);
  kept.set(data, bytes);
  return bytes;
}

// A short text goes out in one piece with the headers; a long one is encoded here, faster than a socket would.
const shortLength = 4096;

function encode(result: Envelope): Body {
  const text = `${JSON.stringify(result)}\n`;
  return text.length < shortLength ? text : Buffer.from(text);
}

/** Whatever was thrown on the way to a capability, as the envelope of `command`. */
export function answerThrown(thrown: unknown, command: string): Response {
  const refusal = thrown instanceof Refusal ? thrown : undefined;
  const error = toWritError(refusal?.error ?? thrown);
  return answer(envelope(command, { error: error.toObject() }), {
    ...(refusal && { status: refusal.status, headers: refusal.headers }),
  });
}
