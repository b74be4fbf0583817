import type { Context } from "hono";
import type { Call, Execute, Row } from "../../contract/index.ts";
import { isRemote } from "./addresses.ts";
import { answer } from "./answer.ts";
import { readInput } from "./body.ts";
import type { Http, HttpEnv } from "./options.ts";
import { readQuery } from "./query.ts";
import { refuse } from "./refusal.ts";
import { readStream, resumeCall } from "./resume.ts";
import { isUpload, receive } from "./upload.ts";

/** Calls one capability for a request whose caller is known, and answers with its envelope or its events. */
export async function callRow(c: Context<HttpEnv>, http: Http, row: Row): Promise<Response> {
  const posted = c.req.method === "POST";
  if (!posted && (row.mutates || !reads(c))) throw wrongMethod(row, c.req.method);
  if (posted && isUpload(c.req.header("content-type"))) return callWithUpload(c, http, row);
  const input = posted ? await readInput(c.req.raw, http.limits) : readQuery(row, c.req.url);
  const call = callOf(c, http, { row, input });
  if (wantsEvents(c)) return resumeCall(c, http) ?? streamCall(c, http, { row, call });
  return answer(await http.deps.execute(call));
}

/** The body is what the call reads as its standard input; its input is in the address, as that of an observation. */
async function callWithUpload(c: Context<HttpEnv>, http: Http, row: Row): Promise<Response> {
  const input = readQuery(row, c.req.url);
  const resumed = wantsEvents(c) ? resumeCall(c, http) : undefined;
  if (resumed) return resumed;
  const upload = await receive(c.req.raw, { input, limits: http.limits });
  const execute: Execute = async (call) => {
    try {
      return await http.deps.execute(call);
    } finally {
      await upload.remove();
    }
  };
  const call: Call = { ...callOf(c, http, { row, input }), stdin: upload.bytes };
  try {
    if (wantsEvents(c)) return streamCall(c, { ...http, deps: { ...http.deps, execute } }, { row, call });
    return answer(await execute(call));
  } catch (error) {
    await upload.remove();
    throw error;
  }
}

function callOf(c: Context<HttpEnv>, http: Http, of: { row: Row; input: Record<string, unknown> }): Call {
  const { credential, where, admission } = c.get("caller");
  const call: Call = {
    capability: of.row.id,
    surface: "http",
    input: of.input,
    where,
    base: http.deps.root,
    credential,
    remote: isRemote(c, http.options),
    signal: endOf(c, http),
  };
  // A body may take minutes to arrive, and a token that is revoked meanwhile must not count any more.
  if (admission && c.req.method !== "POST") call.admission = admission;
  const key = c.req.header("idempotency-key");
  if (key !== undefined) call.idempotencyKey = key;
  const traceparent = c.req.header("traceparent");
  if (traceparent !== undefined) call.traceparent = traceparent;
  return call;
}

/** A client that leaves gives its call up, and so does a server that stops. */
function endOf(c: Context<HttpEnv>, { stopping, calls }: Http): AbortSignal {
  const { outgoing } = c.env ?? {};
  if (!outgoing) return AbortSignal.any([c.req.raw.signal, stopping.signal]);
  // Told by the connection: asking the request for its signal first makes a whole second request of it.
  const call = new AbortController();
  calls.add(call);
  outgoing.once("close", () => {
    calls.delete(call);
    if (!outgoing.writableFinished) call.abort();
  });
  if (stopping.signal.aborted || outgoing.destroyed) call.abort();
  return call.signal;
}

function streamCall(c: Context<HttpEnv>, http: Http, { row, call }: { row: Row; call: Call }): Response {
  const { owner } = c.get("caller");
  const leave = http.traffic.openStream(owner);
  const givenUp = new AbortController();
  const id = http.deps.ids.secret(16);
  const stream = http.streams.open({ id, owner, onDropped: () => givenUp.abort() });
  const emit: Call["emit"] = (event) => stream.send(nameOf(event), event);
  // A reader that loses its stream may come back for it, so the call outlives the request for a while.
  const ends = [givenUp.signal, http.stopping.signal, ...(row.mutates ? [] : [http.draining.signal])];
  void http.deps
    .execute({ ...call, emit, signal: AbortSignal.any(ends) })
    .then((envelope) => {
      stream.send("envelope", envelope);
      stream.end();
    })
    .finally(leave);
  return readStream(c, stream, 0);
}

/** An event's own name where it has one that fits on a line; the stream's own two names are its alone. */
function nameOf(event: Record<string, unknown> | { event: string }): string {
  const { event: name } = event;
  const fits = typeof name === "string" && /^[a-z][\w.-]{0,63}$/i.test(name);
  return fits && name !== "envelope" && name !== "missed" ? name : "event";
}

function wantsEvents(c: Context<HttpEnv>): boolean {
  const accept = c.req.header("accept");
  if (accept === undefined) return false;
  return c.req.method !== "HEAD" && /(^|,)\s*text\/event-stream\s*(;|,|$)/i.test(accept);
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
