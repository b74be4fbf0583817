import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterEach, describe, expect, test } from "vitest";
import type { Envelope, SurfaceDeps } from "../../packages/writ/src/contract/index.ts";
import { fail, hintsOf, toolName } from "../../packages/writ/src/contract/index.ts";
import { serveHttp } from "../../packages/writ/src/surfaces/http/index.ts";
import { buildTools, createMcpHttp, descriptionBytes } from "../../packages/writ/src/surfaces/mcp/index.ts";
import { awkward, createStage } from "../support/awkward.ts";
import { surfaceDeps } from "../support/surface.ts";

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

type Era = "auto" | "legacy";
const eras = [
  ["2026-07-28", "auto"],
  ["2025-11-25", "legacy"],
] as const;
const profile = ["echo.say", "slow.wait", "bad.check", "bad.throw", "bad.deny", "tree.show", "thing.keep"];

function client(era: Era): Client {
  return new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: era } });
}

async function overHttp(
  era: Era,
  options: { tools?: string[]; token?: string; deps?: Partial<SurfaceDeps> } = {},
) {
  const stage = createStage();
  const deps = { ...surfaceDeps(awkward(stage)), ...options.deps };
  const mcp = createMcpHttp(deps, { profile, ...(options.tools && { tools: options.tools }) });
  const serving = await serveHttp(deps, { port: 0, mcp: mcp.fetch });
  ends.push(async () => {
    stage.release();
    await serving.close(0);
  });
  const connected = client(era);
  const headers = { Authorization: `Bearer ${options.token ?? "member-token"}` };
  const transport = new StreamableHTTPClientTransport(new URL(`${serving.url}/mcp`), {
    requestInit: { headers },
  });
  await connected.connect(transport);
  ends.push(() => connected.close());
  return { client: connected, stage, deps, serving };
}

async function overStdio(era: Era) {
  const folder = await mkdtemp(join(tmpdir(), "writ-mcp-"));
  ends.push(() => rm(folder, { recursive: true, force: true }));
  const told = join(folder, "told");
  const script = join(import.meta.dirname, "../support/mcp-stdio.ts");
  const transport = new StdioClientTransport({ command: process.execPath, args: [script, told] });
  const connected = client(era);
  await connected.connect(transport);
  ends.push(() => connected.close());
  const lines = async () => (await readFile(told, "utf8").catch(() => "")).trim().split("\n");
  const until = async (line: string) => {
    while (!(await lines()).includes(line)) await turn();
  };
  return { client: connected, until, lines };
}

async function call(connected: Client, name: string, args: Record<string, unknown> = {}) {
  const result = await connected.callTool({ name, arguments: args });
  return { result, envelope: result.structuredContent as unknown as Envelope };
}

describe.each(eras)("MCP %s", (version, era) => {
  test("CT-29, RN-13: over HTTP and on standard input a tool answers with the envelope", async () => {
    for (const connect of [overHttp, overStdio]) {
      const { client: connected } = await connect(era);
      expect(connected.getNegotiatedProtocolVersion()).toBe(version);
      expect(connected.getServerVersion()).toMatchObject({ name: "writ", version: "1.2.3" });
      await connected.listTools();
      const { result, envelope } = await call(connected, "echo_say", { text: "héllo", tags: ["a"] });
      expect(result.isError ?? false).toBe(false);
      expect(envelope).toMatchObject({ ok: true, command: "echo say", data: { text: "héllo", tags: ["a"] } });
      expect(result.content).toEqual([{ type: "text", text: JSON.stringify(envelope) }]);
    }
  });

  test("CT-29: a failure is a result that says so, with the envelope and its data", async () => {
    const { client: connected } = await overHttp(era);
    await connected.listTools();
    const failed = await call(connected, "bad_check");
    expect(failed.result.isError).toBe(true);
    expect(failed.envelope).toMatchObject({
      ok: false,
      data: { found: ["a.md"] },
      error: { code: "E_DRIFT" },
    });
    const thrown = await call(connected, "bad_throw");
    expect(thrown.envelope.error?.code).toBe("INTERNAL_ERROR");
    expect(JSON.stringify(thrown.result)).not.toContain("secret detail");
    expect((await call(connected, "bad_deny")).envelope.error?.code).toBe("E_ROLE_REQUIRED");
  });

  test("CT-22: an argument the schema does not know is an envelope with the nearest", async () => {
    const { client: connected } = await overHttp(era);
    const { envelope } = await call(connected, "echo_say", { txet: "a" });
    expect(envelope.error).toMatchObject({
      code: "USAGE_ERROR",
      details: { unknown: "txet", nearest: "text" },
    });
    await expect(connected.callTool({ name: "eco_say", arguments: {} })).rejects.toThrow(
      /nearest is echo_say/,
    );
  });

  test("CT-20: the idempotency key is an argument, or stands in _meta", async () => {
    const { client: connected, deps } = await overHttp(era);
    const name = "keep";
    await connected.callTool({ name, arguments: { name: "cup", dry_run: true, idempotency_key: "k-1" } });
    await connected.callTool({ name, arguments: { name: "cup" }, _meta: { idempotency_key: "k-2" } });
    const calls = (deps as ReturnType<typeof surfaceDeps>).calls;
    expect(calls.map((one) => one.idempotencyKey)).toEqual(["k-1", "k-2"]);
    expect(calls[0]?.input).toEqual({ name: "cup", dry_run: true });
    const { envelope } = await call(connected, "echo_say", { idempotency_key: "k-3" });
    expect(envelope.error?.code).toBe("USAGE_ERROR");
  });

  test("RN-14: a client that asks for progress gets it, growing", async () => {
    const { client: connected, stage } = await overHttp(era);
    const got: { progress: number; message?: string }[] = [];
    stage.release();
    await connected.callTool(
      { name: "slow_wait", arguments: { steps: 3 } },
      { onprogress: (one) => got.push(one) },
    );
    expect(got.map((one) => one.progress)).toEqual([1, 2, 3]);
    expect(got[1]?.message).toBe("walk 2 of 3");
  });

  test("RN-14: a client that goes away from HTTP cancels its call", async () => {
    const { client: connected, stage } = await overHttp(era);
    const gone = connected.callTool({ name: "slow_wait", arguments: {} });
    gone.catch(() => {});
    await stage.when("begun", "slow.wait");
    await connected.close();
    await stage.when("cancelled", "slow.wait");
    expect(stage.cancelled).toEqual(["slow.wait"]);
  });

  test("RN-14: on standard input a cancelled request cancels its call, and so does a client that goes away", async () => {
    const stdio = await overStdio(era);
    const got: number[] = [];
    const leaving = new AbortController();
    const left = stdio.client.callTool(
      { name: "slow_wait", arguments: { steps: 2 } },
      { signal: leaving.signal, onprogress: ({ progress }) => got.push(progress) },
    );
    left.catch(() => {});
    await stdio.until("begun 1");
    leaving.abort();
    await stdio.until("cancelled 1");
    expect(got).toEqual([1, 2]);
    expect((await call(stdio.client, "echo_say", { text: "still" })).envelope.data).toEqual({
      text: "still",
    });
    const gone = stdio.client.callTool({ name: "slow_wait", arguments: {} });
    gone.catch(() => {});
    await stdio.until("begun 2");
    await stdio.client.close();
    await stdio.until("closed");
    expect(await stdio.lines()).toEqual(["begun 1", "cancelled 1", "begun 2", "cancelled 2", "closed"]);
  });

  test("RN-14: what was asked before the input ended is answered", () => {
    const asked = (id: number, method: string, params: Record<string, unknown> = {}) =>
      JSON.stringify({ jsonrpc: "2.0", id, method, params });
    const hello = {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "hand", version: "1" },
    };
    const lines = [
      asked(1, "initialize", hello),
      '{"jsonrpc":"2.0","method":"notifications/initialized"}',
      asked(2, "tools/list"),
      asked(3, "tools/call", { name: "echo_say", arguments: { text: "last" } }),
    ];
    const program = join(import.meta.dirname, "../support/mcp-stdio.ts");
    const { stdout } = spawnSync(process.execPath, [program], {
      input: `${lines.join("\n")}\n`,
      encoding: "utf8",
    });
    const answers = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { id: number; result?: unknown });
    expect(new Set(answers.map(({ id }) => id))).toEqual(new Set([1, 2, 3]));
    expect(answers.every(({ result }) => result !== undefined)).toBe(true);
  });

  test("RN-13: the pair describes and calls everything else, under the same rules", async () => {
    const { client: connected } = await overHttp(era);
    await connected.listTools();
    const all = await call(connected, "capability_describe");
    const capabilities = all.envelope.data.capabilities as { capability: string; listed: boolean }[];
    expect(capabilities).toContainEqual(
      expect.objectContaining({ capability: "group.many-words", listed: false }),
    );
    expect(capabilities.map((one) => one.capability)).not.toContain("here.only");
    const one = await call(connected, "capability_describe", { capability: "slow_write" });
    expect(one.envelope.data).toMatchObject({
      capability: "slow.write",
      tool: "slow_write",
      hints: { readOnlyHint: false },
    });
    const called = await call(connected, "capability_call", { capability: "group.many-words" });
    expect(called.envelope).toMatchObject({ ok: true, command: "group many-words" });
    const denied = await call(connected, "capability_call", { capability: "bad_deny" });
    expect(denied.result.isError).toBe(true);
    expect(denied.envelope.error?.code).toBe("E_ROLE_REQUIRED");
    const unknown = await call(connected, "capability_call", { capability: "echo.sya" });
    expect(unknown.envelope.error).toMatchObject({ code: "USAGE_ERROR", details: { nearest: "echo.say" } });
    const missing = await call(connected, "capability_call");
    expect(missing.envelope.error?.code).toBe("E_MISSING_INPUT");
    const odd = await call(connected, "capability_call", { capability: "echo.say", inptu: {} });
    expect(odd.envelope.error).toMatchObject({ details: { nearest: "input" } });
    await expect(connected.callTool({ name: "slow_write", arguments: {} })).rejects.toThrow(
      /capability_call/,
    );
  });

  test("RN-14: resources and prompts come from their ports", async () => {
    const resources: SurfaceDeps["resources"] = {
      list: async () => [{ uri: "file:AGENTS.md", name: "AGENTS.md", mimeType: "text/markdown" }],
      read: async (uri) => {
        if (uri === "file:AGENTS.md") return { mimeType: "text/markdown", text: "# Read me" };
        throw fail("E_NOT_FOUND", {
          message: `There is no ${uri}.`,
          cause: "None.",
          remediation: "writ status",
        });
      },
    };
    const prompts = async () => [{ name: "start", title: "Getting started", text: "Do this first." }];
    const { client: connected } = await overHttp(era, { deps: { resources, prompts } });
    expect((await connected.listResources()).resources).toMatchObject([{ uri: "file:AGENTS.md" }]);
    const read = await connected.readResource({ uri: "file:AGENTS.md" });
    expect(read.contents).toMatchObject([{ uri: "file:AGENTS.md", text: "# Read me" }]);
    await expect(connected.readResource({ uri: "file:gone" })).rejects.toThrow(/There is no file:gone/);
    expect((await connected.listPrompts()).prompts).toMatchObject([
      { name: "start", title: "Getting started", description: "Getting started" },
    ]);
    const prompt = await connected.getPrompt({ name: "start" });
    expect(prompt.messages).toEqual([{ role: "user", content: { type: "text", text: "Do this first." } }]);
    await expect(connected.getPrompt({ name: "strat" })).rejects.toThrow(/nearest is start/);
  });

  test("CT-31: HTTP and MCP answer the same input with the same bytes", async () => {
    const { client: connected, serving, deps } = await overHttp(era, { tools: ["all"] });
    // The client has the schemas from here on, and refuses an answer that does not fit its own.
    await connected.listTools();
    const inputs: [string, Record<string, unknown>][] = deps.registry.rows
      .filter((row) => row.on.includes("mcp") && !row.id.startsWith("slow."))
      .flatMap((row) =>
        row.examples.map(({ input }) => [row.id, input] as [string, Record<string, unknown>]),
      );
    inputs.push(["echo.say", { txet: 1 }], ["echo.say", { times: 99 }], ["echo.say", { dry_run: true }]);
    inputs.push(["keep", {}], ["bad.check", { code: "E_NOT_FOUND" }]);
    for (const [id, input] of inputs) {
      const row = deps.registry.find(id) ?? deps.registry.rows.find((one) => one.path.join(".") === id);
      const json = row?.mutates ? { ...input, dry_run: true } : input;
      const posted = await fetch(`${serving.url}/v1/${row?.path.join("/")}`, {
        method: "POST",
        headers: { Authorization: "Bearer member-token", "Content-Type": "application/json" },
        body: JSON.stringify(json),
      });
      const { result } = await call(connected, toolName(row as NonNullable<typeof row>), json);
      const [content] = result.content as { text: string }[];
      const unkeyed = (text: string) => text.replace(/"key":"\w+"/, "");
      expect(unkeyed(`${content?.text}\n`)).toBe(unkeyed(await posted.text()));
    }
  });
});

test("RN-13: what is no message is answered with the protocol's error, on both transports", async () => {
  const bodies = [
    "no json",
    "[]",
    '{"jsonrpc":"2.0","id":7,"method":"tools/list","params":[]}',
    '{"id":3,"method":"ping"}',
  ];
  const program = join(import.meta.dirname, "../support/mcp-stdio.ts");
  const { stdout } = spawnSync(process.execPath, [program], {
    input: `${bodies.join("\n")}\n`,
    encoding: "utf8",
  });
  type Answer = { id: unknown; error: { code: number } };
  const codes = (answers: string[]) =>
    answers.map((text) => JSON.parse(text) as Answer).map(({ id, error }) => [id, error.code]);
  expect(codes(stdout.trim().split("\n"))).toEqual([
    [null, -32700],
    [null, -32600],
    [7, -32602],
    [3, -32600],
  ]);
  const { serving } = await overHttp("auto");
  const headers = {
    Authorization: "Bearer member-token",
    "Content-Type": "application/json",
    Accept: "application/json, text/event-stream",
  };
  const answers: string[] = [];
  for (const body of bodies) {
    const response = await fetch(`${serving.url}/mcp`, { method: "POST", headers, body });
    expect(response.status).toBe(400);
    answers.push(await response.text());
  }
  expect(codes(answers)).toEqual([
    [null, -32700],
    [null, -32600],
    [7, -32600],
    [3, -32600],
  ]);
});

test("RN-9: MCP over HTTP needs a token like every call", async () => {
  await expect(overHttp("auto", { token: "wrong" })).rejects.toThrow(/token|401|unauthorized/i);
  await expect(overHttp("legacy", { token: "wrong" })).rejects.toThrow(/token|401|unauthorized/i);
});

test("RN-13: the default set is the profile and the pair; a group adds itself, all adds everything", () => {
  const registry = awkward(createStage());
  const names = (tools: string[]) =>
    buildTools(registry, { profile: ["echo.say", "not.built.yet"], tools }).tools.map((one) => one.name);
  expect(names([])).toEqual(["echo_say", "capability_describe", "capability_call"]);
  expect(names(["slow"])).toEqual([
    "echo_say",
    "slow_wait",
    "slow_write",
    "slow_pour",
    "capability_describe",
    "capability_call",
  ]);
  const offered = registry.rows.filter((row) => row.on.includes("mcp"));
  expect(names(["all"])).toHaveLength(offered.length + 2);
  expect(() => names(["slwo"])).toThrow(/USAGE_ERROR/);
});

test("CT-29: a tool's hints follow from its effect, and its schemas stand as they are", () => {
  const registry = awkward(createStage());
  const { tools } = buildTools(registry, { profile: [], tools: ["all"] });
  for (const row of registry.rows.filter((one) => one.on.includes("mcp"))) {
    const tool = tools.find((one) => one.name === toolName(row));
    expect(tool?.annotations).toEqual(hintsOf(row));
    expect(tool?.inputSchema.additionalProperties).toBe(false);
    expect(Object.keys(tool?.inputSchema.properties ?? {})).toEqual([
      ...Object.keys(row.input.properties as object),
      ...(row.mutates ? ["idempotency_key"] : []),
    ]);
  }
  expect(descriptionBytes(tools)).toBeLessThan(24 * 1024);
});

test.each(eras)(
  "RN-8: a connected MCP client (%s) does not hold a server that stops, its call does",
  async (_version, era) => {
    const { client: connected, stage, serving } = await overHttp(era, { tools: ["slow"] });
    const idle = client(era);
    const requestInit = { headers: { Authorization: "Bearer member-token" } };
    await idle.connect(new StreamableHTTPClientTransport(new URL(`${serving.url}/mcp`), { requestInit }));
    ends.push(() => idle.close());
    const changed = connected.callTool({ name: "slow_write", arguments: {} });
    await stage.when("begun", "slow.write");
    // Far longer than this test may take: what the drain waits for is only the call.
    const closed = serving.close(600_000);
    stage.release();
    expect((await changed).structuredContent).toMatchObject({ ok: true, data: { changed: true } });
    await closed;
    expect(stage.cancelled).toEqual([]);
  },
);
