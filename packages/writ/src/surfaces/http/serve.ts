import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { type Call, fail, type SurfaceDeps, type WritError } from "../../contract/index.ts";
import { isLoopback } from "./addresses.ts";
import { answerThrown } from "./answer.ts";
import { createHttpApp } from "./app.ts";
import type { Limits } from "./limits.ts";
import type { Http, HttpOptions } from "./options.ts";
import { refuse } from "./refusal.ts";

export interface ServeHttpOptions extends HttpOptions {
  host?: string;
  /** 0 takes any free port. */
  port?: number;
  /** Allows a host that other machines can reach. */
  public?: boolean;
}

/** A listening HTTP surface. */
export interface HttpServing {
  url: string;
  port: number;
  /** A link that logs a browser in, once, with this credential. */
  createLogin(credential: Call["credential"]): string;
  /** Takes no new call, lets running ones end for `drainMs`, then cancels them and stops. */
  close(drainMs?: number): Promise<void>;
}

/** Serves the HTTP surface. Throws E_PUBLIC_REFUSED and E_PORT_IN_USE. */
export async function serveHttp(deps: SurfaceDeps, options: ServeHttpOptions = {}): Promise<HttpServing> {
  const host = options.host ?? "127.0.0.1";
  if (!isLoopback(host) && options.public !== true) throw publicRefused(host);
  const { app, http } = createHttpApp(deps, options);
  const listener = getRequestListener(app.fetch, {
    // Its own Response holds an answer as it is; the platform's turns each into a stream that is read again.
    overrideGlobalObjects: true,
    errorHandler: (error) => answerThrown(unreadable(error), ""),
  });
  const bounds: ServerOptions = {
    maxHeaderSize: http.limits.headerBytes,
    // How often Node looks for requests that arrive too slowly.
    connectionsCheckingInterval: Math.min(5_000, http.limits.idleMs),
    // Refused by the application instead, with an envelope.
    requireHostHeader: false,
  };
  const server = createServer(bounds, (incoming, outgoing) => void listener(incoming, outgoing));
  harden(server, http);
  await listen(server, { host, port: options.port ?? 4747 });
  const { port } = server.address() as AddressInfo;
  const url = `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
  return {
    url,
    port,
    createLogin: (credential) => `${url}/login?code=${http.sessions.createLogin(credential)}`,
    close: (drainMs = 10_000) => close(server, http, drainMs),
  };
}

/** Bounds what a client can hold without asking for anything: silent sockets, slow headers, slow bodies, slow readers. */
function harden(server: Server, { limits, deps }: Http): void {
  server.headersTimeout = limits.idleMs;
  server.requestTimeout = limits.arrivalMs;
  server.keepAliveTimeout = Math.min(5_000, limits.idleMs);
  server.timeout = limits.idleMs;
  server.maxConnections = 2 * (limits.requests + limits.streams);
  const newest = new WeakMap<Socket, ServerResponse>();
  const underWay = (socket: Socket): ServerResponse | undefined => {
    const outgoing = newest.get(socket);
    return outgoing?.closed === false ? outgoing : undefined;
  };
  server.on("request", (incoming: IncomingMessage, outgoing: ServerResponse) => {
    newest.set(incoming.socket, outgoing);
  });
  server.on("timeout", (socket: Socket) => {
    const outgoing = underWay(socket);
    // A client that waits for its answer is left alone; one that takes no byte of it for too long loses it.
    if (outgoing && socket.writableLength === 0 && outgoing.writableLength === 0) return;
    if (outgoing) deps.log("http: a client read nothing of its answer for too long, and was cut off");
    socket.destroy();
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    // A response under way cannot be answered a second time.
    if (!socket.writable || underWay(socket) || error.code === "ECONNRESET") return void socket.destroy();
    void refuseRaw(socket, badRequest(error, limits));
  });
}

async function refuseRaw(socket: Socket, refusal: unknown): Promise<void> {
  const response = answerThrown(refusal, "");
  const body = await response.text();
  socket.end(
    [
      `HTTP/1.1 ${response.status} Refused`,
      ...[...response.headers].map(([name, value]) => `${name}: ${value}`),
      `Content-Length: ${Buffer.byteLength(body)}`,
      "Connection: close",
      "",
      body,
    ].join("\r\n"),
  );
}

function badRequest(error: NodeJS.ErrnoException, limits: Limits) {
  if (error.code === "HPE_HEADER_OVERFLOW") {
    return refuse(413, "E_LIMIT", {
      message: "The request's headers are too large.",
      cause: `At most ${limits.headerBytes} bytes are read.`,
      remediation: "Send fewer or shorter headers; input belongs in the body.",
      details: { limit: limits.headerBytes, found: limits.headerBytes + 1 },
    });
  }
  if (error.code === "ERR_HTTP_REQUEST_TIMEOUT") {
    return refuse(408, "E_DEADLINE", {
      message: "The request did not arrive in time.",
      cause: "Its headers or its body came too slowly.",
      remediation: "Call again.",
    });
  }
  return unreadable(error);
}

function unreadable(error: unknown) {
  return refuse(400, "USAGE_ERROR", {
    message: "The request is not HTTP that this server reads.",
    cause: error instanceof Error ? error.message.slice(0, 200) : "It cannot be read.",
    remediation: "Send a well-formed HTTP/1.1 request with a Host header.",
  });
}

function listen(server: Server, at: { host: string; port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(cannotListen(error, at)));
    server.listen(at.port, at.host, () => resolve());
  });
}

async function close(server: Server, http: Http, drainMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  http.draining.abort();
  server.closeIdleConnections();
  await within(drainMs, http.traffic.idle());
  http.stopping.abort();
  // Cancelled calls still end by themselves; their answers are written before the sockets go.
  await http.traffic.idle();
  server.closeIdleConnections();
  await within(FLUSH_MS, closed);
  server.closeAllConnections();
  await closed;
}

// Enough to hand the last answers to the operating system.
const FLUSH_MS = 250;

async function within(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}

function publicRefused(host: string): WritError {
  return fail("E_PUBLIC_REFUSED", {
    message: `Other machines could reach ${host}.`,
    cause: "Without --public only this machine's own addresses are served.",
    remediation: "Put TLS in front and say so: writ serve --public --behind-proxy ADDRESS",
    details: { host },
  });
}

function cannotListen(error: NodeJS.ErrnoException, at: { host: string; port: number }): WritError {
  if (error.code === "EADDRINUSE") {
    return fail("E_PORT_IN_USE", {
      message: `Port ${at.port} is taken.`,
      cause: `Another program listens on ${at.host}:${at.port}.`,
      remediation: `Choose another port: writ serve --port ${at.port + 1}`,
      details: { host: at.host, port: at.port },
    });
  }
  return fail("DEPENDENCY_ERROR", {
    message: `The server cannot listen on ${at.host}:${at.port}.`,
    cause: error.code ?? error.message,
    remediation: "Choose another address: writ serve --host 127.0.0.1 --port 4747",
    from: error,
  });
}
