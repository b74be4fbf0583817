import type { Context } from "hono";
import type { Call, Row } from "../../contract/index.ts";
import { answer } from "./answer.ts";
import { readInput } from "./body.ts";
import { openEventStream } from "./event-stream.ts";
import type { Http, HttpEnv } from "./options.ts";
import { readQuery } from "./query.ts";
import { refuse } from "./refusal.ts";

/** Calls one capability for a request whose caller is known, and answers with its envelope or its events. */
export async function callRow(c: Context<HttpEnv>, http: Http, row: Row): Promise<Response> {
  const posted = c.req.method === "POST";
  if (!posted && (row.mutates || !reads(c))) throw wrongMethod(row, c.req.method);
  const input = posted
    ? await readInput(c.req.raw, http.limits)
    : readQuery(row, new URL(c.req.url).searchParams);
  const call = callOf(c, http, { row, input });
  if (wantsEvents(c.req.header("accept"))) return streamCall(c, http, { row, call });
  return answer(await http.deps.execute(call));
}

function callOf(c: Context<HttpEnv>, http: Http, of: { row: Row; input: Record<string, unknown> }): Call {
  const { credential } = c.get("caller");
  const key = c.req.header("idempotency-key");
  return {
    capability: of.row.id,
    surface: "http",
    input: of.input,
    where: { flag: http.deps.root },
    base: http.deps.root,
    credential,
    ...(key !== undefined && { idempotencyKey: key }),
    // A client that leaves gives its call up, and so does a server that stops.
    signal: AbortSignal.any([c.req.raw.signal, http.stopping.signal]),
  };
}

function streamCall(c: Context<HttpEnv>, http: Http, { row, call }: { row: Row; call: Call }): Response {
  const leave = http.traffic.openStream(c.get("caller").owner);
  const lost = new AbortController();
  const { outgoing } = c.env ?? {};
  const stream = openEventStream({
    bytes: http.limits.streamBytes,
    keepAliveMs: http.limits.keepAliveMs,
    onLost: () => lost.abort(),
    cut: outgoing && (() => outgoing.destroy()),
  });
  const emit: Call["emit"] = (event) => stream.send(nameOf(event), event);
  const ends = [call.signal, lost.signal, ...(row.mutates ? [] : [http.draining.signal])];
  void http.deps
    .execute({ ...call, emit, signal: AbortSignal.any(ends) })
    .then((envelope) => {
      stream.send("envelope", envelope);
      stream.end();
    })
    .finally(leave);
  return stream.response;
}

/** An event's own name where it has one that fits on a line; "envelope" is the end's alone. */
function nameOf(event: Record<string, unknown> | { event: string }): string {
  const { event: name } = event;
  return typeof name === "string" && /^[a-z][\w.-]{0,63}$/i.test(name) && name !== "envelope"
    ? name
    : "event";
}

function wantsEvents(accept: string | undefined): boolean {
  return /(^|,)\s*text\/event-stream\s*(;|,|$)/i.test(accept ?? "");
}

function reads(c: Context<HttpEnv>): boolean {
  return c.req.method === "GET" || c.req.method === "HEAD";
}

function wrongMethod(row: Row, method: string) {
  const allowed = row.mutates ? "POST" : "GET, POST";
  return refuse(405, "USAGE_ERROR", {
    message: `${row.path.join(" ")} is not called with ${method.slice(0, 20)}.`,
    cause: row.mutates ? "It changes something, so it takes POST only." : "It takes GET and POST.",
    remediation: "Send POST with the input as JSON.",
    headers: { Allow: allowed },
  });
}
