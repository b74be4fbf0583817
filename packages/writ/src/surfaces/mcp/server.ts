import { Server } from "@modelcontextprotocol/server";
import type { SurfaceDeps } from "../../contract/index.ts";
import { callOne, type McpState } from "./call.ts";
import { servePrompts, serveResources } from "./documents.ts";
import type { McpOptions } from "./options.ts";
import { callTool, describeTool } from "./pair.ts";
import { buildTools } from "./tools.ts";

/** What the servers of all connections share; made once, since the tools do not change. */
export function createMcpState(deps: SurfaceDeps, options: McpOptions): McpState {
  return { deps, options, set: buildTools(deps.registry, options), running: new Set() };
}

/**
 * Makes one MCP server: a connection on standard input, or one request over HTTP. The low-level class, since
 * the registry holds JSON Schemas and the executor judges input: a bad argument is an envelope like any other.
 */
export function createMcpServer(state: McpState): Server {
  const { deps } = state;
  const server = new Server(
    { name: "writ", title: "Writ", version: deps.version },
    {
      capabilities: {
        tools: {},
        ...(deps.resources && { resources: {} }),
        ...(deps.prompts && { prompts: {} }),
      },
      instructions: `Every tool answers with one envelope: ok, data, warnings, error. What is not listed is found with ${describeTool} and called with ${callTool}.`,
    },
  );
  server.setRequestHandler("tools/list", () => ({ tools: state.set.tools }));
  server.setRequestHandler("tools/call", (request, ctx) => callOne(state, request.params, ctx));
  serveResources(server, state);
  servePrompts(server, state);
  return server;
}
