import type { Context, Hono } from "hono";
import type { Http, HttpEnv } from "./options.ts";
import { refuse } from "./refusal.ts";
import type { Stream } from "./stream.ts";

/** Hands a stream to the connection of a request, from behind event number `after` on. */
export function readStream(c: Context<HttpEnv>, stream: Stream, after: number): Response {
  const { outgoing } = c.env ?? {};
  const disconnect = outgoing && (() => void outgoing.destroy());
  const response = stream.read(after, { signal: c.req.raw.signal, disconnect });
  response.headers.set("Content-Location", `/v1/streams/${stream.id}`);
  return response;
}

/**
 * A call that is sent again with the id of an event it has had is its own stream's rest, never a second call:
 * so do EventSource in a browser and the libraries that imitate it.
 */
export function resumeCall(c: Context<HttpEnv>, http: Http): Response | undefined {
  const had = lastEventOf(c);
  return had && resume(c, http, had);
}

/** Mounts the streams themselves: read on where the connection was lost, or give the call up. */
export function mountStreams(app: Hono<HttpEnv>, http: Http): void {
  app.get("/v1/streams/:stream", (c) => {
    c.set("route", "stream");
    const id = c.req.param("stream");
    const had = lastEventOf(c) ?? { id, n: 0 };
    if (had.id !== id) throw foreignEvent(`It is an event of the stream ${had.id}.`);
    return resume(c, http, had);
  });
  app.delete("/v1/streams/:stream", (c) => {
    c.set("route", "stream");
    found(c, http, c.req.param("stream")).drop();
    return c.body(null, 204);
  });
}

function resume(c: Context<HttpEnv>, http: Http, { id, n }: { id: string; n: number }): Response {
  const stream = found(c, http, id);
  if (n > stream.last) throw foreignEvent(`The stream has ${stream.last} events so far.`);
  // What ends without a word is asked again by EventSource for ever; this tells it that nothing follows.
  if (stream.ended && n === stream.last) return c.body(null, 204);
  return readStream(c, stream, n);
}

function found(c: Context<HttpEnv>, http: Http, id: string): Stream {
  const stream = http.streams.find(c.get("caller").owner, id);
  if (stream) return stream;
  throw refuse(404, "E_NOT_FOUND", {
    message: "There is no such stream.",
    cause: `It was never this caller's, or nobody read it for ${http.limits.resumeMs / 1000} s and it is gone.`,
    remediation: "Call again, without Last-Event-ID.",
  });
}

function lastEventOf(c: Context<HttpEnv>): { id: string; n: number } | undefined {
  const given = c.req.header("last-event-id");
  if (given === undefined) return undefined;
  const [, id, n] = /^([0-9a-f]{32})\.(\d{1,15})$/.exec(given) ?? [];
  if (id === undefined) throw foreignEvent(`It is "${given.slice(0, 80)}".`);
  return { id, n: Number(n) };
}

function foreignEvent(cause: string) {
  return refuse(400, "USAGE_ERROR", {
    message: "Last-Event-ID names no event of this stream.",
    cause,
    remediation: "Give the id of the last event that arrived, or leave the header out.",
  });
}
