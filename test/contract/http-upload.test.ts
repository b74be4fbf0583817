import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import * as z from "zod";
import { expect, test } from "vitest";
import { type Capability, capability, type Registry } from "../../packages/writ/src/contract/index.ts";
import { openInput } from "../../packages/writ/src/governance/index.ts";
import { type ServeHttpOptions, serveHttp } from "../../packages/writ/src/surfaces/http/index.ts";
import { describe as describeCapability } from "../../scripts/registry/describe.ts";
import { allEvents, envelopeOf, untilClosed } from "../support/http-surface.ts";
import { surfaceDeps } from "../support/surface.ts";

/** Reads what it is given to the end, and says what that was. */
const take = capability({
  id: "file.take",
  summary: "Take a file in.",
  input: z.object({
    from: z.string().describe("The file; - is standard input.").meta({ local_path: true }),
    times: z.int().default(1).describe("A number."),
  }),
  output: () => z.object({ bytes: z.int().describe("Its size."), hash: z.string().describe("Its hash.") }),
  need: { effect: "local", network: "never", workspace: "none" },
  errors: ["E_NOT_FOUND"],
  examples: [
    { title: "A file", input: { from: "a.txt" } },
    { title: "Standard input", input: { from: "-" } },
  ],
  async run(ctx, { from }) {
    const hash = createHash("sha256");
    let bytes = 0;
    for await (const chunk of (await ctx.open(from)).bytes()) {
      hash.update(chunk);
      bytes += chunk.length;
    }
    return { bytes, hash: hash.digest("hex"), changed: !ctx.dryRun };
  },
}) as unknown as Capability;

async function serving(options: ServeHttpOptions = {}) {
  const rows = [describeCapability(take)];
  const registry: Registry = {
    rows,
    find: (id) => rows.find((row) => row.id === id),
    load: async () => take,
  };
  const server = await serveHttp(surfaceDeps(registry, { open: openInput }), { port: 0, ...options });
  return {
    port: server.port,
    send: (query: string, body: string | Uint8Array | ReadableStream, headers: Record<string, string> = {}) =>
      fetch(`${server.url}/v1/file/take${query}`, {
        method: "POST",
        headers: {
          Authorization: "Bearer member-token",
          "Content-Type": "application/octet-stream",
          ...headers,
        },
        body,
        duplex: "half",
      } as RequestInit),
    [Symbol.asyncDispose]: () => server.close(0),
  };
}

const uploads = () => readdirSync(tmpdir()).filter((name) => name.startsWith("writ-upload-"));

test("RN-11: a file larger than any body is streamed to the disk, read as standard input, and gone afterwards", async () => {
  const before = uploads();
  await using server = await serving({ limits: { bodyBytes: 1000 } });
  const chunk = new Uint8Array(64 * 1024).fill(7);
  const count = 64;
  const expected = createHash("sha256");
  for (let i = 0; i < count; i++) expected.update(chunk);
  const file = ReadableStream.from(Array.from({ length: count }, () => chunk));
  const answer = await envelopeOf(await server.send("?from=-&times=2", file));
  expect(answer).toMatchObject({
    ok: true,
    data: { bytes: count * chunk.length, hash: expected.digest("hex"), changed: true, dry_run: false },
  });
  expect(uploads()).toEqual(before);
});

test("RN-11: an upload has bounds of its own: size and time without progress", async () => {
  const before = uploads();
  await using server = await serving({ limits: { uploadBytes: 1000, idleMs: 100 } });
  const large = await server.send("?from=-", new Uint8Array(2000));
  expect(large.status).toBe(413);
  expect((await envelopeOf(large)).error).toMatchObject({ code: "E_LIMIT", details: { limit: 1000 } });
  const silent = await untilClosed(
    server.port,
    `POST /v1/file/take?from=- HTTP/1.1\r\nHost: localhost:${server.port}\r\nAuthorization: Bearer member-token\r\n` +
      "Content-Type: application/octet-stream\r\nContent-Length: 100\r\n\r\nbegun",
  );
  expect(silent).toMatch(/^HTTP\/1\.1 408 /);
  expect(uploads()).toEqual(before);
});

test("RN-11: a body that nothing would read is refused unread, and the address is checked like any input", async () => {
  await using server = await serving();
  const unread = await server.send("?from=a.txt", "text");
  expect(unread.status).toBe(415);
  expect((await envelopeOf(unread)).error?.remediation).toContain("?from_file=-");
  const unknown = await server.send("?form=-", "text");
  expect((await envelopeOf(unknown)).error).toMatchObject({ details: { unknown: "form", nearest: "from" } });
});

test("CT-19, RN-11: an upload can be rehearsed, and answered as events", async () => {
  const before = uploads();
  await using server = await serving();
  const rehearsed = await server.send("?from=-&dry_run=true", "text");
  expect((await envelopeOf(rehearsed)).data).toMatchObject({ bytes: 4, changed: false, dry_run: true });
  const streamed = await server.send("?from=-", "text", { Accept: "text/event-stream" });
  const events = await allEvents(streamed);
  expect(events.at(-1)).toMatchObject({ event: "envelope", data: { ok: true, data: { bytes: 4 } } });
  expect(uploads()).toEqual(before);
});
