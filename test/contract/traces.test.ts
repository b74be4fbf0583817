import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { tempFolder } from "../fixtures/temp-folder.ts";
import { remoteStep } from "../../packages/writ/src/platform/traces.ts";
import { serveHttp } from "../../packages/writ/src/surfaces/http/index.ts";
import { createMcpHttp } from "../../packages/writ/src/surfaces/mcp/index.ts";
import { awkward, createStage } from "../support/awkward.ts";
import { surfaceDeps } from "../support/surface.ts";
import { otlpReceiver } from "../support/otlp-receiver.ts";
import { testApp } from "../support/test-app.ts";

const run = promisify(execFile);
const [server, internal] = [2, 1];

test("RN-9: each call is one span that names it, its surface and its end, and never what it was given", async () => {
  await using receiver = await otlpReceiver();
  await using made = testApp({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: `${receiver.url}/` } });
  const subject = "client:chiffchaff";
  const created = await made.call("token.create", { subject, role: "member" });
  await made.call("token.list", {}, { surface: "http" });
  await made.call("token.revoke", { id: "tok_chiffchaff" });
  await made.call("chiffchaff.sing");
  await made.app.close();
  expect(created.ok).toBe(true);
  expect(receiver.paths).toEqual(["/v1/traces"]);
  const calls = receiver.spans.filter((span) => span.name !== "commit");
  const facts = calls.map(({ name, kind, attributes, status }) => [name, kind, attributes, status.code ?? 0]);
  const of = (capability: string, surface: string) => ({
    "writ.capability": capability,
    "writ.surface": surface,
  });
  expect(facts).toEqual([
    ["token.create", internal, { ...of("token.create", "cli"), "writ.exit_code": 0 }, 0],
    ["token.list", server, { ...of("token.list", "http"), "writ.exit_code": 0 }, 0],
    [
      "token.revoke",
      internal,
      { ...of("token.revoke", "cli"), "writ.exit_code": 2, "error.type": "E_NOT_FOUND" },
      2,
    ],
    ["unknown", internal, { ...of("unknown", "cli"), "writ.exit_code": 1, "error.type": "USAGE_ERROR" }, 2],
  ]);
  expect(receiver.text()).not.toContain("chiffchaff");
  expect(receiver.text()).not.toContain(String(created.data.token));
  expect(receiver.text()).not.toContain(made.root);
});

test("RN-9: the commit of a call is a step within its span", async () => {
  await using receiver = await otlpReceiver();
  await using made = testApp({ env: { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${receiver.url}/my/traces` } });
  await made.call("token.create", { subject: "client:one", role: "member" });
  await made.app.close();
  expect(receiver.paths).toEqual(["/my/traces"]);
  const call = receiver.spans.find((span) => span.name === "token.create");
  const commit = receiver.spans.find((span) => span.name === "commit");
  expect(commit).toMatchObject({ traceId: call?.traceId, parentSpanId: call?.spanId });
  expect(commit?.attributes).toEqual({ "writ.capability": "token.create" });
  const times = [
    call?.startTimeUnixNano,
    commit?.startTimeUnixNano,
    commit?.endTimeUnixNano,
    call?.endTimeUnixNano,
  ];
  const grown = times.map((time) => BigInt(time ?? 0));
  expect(grown.toSorted((a, b) => Number(a - b))).toEqual(grown);
});

test("RN-9: over HTTP a call is a step of the caller's own trace, when the caller names one", async () => {
  await using receiver = await otlpReceiver();
  await using made = testApp({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url } });
  const [traceId, spanId] = ["4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"];
  const traceparent = `00-${traceId}-${spanId}-01`;
  await made.call("schema", {}, { surface: "http", traceparent });
  await made.call("schema", {}, { surface: "http", traceparent: "chiffchaff" });
  await made.app.close();
  expect(receiver.spans[0]).toMatchObject({ traceId, parentSpanId: spanId });
  expect(receiver.spans[1]?.traceId).not.toBe(traceId);
  expect(receiver.spans[1]?.parentSpanId ?? "").toBe("");
});

test("RN-9: over MCP a call is a step of the caller's trace, named for the request or in the call itself", async () => {
  const [header, own] = [
    "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
    "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b8-01",
  ];
  const deps = surfaceDeps(awkward(createStage()));
  const mcp = createMcpHttp(deps, { profile: ["echo.say"] });
  const serving = await serveHttp(deps, { port: 0, mcp: mcp.fetch });
  const call = async (params: Record<string, unknown>) => {
    const asked = await fetch(serving.url + "/mcp", {
      method: "POST",
      headers: {
        Authorization: "Bearer member-token",
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
        traceparent: header,
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
    });
    expect(await asked.text()).toContain("chiffchaff");
  };
  const asks = { name: "echo_say", arguments: { text: "chiffchaff" } };
  await call(asks);
  await call({ ...asks, _meta: { traceparent: own } });
  expect(deps.calls.map(({ traceparent }) => traceparent)).toEqual([header, own]);
  await serving.close(0);
  await mcp.close();
});

test("RN-9: a caller's step is read as the recommendation writes it, and anything else is none", () => {
  const [trace, span] = ["4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"];
  const step = { traceId: trace, spanId: span, traceFlags: 1 };
  expect(remoteStep(`00-${trace}-${span}-01`)).toEqual(step);
  expect(remoteStep(` 00-${trace}-${span}-00`)).toEqual({ ...step, traceFlags: 0 });
  expect(remoteStep(`cc-${trace}-${span}-03-what-comes`)).toEqual(step);
  for (const text of [
    "",
    `00-${trace}-${span}-01-more`,
    `ff-${trace}-${span}-01`,
    `00-${"0".repeat(32)}-${span}-01`,
    `00-${trace}-${"0".repeat(16)}-01`,
    `00-${trace.toUpperCase()}-${span}-01`,
    `00-${trace}-${span}-01, 00-${trace}-${span}-01`,
  ])
    expect(remoteStep(text)).toBeUndefined();
});

test("RN-9: what sends traces has the name its variable gives, else the product's", async () => {
  for (const [name, expected] of [
    ["tea", "tea"],
    ["", "writ"],
  ]) {
    await using receiver = await otlpReceiver();
    await using made = testApp({
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_SERVICE_NAME: name ?? "" },
    });
    await made.call("schema");
    await made.app.close();
    expect(receiver.resources).toMatchObject([
      { "service.name": expected, "service.version": made.app.version },
    ]);
  }
});

test("RN-9: a receiver that is not there fails no call", async () => {
  const gone = await otlpReceiver();
  await gone[Symbol.asyncDispose]();
  await using made = testApp({
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: gone.url, OTEL_EXPORTER_OTLP_TIMEOUT: "100" },
  });
  expect(await made.call("schema")).toMatchObject({ ok: true, warnings: [] });
  await expect(made.app.close()).resolves.toBeUndefined();
});

test("RN-9: without the variables, or with the switch that turns them off, nothing of it is loaded", async () => {
  await using receiver = await otlpReceiver();
  using folder = tempFolder("writ-traces");
  const program = join(import.meta.dirname, "programs/one-call.ts");
  const loadedWith = async (env: Record<string, string>) => {
    const options = { env: { HOME: folder.path, PATH: process.env.PATH, ...env } };
    const { stdout } = await run(process.execPath, [program, folder.path], options);
    return JSON.parse(stdout) as { ok: boolean; loaded: string[] };
  };
  const OTEL_EXPORTER_OTLP_ENDPOINT = receiver.url;
  const quiet: Record<string, string>[] = [
    {},
    { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SDK_DISABLED: "true" },
    { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_EXPORTER: "none" },
  ];
  const nothing = { ok: true, loaded: [] };
  expect(await Promise.all(quiet.map(loadedWith))).toEqual([nothing, nothing, nothing]);
  expect(receiver.spans).toEqual([]);
  const on = await loadedWith({ OTEL_EXPORTER_OTLP_ENDPOINT });
  expect(on.loaded).toContain("@opentelemetry/sdk-trace");
  expect(receiver.spans.map(({ name }) => name)).toEqual(["schema"]);
});
