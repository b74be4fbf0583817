import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import {
  allEvents,
  envelopeOf,
  eventsOf,
  listening,
  raw,
  type TestServer,
  untilClosed,
} from "../support/http-surface.ts";

const events = { Accept: "text/event-stream" };

test("RN-11: a body above its bound is 413, whether its size was told or not", async () => {
  await using server = await listening({ limits: { bodyBytes: 1000 } });
  const told = await server.send("/v1/echo/say", { json: { text: "x".repeat(2000) } });
  expect(told.status).toBe(413);
  expect((await envelopeOf(told)).error).toMatchObject({ code: "E_LIMIT", details: { limit: 1000 } });
  const chunks = new ReadableStream({
    start(controller) {
      for (let i = 0; i < 20; i++) controller.enqueue(new TextEncoder().encode("x".repeat(100)));
      controller.close();
    },
  });
  const untold = await server.send("/v1/echo/say", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: chunks,
    duplex: "half",
  } as RequestInit);
  expect(untold.status).toBe(413);
  expect((await envelopeOf(untold)).error?.code).toBe("E_LIMIT");
  expect((await server.send("/v1/echo/say", { json: { text: "small" } })).status).toBe(200);
});

test("RN-11: headers above their bound are 413, with an envelope", async () => {
  await using server = await listening();
  const answer = await untilClosed(
    server.serving.port,
    `GET /v1/echo/say HTTP/1.1\r\nHost: localhost\r\nX-Long: ${"x".repeat(40_000)}\r\n\r\n`,
  );
  expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  expect(JSON.parse(answer.slice(answer.indexOf("\r\n\r\n"))).error.code).toBe("E_LIMIT");
});

test("RN-11: what is no HTTP, or has no Host, is refused with an envelope", async () => {
  await using server = await listening();
  for (const bytes of ["nonsense\r\n\r\n", "GET /v1/echo/say HTTP/1.1\r\nConnection: close\r\n\r\n"]) {
    const answer = await untilClosed(server.serving.port, bytes);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('"code":"USAGE_ERROR"');
  }
});

test("RN-11: a body that stops coming is 408", async () => {
  await using server = await listening({ limits: { idleMs: 100 } });
  const { port } = server.serving;
  const answer = await untilClosed(
    port,
    `POST /v1/echo/say HTTP/1.1\r\nHost: localhost:${port}\r\nAuthorization: Bearer member-token\r\n` +
      'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"text":',
  );
  expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  expect(answer).toContain('"code":"E_DEADLINE"');
});

test("RN-11: a socket that says nothing, or never finishes its headers, is closed", async () => {
  await using server = await listening({ limits: { idleMs: 100 } });
  const { port } = server.serving;
  // Two clocks watch it, and either may be first: one closes without a word, the other says why.
  expect(await untilClosed(port, "")).toMatch(/^$|^HTTP\/1\.1 408 /);
  expect(await untilClosed(port, "GET /v1/echo/say HTTP/1.1\r\nHost: loc")).not.toContain("200 OK");
});

test("RN-11: a drip of header bytes is progress, and is closed all the same", async () => {
  await using server = await listening({ limits: { idleMs: 150 } });
  const slow = connect(server.serving.port, "127.0.0.1");
  const closed = new Promise<void>((resolve) => slow.on("close", () => resolve()));
  slow.on("error", () => {});
  slow.resume();
  await once(slow, "connect");
  slow.write("GET / HTTP/1.1\r\n");
  const dripping = setInterval(() => slow.write("X-A: b\r\n"), 20);
  await closed;
  clearInterval(dripping);
  expect(slow.destroyed).toBe(true);
});

test("RN-11: more requests at once than there are places get 503, and a place is given back", async () => {
  await using server = await listening({ limits: { requests: 2 } });
  const held = [server.send("/v1/slow/wait"), server.send("/v1/slow/wait")];
  await server.stage.when("begun", "slow.wait", 2);
  const third = await server.send("/v1/echo/say");
  expect(third.status).toBe(503);
  expect(third.headers.get("retry-after")).toBe("1");
  expect((await envelopeOf(third)).error).toMatchObject({ code: "E_LIMIT", retryable: true });
  expect((await server.send("/healthz")).status).toBe(200);
  server.stage.release();
  await Promise.all(held);
  expect((await server.send("/v1/echo/say")).status).toBe(200);
});

test("RN-11: a client that leaves gives its call up", async () => {
  await using server = await listening();
  const leaving = new AbortController();
  const left = server.send("/v1/slow/wait", { signal: leaving.signal });
  await server.stage.when("begun", "slow.wait");
  leaving.abort();
  await expect(left).rejects.toThrow(/abort/i);
  await server.stage.when("cancelled", "slow.wait");
  expect(server.stage.cancelled).toEqual(["slow.wait"]);
});

test("CT-29: a caller that accepts events gets progress, then the envelope", async () => {
  await using server = await listening();
  server.stage.release();
  const response = await server.send("/v1/slow/wait?steps=2", { headers: events });
  expect(response.headers.get("content-type")).toContain("text/event-stream");
  const got = await allEvents(response);
  const stream = response.headers.get("content-location")?.split("/").at(-1);
  expect(got.map(({ id, event }) => [id, event])).toEqual([
    [`${stream}.1`, "progress"],
    [`${stream}.2`, "progress"],
    [`${stream}.3`, "envelope"],
  ]);
  expect(got[1]?.data).toMatchObject({ event: "progress", phase: "walk", done: 2, total: 2 });
  expect(got[2]?.data).toMatchObject({ ok: true, command: "slow wait", data: { done: true } });
});

test("CT-29: declared events are the answer, and each has its own name", async () => {
  await using server = await listening();
  const response = await server.send("/v1/slow/pour", { json: { count: 2 }, headers: events });
  const got = await allEvents(response);
  expect(got.map(({ event }) => event)).toEqual(["drop", "drop", "envelope"]);
  expect(got[0]?.data).toEqual({ event: "drop", n: 1, fill: "x".repeat(10) });
});

test("CT-30: a failure within a stream is its last event", async () => {
  await using server = await listening();
  const got = await allEvents(await server.send("/v1/bad/check", { headers: events }));
  expect(got).toMatchObject([{ event: "envelope", data: { ok: false, error: { code: "E_DRIFT" } } }]);
});

test("RN-11: a client that leaves its stream and does not come back gives its call up", async () => {
  await using server = await listening({ limits: { resumeMs: 20 } });
  const leaving = new AbortController();
  const response = await server.send("/v1/slow/wait?steps=1", { headers: events, signal: leaving.signal });
  expect((await eventsOf(response).next()).value?.event).toBe("progress");
  leaving.abort();
  await server.stage.when("cancelled", "slow.wait");
  expect(server.stage.cancelled).toEqual(["slow.wait"]);
});

test("RN-11: one token holds no more streams than its share, and closing one makes room", async () => {
  await using server = await listening({ limits: { streamsPerToken: 2, resumeMs: 20 } });
  const first = new AbortController();
  const options = { headers: events };
  await server.send("/v1/slow/wait", { ...options, signal: first.signal });
  await server.send("/v1/slow/wait", options);
  const third = await server.send("/v1/slow/wait", options);
  expect(third.status).toBe(429);
  expect((await envelopeOf(third)).error?.code).toBe("E_LIMIT");
  expect((await server.send("/v1/slow/wait", { ...options, token: "member-other" })).status).toBe(200);
  first.abort();
  await server.stage.when("cancelled", "slow.wait");
  await until(async () => (await openStreams(server)) === 2);
  expect((await server.send("/v1/slow/wait", options)).status).toBe(200);
});

test("RN-11: a client that does not read its answer is cut off, also when the call has long ended", async () => {
  await using server = await listening({ limits: { idleMs: 1000 } });
  const { port } = server.serving;
  const headers = { Authorization: "Bearer member-token", "Content-Type": "application/json" };
  const echo = request({ port, host: "127.0.0.1", path: "/v1/echo/say", method: "POST", headers });
  echo.on("error", () => {});
  // Escapes make the answer larger than what the sockets of both ends hold.
  echo.end(JSON.stringify({ text: '"'.repeat(3_900_000) }));
  const [response] = (await once(echo, "response")) as [IncomingMessage];
  response.on("error", () => {});
  expect(response.statusCode).toBe(200);
  await until(async () => server.deps.logged.some((line) => line.includes("cut off")));
  response.resume();
  await new Promise<void>((resolve) => response.on("close", () => resolve()));
  expect(response.complete).toBe(false);
  expect(server.deps.logged).toHaveLength(1);
});

test("RN-11: a reader that reads gets every event of a large stream", async () => {
  await using server = await listening();
  const response = await server.send("/v1/slow/pour", {
    json: { count: 2000, bytes: 10_000 },
    headers: events,
  });
  let drops = 0;
  let last = "";
  for await (const { event } of eventsOf(response)) {
    drops += event === "drop" ? 1 : 0;
    last = event;
  }
  expect([drops, last]).toEqual([2000, "envelope"]);
});

test("RN-11: a thousand idle streams are served within 100 MiB, and one more is refused", async () => {
  await using server = await listening();
  const before = process.memoryUsage().rss;
  const open = async (i: number) => {
    const headers = {
      ...events,
      Authorization: `Bearer member-${Math.floor(i / 50)}`,
      Host: `127.0.0.1:${server.serving.port}`,
    };
    const sent = request({
      port: server.serving.port,
      host: "127.0.0.1",
      path: "/v1/slow/wait",
      headers,
      agent: false,
    });
    sent.on("error", () => {});
    sent.end();
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    response.on("error", () => {});
    return response;
  };
  const responses: IncomingMessage[] = [];
  for (let i = 0; i < 1000; i += 50) {
    responses.push(...(await Promise.all(Array.from({ length: 50 }, (_, k) => open(i + k)))));
  }
  expect(responses.filter((response) => response.statusCode === 200)).toHaveLength(1000);
  // Both ends of every stream live in this process, and both are counted.
  expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
  const { status } = await raw(server.serving.port, {
    path: "/v1/slow/wait",
    headers: { ...events, Authorization: "Bearer member-more" },
  });
  expect(status).toBe(503);
  for (const response of responses) response.destroy();
});

test("RN-8: a server that stops lets a change end, ends what only watches, and takes no more", async () => {
  await using server = await listening();
  const change = server.send("/v1/slow/write", { json: {} });
  const watch = await server.send("/v1/slow/wait", { headers: events });
  await server.stage.when("begun", "slow.write");
  await server.stage.when("begun", "slow.wait");
  const closed = server.serving.close(60_000);
  const [last] = await allEvents(watch);
  expect(last?.data).toMatchObject({ ok: false, error: { code: "E_CANCELLED" } });
  await expect(server.send("/healthz")).rejects.toThrow(/fetch failed/);
  server.stage.release();
  expect((await change).status).toBe(200);
  await closed;
});

test("RN-8: a subscription that only waits for news ends when the server stops, and holds it for nothing", async () => {
  const ended: (string | null)[] = [];
  await using server = await listening({
    mcp: async (request) => {
      const body = new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode(": open\n\n"));
          request.signal.addEventListener("abort", () => {
            ended.push(request.headers.get("mcp-method"));
            controller.close();
          });
        },
      });
      return new Response(body, { headers: { "Content-Type": "text/event-stream" } });
    },
  });
  const headers = { "Mcp-Method": "subscriptions/listen" };
  const news = await server.send("/mcp", { json: {}, headers });
  // Far longer than this test may take.
  const closed = server.serving.close(600_000);
  expect(await news.text()).toBe(": open\n\n");
  await closed;
  expect(ended).toEqual(["subscriptions/listen"]);
});

test("RN-8: a call that outlives the drain is cancelled and still gets its envelope", async () => {
  await using server = await listening();
  const change = server.send("/v1/slow/write", { json: {} });
  await server.stage.when("begun", "slow.write");
  await server.serving.close(10);
  expect((await envelopeOf(await change)).error?.code).toBe("E_CANCELLED");
});

async function openStreams(server: TestServer): Promise<number> {
  const text = await (await server.send("/metrics", { token: "owner-token" })).text();
  return Number(/^writ_http_streams_open (\d+)$/m.exec(text)?.[1]);
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await turn();
}
