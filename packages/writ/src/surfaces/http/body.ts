import type { Limits } from "./limits.ts";
import { refuse } from "./refusal.ts";

/** A request's body as it comes, within its bounds: size, and time without progress. */
export async function* chunksOf(
  request: Request,
  { most, idleMs }: { most: number; idleMs: number },
): AsyncGenerator<Uint8Array> {
  const declared = Number(request.headers.get("content-length") ?? 0);
  if (declared > most) throw tooLarge(most, declared);
  if (!request.body) return;
  // The reader is released, never cancelled: cancelling closes the socket before the refusal is written.
  const reader = request.body.getReader();
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await withinTime(reader.read(), idleMs);
      if (done) return;
      size += value.byteLength;
      if (size > most) throw tooLarge(most, size);
      yield value;
    }
  } finally {
    reader.releaseLock();
  }
}

/** Reads a whole body into memory. */
export async function readBody(request: Request, { bodyBytes, idleMs }: Limits): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of chunksOf(request, { most: bodyBytes, idleMs })) chunks.push(chunk);
  return Buffer.concat(chunks);
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
      remediation:
        "Send Content-Type: application/json; a file to read is application/octet-stream, and its call is in the address.",
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
      "Send less in one call. A file to read is named in the call, or sent as application/octet-stream.",
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
