import { request } from "node:http";
import { connect } from "node:net";
import type { Envelope } from "../../packages/writ/src/contract/index.ts";
import {
  type HttpServing,
  type ServeHttpOptions,
  serveHttp,
} from "../../packages/writ/src/surfaces/http/index.ts";
import { awkward, createStage, type Stage } from "./awkward.ts";
import { surfaceDeps, type TestSurface } from "./surface.ts";

export interface TestServer extends AsyncDisposable {
  serving: HttpServing;
  stage: Stage;
  deps: TestSurface;
  /** Sends with the member's token, unless `token` says otherwise. */
  send(path: string, options?: Sent): Promise<Response>;
}

export interface Sent extends RequestInit {
  /** null sends none. */
  token?: string | null;
  json?: unknown;
}

/** The awkward capabilities behind a real listening socket. */
export async function listening(options: ServeHttpOptions = {}): Promise<TestServer> {
  const stage = createStage();
  const deps = surfaceDeps(awkward(stage));
  const serving = await serveHttp(deps, { port: 0, ...options });
  return {
    serving,
    stage,
    deps,
    send: (path, { token = "member-token", json, ...init } = {}) =>
      fetch(serving.url + path, {
        ...init,
        headers: {
          ...(token !== null && { Authorization: `Bearer ${token}` }),
          ...(json !== undefined && { "Content-Type": "application/json" }),
          ...(init.headers as Record<string, string>),
        },
        ...(json !== undefined && { method: "POST", body: JSON.stringify(json) }),
      }),
    [Symbol.asyncDispose]: async () => {
      stage.release();
      await serving.close(0);
    },
  };
}

export async function envelopeOf(response: Response): Promise<Envelope> {
  return (await response.json()) as Envelope;
}

/** A request with headers that fetch will not let one set. */
export function raw(
  port: number,
  options: { path: string; method?: string; headers?: Record<string, string>; body?: string; host?: string },
): Promise<{ status: number; envelope: Envelope }> {
  return new Promise((resolve, reject) => {
    const { path, method = "GET", headers = {}, body, host = "127.0.0.1" } = options;
    const sent = request({ port, host, path, method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, envelope: JSON.parse(Buffer.concat(chunks).toString()) }),
      );
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

/** Writes bytes to a socket and resolves with all that came back once the server has closed it. */
export function untilClosed(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
    socket.on("data", (chunk) => {
      answer += chunk.toString();
    });
    // A server that closes on bytes it has not read resets the connection; that is closed too.
    socket.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "ECONNRESET") reject(error);
    });
    socket.on("close", () => resolve(answer));
  });
}

export interface ServerEvent {
  id: string;
  event: string;
  data: unknown;
}

/** Reads a response of server-sent events, one by one. */
export async function* eventsOf(response: Response): AsyncGenerator<ServerEvent> {
  let text = "";
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      const fields = new Map(
        text
          .slice(0, end)
          .split("\n")
          .map((line) => {
            const colon = line.indexOf(":");
            return [line.slice(0, colon), line.slice(colon + 1).trim()];
          }),
      );
      text = text.slice(end + 2);
      const data = fields.get("data");
      if (data === undefined) continue;
      yield { id: fields.get("id") ?? "", event: fields.get("event") ?? "", data: JSON.parse(data) };
    }
  }
}

/** All events of a response, once it has ended. */
export async function allEvents(response: Response): Promise<ServerEvent[]> {
  const all: ServerEvent[] = [];
  for await (const event of eventsOf(response)) all.push(event);
  return all;
}
