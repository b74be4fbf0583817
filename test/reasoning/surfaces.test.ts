import { request } from "node:http";
import { networkInterfaces } from "node:os";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, test } from "vitest";
import { createResources } from "../../packages/writ/src/app/resources.ts";
import type { Envelope } from "../../packages/writ/src/contract/index.ts";
import { commands } from "../../packages/writ/src/generated/commands.ts";
import { manual } from "../../packages/writ/src/generated/manual.ts";
import { systemClock, systemIds } from "../../packages/writ/src/platform/index.ts";
import { createHttpApp, serveHttp } from "../../packages/writ/src/surfaces/http/index.ts";
import { buildOpenApi } from "../../packages/writ/src/surfaces/http/openapi.ts";
import { buildTools, createMcpHttp, descriptionBytes } from "../../packages/writ/src/surfaces/mcp/index.ts";
import { withoutTransport } from "../support/same.ts";
import { runLine } from "../support/terminal.ts";
import { type Bed, bedNone } from "./bed.ts";

const attempt = { kind: "attempt", attempt: "Raised the pool to 50", observed_failure: "Refused at 40" };

/** A bed behind a real server that every address of this machine reaches. */
async function served(bed: Bed, trustedProxies: string[] = []) {
  const { data } = await bed.call("token.create", { subject: "user:ana", role: "owner" });
  const { app, root } = bed.app;
  const registry = await app.registry();
  const deps = { ...app, registry, root, clock: systemClock, ids: systemIds, log: () => {} };
  const mcp = createMcpHttp(deps, { profile: [], tools: ["all"] });
  const options = { host: "0.0.0.0", public: true, port: 0, trustedProxies, mcp: mcp.fetch };
  const { port, close } = await serveHttp(deps, options);
  const token = String(data.token);
  return {
    deps,
    port,
    token,
    /** A call by one of this machine's addresses, as a caller elsewhere makes it. */
    post: (host: string, path: string, input: object) =>
      new Promise<{ status: number; envelope: Envelope }>((resolve, reject) => {
        const headers = {
          Host: `localhost:${port}`,
          Authorization: `Bearer ${token}`,
          "Content-Type": "application/json",
        };
        const sent = request({ host, port, path, method: "POST", headers, agent: false }, (response) => {
          const parts: Buffer[] = [];
          response.on("data", (part: Buffer) => parts.push(part));
          response.on("end", () => {
            const envelope = JSON.parse(Buffer.concat(parts).toString()) as Envelope;
            resolve({ status: response.statusCode ?? 0, envelope });
          });
        });
        sent.on("error", reject);
        sent.end(JSON.stringify(input));
      }),
    async mcp(): Promise<Client> {
      const client = new Client({ name: "test", version: "1" });
      const requestInit = { headers: { Authorization: `Bearer ${token}` } };
      const url = new URL(`http://127.0.0.1:${port}/mcp`);
      await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
      return client;
    },
    async [Symbol.asyncDispose]() {
      await close(0);
      await mcp.close();
    },
  };
}

const elsewhere = Object.values(networkInterfaces())
  .flat()
  .find((one) => one?.family === "IPv4" && !one.internal)?.address;

test.runIf(elsewhere !== undefined)(
  "RS-116: over a network records and questions are refused, and the rest answers (RC-53)",
  async () => {
    await using bed = bedNone();
    await using server = await served(bed);
    const far = elsewhere ?? "";
    for (const [path, input] of [
      ["/v1/reasoning/record", { record: attempt }],
      ["/v1/reasoning/record", { record: attempt, dry_run: true }],
      ["/v1/reasoning/consult", { assessment: "assessment_none" }],
    ] as const) {
      const { status, envelope } = await server.post(far, path, input);
      expect([status, envelope.error?.code, envelope.exit_code]).toEqual([403, "E_LOCAL_ONLY", 2]);
    }
    expect((await server.post(far, "/v1/reasoning/status", {})).status).toBe(200);
    const near = await server.post("127.0.0.1", "/v1/reasoning/record", { record: attempt });
    expect([near.status, near.envelope.data.changed]).toEqual([200, true]);
  },
);

test("RS-116: who sits behind a proxy, or at no socket at all, is not this machine", async () => {
  await using bed = bedNone();
  await using server = await served(bed, ["127.0.0.1"]);
  const proxied = await server.post("127.0.0.1", "/v1/reasoning/record", { record: attempt });
  expect([proxied.status, proxied.envelope.error?.code]).toEqual([403, "E_LOCAL_ONLY"]);
  const client = await server.mcp();
  const told = await client.callTool({ name: "reasoning_record", arguments: { record: attempt } });
  expect(told.structuredContent).toMatchObject({ error: { code: "E_LOCAL_ONLY" } });
  await client.close();
  const { app } = createHttpApp(server.deps, { port: 4747 });
  const bare = await app.request("http://localhost:4747/v1/reasoning/record", {
    method: "POST",
    headers: {
      Host: "localhost:4747",
      Authorization: `Bearer ${server.token}`,
      "Content-Type": "application/json",
    },
    body: JSON.stringify({ record: attempt }),
  });
  expect(bare.status).toBe(403);
});

test("RS-116: what is taken from this machine only says so wherever it is described", async () => {
  const marked = commands.filter(({ loopback }) => loopback).map(({ id }) => id);
  expect(marked).toEqual(["reasoning.consult", "reasoning.record"]);
  const listed = manual.commands as { capability: string; loopback_only?: boolean; error_codes: string[] }[];
  const only = listed.filter((one) => one.loopback_only);
  expect(only.map(({ capability }) => capability).toSorted()).toEqual(marked);
  expect(only.every(({ error_codes: codes }) => codes.includes("E_LOCAL_ONLY"))).toBe(true);
  await using bed = bedNone();
  const { rows } = await bed.app.app.registry();
  const { paths } = buildOpenApi(rows, { version: "1", url: "http://x" });
  expect(paths).toMatchObject({ "/v1/reasoning/record": { post: { "x-writ": { loopback_only: true } } } });
});

test("RS-116: what the tools of reasoning say of themselves fits in 6 KiB", async () => {
  await using bed = bedNone();
  const profile = ["advisors", "plan", "record", "consult", "status", "explain", "check"];
  const { tools } = buildTools(await bed.app.app.registry(), {
    profile: profile.map((verb) => `reasoning.${verb}`),
  });
  const own = tools.filter(({ name }) => name.startsWith("reasoning_"));
  expect(own).toHaveLength(7);
  expect(descriptionBytes(own)).toBeLessThan(6 * 1024);
});

test("RS-116, RS-117: one store, the same data on each surface and as a resource (RC-53)", async () => {
  await using bed = bedNone();
  await bed.ok("task.start", { id: "t", profile: "routine" });
  await bed.assess("x", "material");
  await using server = await served(bed);
  const typed = await bed.call("reasoning.status");
  const posted = await server.post("127.0.0.1", "/v1/reasoning/status", {});
  const client = await server.mcp();
  const { structuredContent } = await client.callTool({ name: "reasoning_status", arguments: {} });
  await client.close();
  const same = withoutTransport(typed);
  expect(withoutTransport(posted.envelope)).toBe(same);
  expect(withoutTransport(structuredContent as unknown as Envelope)).toBe(same);
  const { report } = typed.data;
  expect(report).toContain("Unresolved: x");
  const { context } = await bed.ok("task.status");
  expect(context).toContain(report);

  const { execute, registered } = bed.app.app;
  const resources = createResources({ execute, root: bed.root, answered: registered.resources });
  const credential = { token: server.token };
  expect((await resources.list(credential)).map(({ uri }) => uri)).toEqual([
    "writ://reasoning",
    "writ://reasoning/advisors",
  ]);
  const read = await resources.read("writ://reasoning", credential);
  expect(JSON.parse(read.text)).toMatchObject({ report });
  expect(JSON.parse((await resources.read("writ://reasoning/advisors", credential)).text)).toMatchObject({
    operational: true,
    advisors: [],
  });
  await expect(resources.read("writ://reasoning", {})).rejects.toMatchObject({ code: "E_AUTH_REQUIRED" });
  await expect(resources.read("writ://nosuch", credential)).rejects.toMatchObject({ code: "E_NOT_FOUND" });
});

test("RS-116: on the command line a file, or standard input, is the record itself", async () => {
  await using bed = bedNone();
  const run = (words: string, stdin = "") =>
    runLine(bed.app.app, [...words.split(" "), "--json"], { cwd: bed.root, stdin });
  bed.write("attempt.yml", "kind: attempt\nattempt: one\nobserved_failure: it broke\n");
  for (const [words, stdin] of [
    ["reasoning record --file attempt.yml", ""],
    ["reasoning record --file -", "kind: attempt\nattempt: two\nobserved_failure: it broke\n"],
    ["reasoning record --file -", JSON.stringify(attempt)],
  ] as const) {
    const { data, error } = (await run(words, stdin)).envelope();
    expect([error, data.changed]).toEqual([null, true]);
  }
  const { error } = (await run("reasoning record")).envelope();
  expect(error).toMatchObject({
    code: "E_MISSING_INPUT",
    remediation: "Name its file: writ reasoning record --file FILE",
  });
  const list = (await run("reasoning record --file -", "- kind: attempt\n")).envelope();
  expect(list.error?.code).toBe("USAGE_ERROR");
  const help = (await runLine(bed.app.app, ["reasoning", "record", "--help"], { cwd: bed.root })).stdout;
  expect(help).toContain("writ reasoning record --file assessment.yml");
});
