import type { Limits } from "./limits.ts";
import { refuse } from "./refusal.ts";

/** Reads a request's body within its bounds: size, and time without progress. */
export async function readBody(request: Request, limits: Limits): Promise<Buffer> {
  const declared = Number(request.headers.get("content-length") ?? 0);
  if (declared > limits.bodyBytes) throw tooLarge(limits.bodyBytes, declared);
  if (!request.body) return Buffer.alloc(0);
  // The reader is released, never cancelled: cancelling closes the socket before the refusal is written.
  const reader = request.body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await withinTime(reader.read(), limits.idleMs);
      if (done) return Buffer.concat(chunks, size);
      size += value.byteLength;
      if (size > limits.bodyBytes) throw tooLarge(limits.bodyBytes, size);
      chunks.push(value);
    }
  } finally {
    reader.releaseLock();
  }
}

/** Reads a JSON object; no body at all is the empty object. */
export async function readInput(request: Request, limits: Limits): Promise<Record<string, unknown>> {
  const body = await readBody(request, limits);
  if (body.length === 0) return {};
  const type = request.headers.get("content-type") ?? "";
  // A page of another site can send a form or plain text without asking first, but never this type.
  if (!/^application\/json\s*(;|$)/i.test(type)) {
    throw refuse(415, "USAGE_ERROR", {
      message: "The body must be JSON.",
      cause: type ? `Content-Type is "${type.slice(0, 80)}".` : "There is no Content-Type.",
      remediation: "Send Content-Type: application/json.",
    });
  }
  const input = parse(body);
  if (input === null || typeof input !== "object" || Array.isArray(input)) {
    throw malformed("It is not an object of input fields.");
  }
  return input as Record<string, unknown>;
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch (error) {
    throw malformed(error instanceof Error ? error.message : "It cannot be read.");
  }
}

async function withinTime<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(stalled(ms)), ms);
  });
  // When the time is up the read is abandoned, and its own failure is nobody's.
  work.catch(() => {});
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

function malformed(cause: string) {
  return refuse(400, "USAGE_ERROR", {
    message: "The body is not a JSON object.",
    cause,
    remediation: 'Send the input as one JSON object, like {"name": "value"}.',
  });
}

function tooLarge(limit: number, found: number) {
  return refuse(413, "E_LIMIT", {
    message: "The body is too large.",
    cause: `It has ${found} bytes or more; at most ${limit} are read.`,
    remediation:
      "Send less in one call, or put it into a file of the workspace and name that file in the call.",
    details: { limit, found },
  });
}

function stalled(ms: number) {
  return refuse(408, "E_DEADLINE", {
    message: "The request did not arrive in time.",
    cause: `Nothing came for ${ms / 1000} s.`,
    remediation: "Call again.",
    headers: { Connection: "close" },
  });
}
