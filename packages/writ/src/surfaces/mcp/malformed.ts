import type { Readable, Writable } from "node:stream";
import { isJSONRPCRequest, parseJSONRPCMessage, ProtocolErrorCode } from "@modelcontextprotocol/server";

/** A failure of the protocol itself; `id` is null where the message has none that can be read. */
interface Refusal {
  jsonrpc: "2.0";
  id: string | number | null;
  error: { code: number; message: string };
}

// A line that is longer closes the connection; the transport's own bound.
const maxLineBytes = 10 * 1024 * 1024;
const newline = 10;

/** Answers what a client writes that is no message: the transport only drops it, and its sender would wait for ever. */
export function answerMalformed(input: Readable, output: Writable): void {
  let begun: Buffer[] = [];
  let size = 0;
  input.on("data", (chunk: Buffer) => {
    let from = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, from)) {
      const line = Buffer.concat([...begun, chunk.subarray(from, end)]).toString("utf8");
      for (const refusal of refusalsOf(line)) output.write(`${JSON.stringify(refusal)}\n`);
      [begun, size, from] = [[], 0, end + 1];
    }
    const rest = chunk.subarray(from);
    size += rest.length;
    if (size <= maxLineBytes) begun.push(rest);
    else begun = [];
  });
}

/** The answers that a line gets because it is no message. Notifications and answers never get one. */
export function refusalsOf(line: string): Refusal[] {
  if (line.trim() === "") return [];
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return [refuse(null, ProtocolErrorCode.ParseError, "This line is no JSON.")];
  }
  if (Array.isArray(value)) return refuseBatch(value);
  try {
    parseJSONRPCMessage(value);
    return [];
  } catch {
    return expectsAnswer(value) ? [refuseMessage(value)] : [];
  }
}

/** Each request of a batch by its own id, so that whoever waits for one of them learns of it. */
function refuseBatch(batch: unknown[]): Refusal[] {
  const ids = batch.flatMap((one) => (expectsAnswer(one) ? (idOf(one) ?? []) : []));
  const told = "A batch is not taken: write each message on a line of its own.";
  return (ids.length > 0 ? ids : [null]).map((id) => refuse(id, ProtocolErrorCode.InvalidRequest, told));
}

function refuseMessage(value: unknown): Refusal {
  const id = idOf(value) ?? null;
  if (isJSONRPCRequest({ ...(value as object), params: undefined }))
    return refuse(id, ProtocolErrorCode.InvalidParams, "params is no object that the protocol knows.");
  const told = 'A request has "jsonrpc": "2.0", an id, a method and at most an object of params.';
  return refuse(id, ProtocolErrorCode.InvalidRequest, told);
}

function refuse(id: Refusal["id"], code: number, message: string): Refusal {
  return { jsonrpc: "2.0", id, error: { code, message } };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function expectsAnswer(value: unknown): boolean {
  if (!isObject(value)) return true;
  const isAnswer = !("method" in value) && ("result" in value || "error" in value);
  const isNotification = typeof value.method === "string" && !("id" in value);
  return !isAnswer && !isNotification;
}

function idOf(value: unknown): string | number | undefined {
  const id = isObject(value) ? value.id : undefined;
  return typeof id === "string" || Number.isInteger(id) ? (id as string | number) : undefined;
}
