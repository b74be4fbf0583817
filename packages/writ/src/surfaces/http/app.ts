import { type Context, Hono } from "hono";
import { httpPath, nearest, type Row, type SurfaceDeps } from "../../contract/index.ts";
import { addressed, checkAddresses } from "./addresses.ts";
import { answerThrown } from "./answer.ts";
import { admit } from "./authenticate.ts";
import { callRow } from "./call.ts";
import { mountMcp } from "./mcp.ts";
import { createMetrics, metricsType } from "./metrics.ts";
import { buildOpenApi } from "./openapi.ts";
import { defaultLimits } from "./limits.ts";
import type { Http, HttpEnv, HttpOptions } from "./options.ts";
import { mountPage, pageAt } from "./page.ts";
import { builtIn } from "./page/built.ts";
import { refuse } from "./refusal.ts";
import { mountStreams } from "./resume.ts";
import { secure } from "./security-headers.ts";
import { createSessions } from "./sessions.ts";
import { createStreams } from "./streams.ts";
import { createTraffic } from "./traffic.ts";

/** Makes the HTTP surface: the application, and the state that its server needs to stop it well. */
export function createHttpApp(
  deps: SurfaceDeps,
  options: HttpOptions = {},
): { app: Hono<HttpEnv>; http: Http } {
  const limits = { ...defaultLimits, ...options.limits };
  const http: Http = {
    deps,
    options,
    limits,
    sessions: createSessions(deps),
    metrics: createMetrics(),
    streams: createStreams(limits),
    traffic: createTraffic(limits),
    draining: new AbortController(),
    stopping: new AbortController(),
    calls: new Set(),
  };
  http.stopping.signal.addEventListener("abort", () => {
    for (const call of http.calls) call.abort();
  });
  const app = new Hono<HttpEnv>();
  // One for all that comes before a route: each further one costs every call a turn of the framework.
  const calls = callsOf(http);
  app.use((c, next) => measure(c, http, { calls, next }));
  mountHealth(app, http);
  const built = builtIn(options.cockpit);
  mountPage(app, http, built);
  mountMetrics(app, http);
  mountMcp(app, http);
  mountStreams(app, http);
  mountOpenApi(app, http, [...calls.values()]);
  app.notFound((c) => pageAt(c, built) ?? answerThrown(unknownRoute(http, new URL(c.req.url).pathname), ""));
  app.onError((error, c) => failed(error, c, http));
  return { app, http };
}

function failed(error: Error, c: Context<HttpEnv>, http: Http): Response {
  const response = answerThrown(error, c.get("command") ?? "");
  if (response.status === 500)
    http.deps.log(`http ${c.get("route")} failed: ${error.name}: ${error.message}`);
  return response;
}

/** What a request may go on to: a capability at its path, which the framework needs not look for, or any other route. */
interface Further {
  calls: ReadonlyMap<string, Row>;
  next: () => Promise<void>;
}

async function measure(c: Context<HttpEnv>, http: Http, further: Further): Promise<void> {
  const startedAt = http.deps.clock.now();
  c.set("route", "unknown");
  try {
    await pass(c, http, further);
  } catch (error) {
    c.res = failed(error as Error, c, http);
  }
  secure(c.res);
  http.metrics.observe(c.get("route"), c.res.status, (http.deps.clock.now() - startedAt) / 1000);
}

const health = new Set(["/healthz", "/readyz"]);
const forCallers = /^\/(v1(\/|$)|metrics$|mcp$)/;

/** Lets a request through to its route: its addresses first, then a place, then its caller, before its body. */
async function pass(c: Context<HttpEnv>, http: Http, { calls, next }: Further): Promise<void> {
  const { path } = c.req;
  if (health.has(path)) return next();
  checkAddresses(c, http.options);
  const leave = http.traffic.enter();
  try {
    if (forCallers.test(path)) c.set("caller", await admit(c, http));
    const row = calls.get(path);
    if (!row) return await next();
    c.set("route", row.id);
    c.set("command", row.path.join(" "));
    c.res = await callRow(c, http, row);
  } finally {
    leave();
  }
}

/** For whatever watches the process: no token, no Host check, and nothing told but yes or no. */
function mountHealth(app: Hono<HttpEnv>, http: Http): void {
  app.get("/healthz", (c) => {
    c.set("route", "healthz");
    return c.text("ok\n");
  });
  app.get("/readyz", async (c) => {
    c.set("route", "readyz");
    const ready = !http.draining.signal.aborted && ((await http.options.ready?.()) ?? true);
    return ready ? c.text("ok\n") : c.text("not ready\n", 503);
  });
}

function mountMetrics(app: Hono<HttpEnv>, http: Http): void {
  app.get("/metrics", (c) => {
    c.set("route", "metrics");
    const { role } = c.get("caller");
    if (role !== "admin" && role !== "owner") {
      throw refuse(403, "E_ROLE_REQUIRED", {
        message: "Metrics are for an admin.",
        cause: `The token's role is ${role}.`,
        remediation: "Ask an admin or owner of the workspace for a token of that role.",
      });
    }
    const { requests, streams } = http.traffic;
    return c.body(http.metrics.print({ requests, streams, streamBytes: http.streams.bytes }), 200, {
      "Content-Type": metricsType,
    });
  });
}

/** The capabilities that are called over HTTP, by their paths. */
function callsOf({ deps }: Http): ReadonlyMap<string, Row> {
  const rows = deps.registry.rows.filter((row) => row.on.includes("http"));
  return new Map(rows.map((row) => [httpPath(row), row]));
}

function mountOpenApi(app: Hono<HttpEnv>, http: Http, rows: readonly Row[]): void {
  app.get("/v1/openapi.json", (c) => {
    c.set("route", "openapi");
    const { scheme, host } = addressed(c, http.options);
    return c.json(buildOpenApi(rows, { version: http.deps.version, url: `${scheme}://${host}` }));
  });
}

function unknownRoute(http: Http, path: string) {
  const known = http.deps.registry.rows.filter((row) => row.on.includes("http")).map(httpPath);
  const near = nearest(path, [...known, "/v1/openapi.json", "/mcp", "/metrics", "/healthz", "/readyz"]);
  return refuse(404, "USAGE_ERROR", {
    message: `There is nothing at ${path.slice(0, 100)}.`,
    cause: near ? `The nearest is ${near}.` : "No route is near it.",
    remediation: "See what there is: GET /v1/openapi.json",
    details: { unknown: path.slice(0, 100), ...(near && { nearest: near }) },
  });
}
