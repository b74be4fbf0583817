import { createServer } from "node:net";
import { once } from "node:events";
import { expect, test } from "vitest";
import { Client } from "@modelcontextprotocol/client";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { Envelope } from "../../packages/writ/src/contract/index.ts";
import { writJson } from "./harness.ts";
import { startWrit } from "./running.ts";
import { workspace } from "./workspace.ts";

const anyPort = ["--port", "0"];

test("RN-8: up says where everything is, serves it, and says so again to whoever starts it twice", async () => {
  using it = workspace();
  await using up = startWrit(["up", ...anyPort], it);
  await up.until(/^Workers .*$/m);
  const shown = Object.fromEntries(
    up.stdout
      .trim()
      .split("\n")
      .map((line) => [line.split(" ")[0], line.split(/ +/)[1] ?? ""]),
  );
  expect(Object.keys(shown)).toEqual(["Workspace", "Address", "Page", "Token", "MCP", "Store", "Workers"]);
  const { Address: address = "", Token: token = "", Page: page = "", MCP: mcp = "" } = shown;
  expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(mcp).toBe(`${address}/mcp`);
  expect(shown).toMatchObject({ Workspace: it.cwd, Store: ".writ/writ.db" });

  expect(await (await fetch(`${address}/healthz`)).text()).toBe("ok\n");
  const ask = (headers: Record<string, string>) =>
    fetch(`${address}/v1/token/list`, { method: "POST", headers });
  expect((await ask({})).status).toBe(401);
  const answer = (await (await ask({ Authorization: `Bearer ${token}` })).json()) as Envelope;
  expect(answer.data.tokens).toMatchObject([{ subject: "client:up", role: "admin" }]);
  const login = () => fetch(page, { redirect: "manual" });
  expect((await login()).headers.get("set-cookie")).toContain("HttpOnly");
  expect((await login()).headers.get("set-cookie")).toBe(null);
  const cockpit = await fetch(`${address}/reasoning`, { headers: { Accept: "text/html" } });
  const script = /src="(\/assets\/[^"]+\.js)"/.exec(await cockpit.text())?.[1];
  expect((await fetch(`${address}${script}`)).headers.get("cache-control")).toContain("immutable");
  const client = new Client({ name: "test", version: "1" });
  const headers = { Authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(mcp), { requestInit: { headers } }));
  expect((await client.listTools()).tools.length).toBeGreaterThan(2);
  await client.close();

  const second = await writJson(["up", ...anyPort], it);
  expect(second.code).toBe(0);
  expect(lastLine(second.stdout)).toMatchObject({
    ok: true,
    data: { already: true, changed: false, url: address, mcp_url: mcp, pid: up.child.pid },
  });

  const elsewhere = await writJson(["up", "--port", "4801", "--no-open"], it);
  expect(lastLine(elsewhere.stdout).data.reason).toContain(`up at ${address}, and keeps that port`);

  up.child.kill("SIGINT");
  expect(await up.ended).toBe(0);
  expect(up.stderr).not.toContain("[ERROR]");
  await expect(fetch(`${address}/healthz`)).rejects.toThrow("fetch failed");
  expect((await writJson(["token", "list"], it)).envelope.data.tokens).toEqual([]);
  const { envelope } = await writJson(["ledger", "list"], it);
  const done = (envelope.data.events as { capability: string }[]).map((event) => event.capability);
  expect(done).toEqual(["token.revoke", "token.create"]);
});

test("RN-8: up can be started again after it was stopped, and after it was killed", async () => {
  using it = workspace();
  for (const signal of ["SIGTERM", "SIGKILL", "SIGINT"] as const) {
    await using up = startWrit(["up", ...anyPort], it);
    await up.until(/^Workers /m);
    up.child.kill(signal);
    expect(await up.ended).toBe(signal === "SIGKILL" ? "SIGKILL" : 0);
  }
});

test("RN-8, RN-9: with --json each line of up and serve is a document, and the envelope is the last", async () => {
  using it = workspace();
  await using serve = startWrit(["serve", ...anyPort, "--json"], it);
  await serve.until(/MCP/);
  serve.child.kill("SIGINT");
  expect(await serve.ended).toBe(0);
  const lines = serve.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.map((line) => line.event ?? line.command)).toEqual(["serving", "serving", "serve"]);
  expect(lines.at(-1)).toMatchObject({ ok: true, data: { already: false, changed: true } });
});

test("RN-9: a host that others can reach needs --public, and a port that is taken is named", async () => {
  using it = workspace();
  const open = await writJson(["serve", "--host", "0.0.0.0", ...anyPort], it);
  expect(open.code).toBe(1);
  expect(lastLine(open.stdout).error).toMatchObject({ code: "E_PUBLIC_REFUSED", exit_code: 1 });

  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as { port: number };
  for (const args of [
    ["serve", "--port", String(port)],
    ["up", "--port", String(port)],
  ]) {
    const taken = await writJson(args, it);
    expect(taken.code).toBe(3);
    const { error } = lastLine(taken.stdout);
    expect(error).toMatchObject({ code: "E_PORT_IN_USE", category: "dependency", details: { port } });
  }
  other.close();
  expect((await writJson(["token", "list"], it)).envelope.data.tokens).toEqual([]);
});

test("CT-35, RN-9: WRIT_PORT and WRIT_HOST stand in for the flags, and what cannot be a port is refused", async () => {
  using it = workspace();
  const dry = (env: Record<string, string>, ...flags: string[]) =>
    writJson(["serve", "--dry-run", ...flags], { ...it, env });
  const set = { WRIT_PORT: "5151", WRIT_HOST: "127.0.0.2" };
  expect(lastLine((await dry(set)).stdout).data.url).toBe("http://127.0.0.2:5151");
  expect(lastLine((await dry(set, "--port", "6161")).stdout).data.url).toBe("http://127.0.0.2:6161");
  expect(lastLine((await dry({})).stdout).data.url).toBe("http://127.0.0.1:4747");
  expect(lastLine((await dry({ WRIT_PORT: "many" })).stdout).error?.code).toBe("E_INVALID_VALUE");
});

test("RN-8: up outside every workspace says how to make one", async () => {
  using it = workspace();
  const ran = await writJson(["up", ...anyPort], { cwd: `${it.cwd}/..` });
  expect(ran.code).toBe(1);
  expect(lastLine(ran.stdout).error).toMatchObject({ code: "E_NO_WORKSPACE" });
});

function lastLine(stdout: string): Envelope {
  return JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
}
