import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { defaultLimits } from "../../packages/writ/src/surfaces/http/limits.ts";
import { createStreams } from "../../packages/writ/src/surfaces/http/streams.ts";
import {
  allEvents,
  envelopeOf,
  eventsOf,
  listening,
  type ServerEvent,
  type TestServer,
} from "../support/http-surface.ts";

const events = { Accept: "text/event-stream" };

/** Opens a stream, reads `count` events and loses the connection. */
async function loseAfter(server: TestServer, count: number, path = "/v1/slow/wait?steps=3") {
  const leaving = new AbortController();
  const response = await server.send(path, { headers: events, signal: leaving.signal });
  const got: ServerEvent[] = [];
  const reading = eventsOf(response);
  while (got.length < count) got.push((await reading.next()).value as ServerEvent);
  leaving.abort();
  return { at: response.headers.get("content-location") ?? "", last: got.at(-1)?.id ?? "", got };
}

const resume = (server: TestServer, at: string, had: { last?: string; token?: string } = {}) =>
  server.send(at, {
    token: had.token ?? "member-token",
    headers: { ...events, ...(had.last && { "Last-Event-ID": had.last }) },
  });

test("RN-11: a reader that lost its stream goes on behind the last event it has, to the envelope", async () => {
  await using server = await listening();
  const { at, last } = await loseAfter(server, 2);
  const rest = await resume(server, at, { last });
  server.stage.release();
  const got = await allEvents(rest);
  expect(got.map(({ event }) => event)).toEqual(["progress", "envelope"]);
  expect(got[0]?.data).toMatchObject({ done: 3 });
  expect(got[1]?.data).toMatchObject({ ok: true, data: { done: true } });
  expect(server.stage.begun).toEqual(["slow.wait"]);
});

test("RN-11: without Last-Event-ID a stream is read from its beginning, also when its call has ended", async () => {
  await using server = await listening();
  server.stage.release();
  const { at } = await loseAfter(server, 4);
  const again = await allEvents(await resume(server, at));
  expect(again.map(({ event }) => event)).toEqual(["progress", "progress", "progress", "envelope"]);
  expect((await resume(server, at, { last: again.at(-1)?.id })).status).toBe(204);
});

test("RN-11: the call itself, sent again with the id of an event it had, is resumed and not made twice", async () => {
  await using server = await listening();
  const { last } = await loseAfter(server, 1);
  const read = await resume(server, "/v1/slow/wait?steps=3", { last });
  server.stage.release();
  expect((await allEvents(read)).map(({ event }) => event)).toEqual(["progress", "progress", "envelope"]);
  const leaving = new AbortController();
  const posted = { json: { count: 2 }, headers: events };
  const first = await server.send("/v1/slow/pour", { ...posted, signal: leaving.signal });
  const drop = (await eventsOf(first).next()).value as ServerEvent;
  leaving.abort();
  const headers = { ...events, "Last-Event-ID": drop.id };
  const rest = await allEvents(await server.send("/v1/slow/pour", { ...posted, headers }));
  expect(rest.map(({ event }) => event)).toEqual(["drop", "envelope"]);
  expect(server.stage.begun).toEqual(["slow.wait", "slow.pour"]);
});

test("RN-11: another token cannot read, resume or end a stream, nor learn that it is there", async () => {
  await using server = await listening();
  const { at, last } = await loseAfter(server, 1);
  const stranger = "member-stranger";
  const refused = await resume(server, at, { last, token: stranger });
  expect(refused.status).toBe(404);
  const unknown = await resume(server, `/v1/streams/${"0".repeat(32)}`, { token: stranger });
  expect((await envelopeOf(refused)).error).toEqual((await envelopeOf(unknown)).error);
  expect((await resume(server, "/v1/slow/wait", { last, token: stranger })).status).toBe(404);
  expect((await server.send(at, { token: stranger, method: "DELETE" })).status).toBe(404);
  expect((await server.send(at, { token: null, headers: events })).status).toBe(401);
  expect(server.stage.cancelled).toEqual([]);
  expect((await resume(server, at, { last })).status).toBe(200);
});

test("RN-11: a stream that nobody comes back for is gone, and its call with it", async () => {
  await using server = await listening({ limits: { resumeMs: 20 } });
  const { at, last } = await loseAfter(server, 1);
  await server.stage.when("cancelled", "slow.wait");
  const late = await resume(server, at, { last });
  expect(late.status).toBe(404);
  expect((await envelopeOf(late)).error).toMatchObject({ code: "E_NOT_FOUND" });
});

test("RN-11: a caller that wants no more of a call says so and need not wait", async () => {
  await using server = await listening();
  const { at } = await loseAfter(server, 1);
  expect((await server.send(at, { method: "DELETE" })).status).toBe(204);
  await server.stage.when("cancelled", "slow.wait");
  expect((await server.send(at, { method: "DELETE" })).status).toBe(404);
});

test("RN-11: a second reader takes the stream from the first", async () => {
  await using server = await listening();
  const first = await server.send("/v1/slow/wait?steps=1", { headers: events });
  const reading = eventsOf(first);
  const { id } = (await reading.next()).value as ServerEvent;
  const second = await resume(server, first.headers.get("content-location") ?? "", { last: id });
  await expect(reading.next()).rejects.toThrow(/terminated/);
  server.stage.release();
  expect((await allEvents(second)).map(({ event }) => event)).toEqual(["envelope"]);
});

test("RN-11: a position that the stream never had is refused", async () => {
  await using server = await listening();
  const { at, last } = await loseAfter(server, 1);
  const { at: other, last: otherLast } = await loseAfter(server, 1);
  expect(other).not.toBe(at);
  for (const wrong of ["5", "nonsense.1", `${last}000`, otherLast]) {
    const refused = await resume(server, at, { last: wrong });
    expect([wrong, refused.status]).toEqual([wrong, 400]);
  }
  expect(server.stage.cancelled).toEqual([]);
});

test("RN-11: a reader that does not read loses its stream, resumes it and is told what it missed", async () => {
  await using server = await listening();
  const { port } = server.serving;
  const headers = { ...events, Authorization: "Bearer member-token", "Content-Type": "application/json" };
  const sent = request({ port, host: "127.0.0.1", path: "/v1/slow/pour", method: "POST", headers });
  sent.on("error", () => {});
  // 200 MB, of which nothing is read beyond what the sockets hold.
  const count = 20_000;
  sent.end(JSON.stringify({ count, bytes: 10_000 }));
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  response.on("error", () => {});
  const at = response.headers["content-location"] ?? "";
  while (!(await openStreams(server)).includes("writ_http_streams_open 0\n")) await turn();
  expect(process.memoryUsage().arrayBuffers).toBeLessThan(64 * 1024 * 1024);
  const got = await allEvents(await resume(server, at));
  const missed = Number(Object(got[0]?.data).count);
  expect(got[0]).toEqual({ id: "", event: "missed", data: { event: "missed", count: missed } });
  expect(got[1]?.data).toMatchObject({ event: "drop", n: missed + 1 });
  expect(got).toHaveLength(count - missed + 2);
  expect(got.at(-1)?.data).toMatchObject({ ok: true, data: { poured: count } });
  response.destroy();
});

test("RN-11: all streams together keep no more than their bound, and what has ended goes first", () => {
  const limits = { ...defaultLimits, streamBytes: 4000, allStreamBytes: 10_000, streamsPerToken: 3 };
  const streams = createStreams(limits);
  const dropped: string[] = [];
  const fill = (id: string, owner: string) => {
    const stream = streams.open({ id, owner, onDropped: () => dropped.push(id) });
    for (let n = 0; n < 100; n++) stream.send("event", { text: "x".repeat(100) });
    return stream;
  };
  fill("a", "ana").end();
  const live = fill("b", "ana");
  fill("c", "ben");
  expect(dropped).toEqual(["a"]);
  const others = ["d", "e", "f", "g"].map((id) => fill(id, "cem"));
  expect(dropped).toEqual(["a"]);
  for (const stream of [live, ...others]) expect(stream.last).toBe(100);
  expect(streams.bytes).toBeGreaterThan(5000);
  expect(streams.bytes).toBeLessThanOrEqual(10_000);
  others[1]?.end();
  fill("h", "cem").drop();
  expect(dropped).toEqual(["a", "e", "h"]);
  expect(streams.find("ana", "b")).toBe(live);
  expect(streams.find("ben", "b")).toBeUndefined();
  for (const [owner, id] of [
    ["ana", "b"],
    ["ben", "c"],
    ["cem", "d"],
    ["cem", "f"],
    ["cem", "g"],
  ] as const) {
    streams.find(owner, id)?.drop();
  }
  expect(streams.bytes).toBe(0);
});

async function openStreams(server: TestServer): Promise<string> {
  return (await server.send("/metrics", { token: "owner-token" })).text();
}
