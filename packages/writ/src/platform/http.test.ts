import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { fail, type WritError } from "../contract/index.ts";
import { request, type HttpRequest } from "./http.ts";

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/works?api_key=hidden`;
}

const ask = (url: string, more: Partial<HttpRequest> = {}) =>
  request({
    url,
    service: "OpenAlex",
    login: "writ key set OPENALEX_API_KEY",
    retryAfterMs: [0, 0],
    ...more,
  });

async function failureOf(url: string, more: Partial<HttpRequest> = {}) {
  const error = await ask(url, more).then(
    () => undefined,
    (thrown: unknown) => thrown as WritError,
  );
  if (!error) throw new Error("the request succeeded");
  const object = error.toObject();
  expect(JSON.stringify(object)).not.toMatch(/hidden|127\.0\.0\.1/);
  return object;
}

/** Answers with the given statuses one after the other, the last one for ever; counts the requests. */
async function statuses(...given: number[]) {
  const seen = { count: 0 };
  const url = await serve((_, response) => {
    response
      .writeHead(given[Math.min(seen.count++, given.length - 1)] ?? 200, { "x-n": String(seen.count) })
      .end("body");
  });
  return { url, seen };
}

describe("request", () => {
  test("answers with status, headers and body, and sends what it was given", async () => {
    const url = await serve((incoming, response) => {
      response.writeHead(201, { "x-got": `${incoming.method} ${incoming.headers["x-a"]}` });
      incoming.pipe(response);
    });
    const answer = await ask(url, { method: "POST", headers: { "x-a": "1" }, body: "text" });
    expect([answer.status, answer.headers.get("x-got"), answer.body.toString()]).toEqual([
      201,
      "POST 1",
      "text",
    ]);
  });

  test("CT-8: 429 is RATE_LIMITED, retryable, with the seconds the server asked for", async () => {
    const url = await serve((_, response) => void response.writeHead(429, { "retry-after": "30" }).end());
    expect(await failureOf(url, { retryAfterMs: [] })).toMatchObject({
      code: "NETWORK_ERROR",
      subcode: "RATE_LIMITED",
      exit_code: 4,
      retryable: true,
      retry_after_seconds: 30,
      details: { attempts: 1 },
    });
  });

  test("CT-8: the seconds may be given as a date, and are absent when the server says nothing", async () => {
    const dated = await serve(
      (_, response) => void response.writeHead(429, { "retry-after": "Wed, 21 Oct 2015 07:28:00 GMT" }).end(),
    );
    expect(await failureOf(dated)).toMatchObject({ retry_after_seconds: 0, details: { attempts: 3 } });
    const { url } = await statuses(429);
    expect(await failureOf(url)).not.toHaveProperty("retry_after_seconds");
  });

  test("CT-8: a wait longer than the time left is not begun", async () => {
    const url = await serve((_, response) => void response.writeHead(429, { "retry-after": "3600" }).end());
    expect(await failureOf(url)).toMatchObject({ retry_after_seconds: 3600, details: { attempts: 1 } });
  });

  test("CT-8: 504 is UPSTREAM_TIMEOUT, not retryable and not retried", async () => {
    const { url, seen } = await statuses(504);
    expect(await failureOf(url)).toMatchObject({
      code: "NETWORK_ERROR",
      subcode: "UPSTREAM_TIMEOUT",
      retryable: false,
    });
    expect(seen.count).toBe(1);
  });

  test("CT-8: a server that does not answer in time is UPSTREAM_TIMEOUT, before or within the body", async () => {
    const silent = await serve(() => undefined);
    expect(await failureOf(silent, { timeoutMs: 30 })).toMatchObject({
      subcode: "UPSTREAM_TIMEOUT",
      retryable: false,
    });
    const stalled = await serve((_, response) => void response.writeHead(200).write("part"));
    expect(await failureOf(stalled, { timeoutMs: 100 })).toMatchObject({
      subcode: "UPSTREAM_TIMEOUT",
      retryable: false,
    });
  });

  test("CT-8: any other failure is NETWORK_ERROR without a subcode", async () => {
    const { url } = await statuses(500);
    expect(await failureOf(url)).toMatchObject({
      code: "NETWORK_ERROR",
      retryable: true,
      details: { attempts: 3, status: 500 },
    });
    const missing = await statuses(404);
    const notFound = await failureOf(missing.url);
    expect(notFound).toMatchObject({ code: "NETWORK_ERROR", retryable: false, details: { attempts: 1 } });
    const closed = await serve((incoming) => void incoming.socket.destroy());
    const broken = await failureOf(closed);
    expect(broken).toMatchObject({ code: "NETWORK_ERROR", retryable: true, details: { attempts: 3 } });
    for (const failure of [notFound, broken]) expect(failure).not.toHaveProperty("subcode");
  });

  test("CT-10: 401 and 403 are E_AUTH_REQUIRED whose remediation is the command that logs in", async () => {
    for (const status of [401, 403]) {
      const { url, seen } = await statuses(status);
      const failure = await failureOf(url);
      expect(failure).toMatchObject({ code: "E_AUTH_REQUIRED", category: "auth", exit_code: 2 });
      expect(failure.remediation).toContain("writ key set OPENALEX_API_KEY");
      expect(seen.count).toBe(1);
    }
  });

  test("what may pass is tried again; what changes something is not, unless the caller says so", async () => {
    const passing = await statuses(503, 503, 200);
    expect((await ask(passing.url)).headers.get("x-n")).toBe("3");
    const posted = await statuses(503, 200);
    await failureOf(posted.url, { method: "POST", retryAfterMs: undefined });
    expect(posted.seen.count).toBe(1);
  });

  test("a status the caller accepts is an answer", async () => {
    const { url } = await statuses(404);
    expect(await ask(url, { accept: [404] })).toMatchObject({ status: 404 });
  });

  test("CT-23: a body beyond its bound is E_LIMIT and is not read to its end", async () => {
    const url = await serve((_, response) => {
      response.writeHead(200);
      const more = () => {
        while (response.write("x".repeat(64 * 1024)));
      };
      response.on("drain", more);
      more();
    });
    expect(await failureOf(url, { maxBytes: 200_000 })).toMatchObject({
      code: "E_LIMIT",
      details: { limit: 200_000 },
    });
  });

  test("CT-37: a caller that gives up ends the request, as its signal says", async () => {
    const controller = new AbortController();
    const url = await serve(() => controller.abort());
    expect(await failureOf(url, { signal: controller.signal })).toMatchObject({
      code: "E_CANCELLED",
      retryable: true,
    });
    const deadline = fail("E_DEADLINE", { message: "m", cause: "c", remediation: "r" });
    await expect(ask(url, { signal: AbortSignal.abort(deadline) })).rejects.toBe(deadline);
  });
});
