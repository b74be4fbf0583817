import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import type { Envelope, Row } from "../../packages/writ/src/contract/index.ts";
import { systemClock, systemIds } from "../../packages/writ/src/platform/index.ts";
import { serveHttp } from "../../packages/writ/src/surfaces/http/index.ts";
import { heavyCommands } from "../support/heavy-commands.ts";
import { eventsOf } from "../support/http-surface.ts";
import { testApp } from "../support/test-app.ts";

/** A server whose heavy calls run in processes of their own. */
async function serving() {
  const commands = heavyCommands();
  const heavyEntry = pathToFileURL(join(import.meta.dirname, "../support/heavy-entry.ts"));
  const it = testApp({ commands, heavyEntry });
  const made = await it.call("token.create", { subject: "user:bob", role: "member" });
  const registry = {
    ...commands,
    rows: commands.rows as Row[],
    find: (id: string) => commands.find(id) as Row,
  };
  const { app, root } = it;
  const deps = { ...app, registry, root, clock: systemClock, ids: systemIds, log: () => {} };
  const http = await serveHttp(deps, { port: 0 });
  return {
    it,
    url: http.url,
    /** The process that a heavy call noted in a file, or 0. */
    noted: (file: string) =>
      existsSync(join(root, file)) ? Number(readFileSync(join(root, file), "utf8")) : 0,
    think: (input: object, init: { accept?: string; signal?: AbortSignal } = {}) =>
      fetch(`${http.url}/v1/heavy/think`, {
        method: "POST",
        headers: {
          Authorization: `Bearer ${String(made.data.token)}`,
          "Content-Type": "application/json",
          ...(init.accept && { Accept: init.accept }),
        },
        body: JSON.stringify(input),
        ...(init.signal && { signal: init.signal }),
      }),
    async [Symbol.asyncDispose]() {
      await http.close(0);
      await it[Symbol.asyncDispose]();
    },
  };
}

// How long a process takes to begin or end is the machine's affair.
const patience = { timeout: 20_000 };
const expectGone = (pid: number) => expect.poll(() => isAlive(pid), patience).toBe(false);

const stream = { accept: "text/event-stream" };

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test("a heavy call runs in another process, whose progress, warnings and answer come back", async () => {
  await using server = await serving();
  const events = [];
  for await (const event of eventsOf(await server.think({}, stream))) events.push(event);
  const [progress, last] = events as unknown as [
    { data: { item: string; run: string } },
    { event: string; data: Envelope },
  ];
  expect(progress.data).toMatchObject({ event: "progress", phase: "think" });
  expect(progress.data.run).toMatch(/^act_/);
  expect(last.event).toBe("envelope");
  expect(last.data).toMatchObject({ ok: true, command: "heavy think", warnings: [{ code: "W_KEY_FILE" }] });
  expect(last.data.data).toEqual({
    workspace: { root: server.it.root, source: "flag" },
    pid: Number(progress.data.item),
  });
  expect(last.data.data.pid).not.toBe(process.pid);
  await expectGone(Number(progress.data.item));
});

test("CT-4: a heavy call that fails is the same error with the same data", async () => {
  await using server = await serving();
  const answer = (await (await server.think({ fault: true })).json()) as Envelope;
  expect(answer.error).toMatchObject({ code: "E_DRIFT", message: "m", exit_code: 2 });
  expect(answer.data.pid).not.toBe(process.pid);
});

test("at the command line a heavy call runs where it was typed", async () => {
  await using server = await serving();
  expect((await server.it.call("heavy.think")).data.pid).toBe(process.pid);
});

test("CT-37: a heavy call that its caller gives up is cancelled in its process, which ends", async () => {
  await using server = await serving();
  const leaving = new AbortController();
  const left = server.think({ hold: true }, { signal: leaving.signal });
  left.catch(() => {});
  await expect.poll(() => server.noted("begun"), patience).toBeGreaterThan(0);
  const pid = server.noted("begun");
  expect(isAlive(pid)).toBe(true);
  leaving.abort();
  await expectGone(pid);
  expect(server.noted("cancelled")).toBe(pid);
});

test("a heavy call whose process is killed is answered with an error, and the server lives on", async () => {
  await using server = await serving();
  let answer: Envelope | undefined;
  let pid = 0;
  for await (const event of eventsOf(await server.think({ hold: true }, stream))) {
    if (event.event === "envelope") answer = event.data as Envelope;
    else {
      pid = Number((event.data as { item: string }).item);
      process.kill(pid, "SIGKILL");
    }
  }
  expect(answer).toMatchObject({ ok: false, command: "heavy think", error: { code: "INTERNAL_ERROR" } });
  expect(JSON.stringify(answer)).not.toMatch(/SIGKILL|\.ts:/);
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  const again = (await (await server.think({})).json()) as Envelope;
  expect(again.ok).toBe(true);
  expect(again.data.pid).not.toBe(pid);
});
