import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, test } from "vitest";
import type { Envelope } from "../../packages/writ/src/contract/index.ts";
import { descriptionBytes } from "../../packages/writ/src/surfaces/mcp/index.ts";
import { cleanEnv, launcher, writ } from "./harness.ts";
import { workspace } from "./workspace.ts";

/** A client that starts `writ mcp` as its configuration says. */
async function connected(cwd: string, ...flags: string[]) {
  const args = [launcher(), "mcp", ...flags];
  const transport = new StdioClientTransport({
    command: process.execPath,
    args,
    cwd,
    env: cleanEnv({ cwd }),
  });
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport);
  return {
    client,
    pid: transport.pid ?? 0,
    call: async (name: string, input: Record<string, unknown> = {}) =>
      (await client.callTool({ name, arguments: input })).structuredContent as unknown as Envelope,
    [Symbol.asyncDispose]: () => client.close(),
  };
}

test("RN-13: writ mcp offers at most 20 tools in at most 24 KiB, and the pair reaches the rest", async () => {
  using it = workspace();
  await using mcp = await connected(it.cwd);
  const { tools } = await mcp.client.listTools();
  expect(tools.length).toBeLessThanOrEqual(20);
  expect(descriptionBytes(tools as never)).toBeLessThanOrEqual(24 * 1024);
  const names = tools.map((tool) => tool.name);
  expect(names).toEqual(expect.arrayContaining(["status", "capability_describe", "capability_call"]));
  expect(names).not.toContain("token_list");
  expect(await mcp.call("status")).toMatchObject({ ok: true, command: "status" });
  expect(await mcp.call("capability_call", { capability: "ledger.list" })).toMatchObject({
    ok: true,
    command: "ledger list",
  });
  // Whoever speaks MCP on standard input is an agent, also through the pair.
  const owner = { capability: "token.create", input: { role: "owner" } };
  expect((await mcp.call("capability_call", owner)).error).toMatchObject({ code: "E_HUMAN_REQUIRED" });
  const wrong = await mcp.call("status", { nosuch: 1 });
  expect(wrong.error).toMatchObject({ code: "USAGE_ERROR" });
});

test("RN-13: --tools all offers everything that stands on MCP, and the server ends with its client", async () => {
  using it = workspace();
  const mcp = await connected(it.cwd, "--tools", "all");
  const { tools } = await mcp.client.listTools();
  expect(tools.map((tool) => tool.name)).toEqual(expect.arrayContaining(["token_list", "ledger_verify"]));
  await mcp.client.close();
  await expect.poll(() => isAlive(mcp.pid), { timeout: 20_000 }).toBe(false);
});

test("RN-13: writ mcp outside every workspace ends with an error and speaks no protocol", async () => {
  using it = workspace();
  const ran = await writ(["mcp"], { cwd: `${it.cwd}/..` });
  expect(ran).toMatchObject({ code: 1, stdout: "" });
  expect(ran.stderr).toContain("E_NO_WORKSPACE");
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
