import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

/** One request as it arrived. */
export interface Logged {
  method: string;
  path: string;
  query: Record<string, string>;
  /** Path and parameters as they were sent, for lengths. */
  url: string;
  headers: Record<string, string>;
  /** Whether a credential was there. */
  credential: boolean;
  body: string;
  at: number;
}

/** What a service answers: a text as it is, anything else as JSON. */
export interface Answer {
  /** Default 200. */
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
}

/** An answer, one written by hand, or none at all. */
export type Reply = Answer | ((response: ServerResponse) => void) | undefined;

/** One order to misbehave: for the requests it matches, as often as it says. */
export interface Step {
  match?: (request: Logged) => boolean;
  /** Default once. */
  times?: number;
  /** Instead of the real answer. */
  status?: number;
  body?: unknown;
  /** Beside those of the answer. */
  headers?: Record<string, string>;
  /** Never answers. */
  hang?: true;
  /** Closes the connection before a byte was sent. */
  refuse?: true;
  /** Milliseconds between two bytes of the body. */
  dripMs?: number;
  /** Closes the connection in the middle of the body. */
  cutBody?: true;
  /** Status 200 and JSON that ends at a brace. */
  cutJson?: true;
  /** Changes the real answer. */
  change?: (answer: Answer) => Answer;
  /** Told when the step is used, before the answer goes out. */
  reached?: () => void;
}

/** A stand-in for somebody else's service, on this machine and over a real socket. */
export interface FakeServer extends AsyncDisposable {
  /** `http://127.0.0.1:<port>` */
  url: string;
  requests: Logged[];
  /** Orders steps; the first that matches a request is used up by it. */
  script(...steps: Step[]): void;
  close(): Promise<void>;
}

export async function startFake(answer: (request: Logged) => Reply): Promise<FakeServer> {
  const requests: Logged[] = [];
  const steps: Step[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((incoming, response) => {
    // A client that leaves in the middle is what some tests are about.
    response.on("error", () => undefined);
    readLogged(incoming).then(
      (logged) => {
        requests.push(logged);
        respond(logged, { answer, steps, response });
      },
      () => response.destroy(),
    );
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = (): Promise<void> => shut(server, sockets);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    script: (...more) => void steps.push(...more.map((step) => ({ ...step }))),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function shut(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  for (const socket of sockets) socket.destroy();
  return new Promise((resolve) => server.close(() => resolve()));
}

async function readLogged(incoming: IncomingMessage): Promise<Logged> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part as Buffer);
  const url = new URL(incoming.url ?? "/", "http://localhost");
  const headers = Object.fromEntries(
    Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
  );
  return {
    method: incoming.method ?? "GET",
    path: decodeURIComponent(url.pathname),
    query: Object.fromEntries(url.searchParams),
    url: incoming.url ?? "/",
    headers,
    credential: ["authorization", "x-api-key", "crossref-plus-api-token"].some((name) => name in headers),
    body: Buffer.concat(parts).toString("utf8"),
    at: performance.now(),
  };
}

function respond(
  logged: Logged,
  {
    answer,
    steps,
    response,
  }: { answer: (request: Logged) => Reply; steps: Step[]; response: ServerResponse },
): void {
  const step = take(steps, logged);
  step?.reached?.();
  if (step?.hang) return;
  if (step?.refuse) return void response.socket?.resetAndDestroy();
  const real: Reply =
    step?.status === undefined ? answer(logged) : { status: step.status, body: step.body ?? { error: "no" } };
  if (real === undefined) return;
  if (typeof real === "function") return real(response);
  const told = step?.change ? step.change(real) : real;
  const { body: said = "" } = told;
  const body = Buffer.from(typeof said === "string" ? said : JSON.stringify(said));
  send({ ...told, headers: { ...told.headers, ...step?.headers } }, { body, step, response });
}

function take(steps: Step[], logged: Logged): Step | undefined {
  const at = steps.findIndex((step) => step.match?.(logged) ?? true);
  const step = steps[at];
  if (!step) return undefined;
  step.times = (step.times ?? 1) - 1;
  if (step.times <= 0) steps.splice(at, 1);
  return step;
}

function send(
  { status = 200, headers = {} }: Answer,
  { body, step, response }: { body: Buffer; step: Step | undefined; response: ServerResponse },
): void {
  if (step?.cutJson) {
    const cut = body.subarray(0, body.lastIndexOf("}", Math.floor(body.length / 2)) + 1);
    return void response.writeHead(200, { "content-type": "application/json", ...headers }).end(cut);
  }
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": String(body.length),
    ...headers,
  });
  if (step?.cutBody) {
    response.write(body.subarray(0, Math.ceil(body.length / 2)), () => response.socket?.resetAndDestroy());
    return;
  }
  if (step?.dripMs !== undefined) return drip(body, step.dripMs, response);
  response.end(body);
}

function drip(body: Buffer, everyMs: number, response: ServerResponse): void {
  let at = 0;
  const timer = setInterval(() => {
    if (at >= body.length || response.destroyed) {
      clearInterval(timer);
      response.end();
      return;
    }
    response.write(body.subarray(at, ++at));
  }, everyMs);
}
