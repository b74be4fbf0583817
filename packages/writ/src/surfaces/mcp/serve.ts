import type { Readable, Writable } from "node:stream";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import type { SurfaceDeps } from "../../contract/index.ts";
import { answersOf, heldBack } from "./answers.ts";
import { answerMalformed } from "./malformed.ts";
import type { McpOptions } from "./options.ts";
import { createMcpServer, createMcpState } from "./server.ts";

/** An MCP server on two streams. */
export interface McpStdio {
  /** Resolves when the client has gone and its calls have ended. */
  closed: Promise<void>;
  close(): Promise<void>;
}

/** Serves MCP on standard input and output, in whichever of the two protocols the client opens with. */
export function serveMcpStdio(
  deps: SurfaceDeps,
  options: McpOptions & { input: Readable; output: Writable },
): McpStdio {
  const state = createMcpState(deps, options);
  const { input, release } = heldBack(options.input);
  // Each answer that waits for a slow reader has a listener of its own; Node takes more than ten for a leak.
  options.output.setMaxListeners(0);
  answerMalformed(options.input, options.output);
  const transport = new StdioServerTransport(input, options.output);
  const gone = new Promise<void>((resolve) => {
    for (const event of ["end", "close"]) options.input.once(event, () => void answered().then(resolve));
    options.input.once("error", () => resolve());
    options.output.once("error", () => resolve());
  });
  const handle = serveStdio(() => createMcpServer(state), {
    transport,
    onerror: (error) => deps.log(`mcp: ${error.message}`),
  });
  const answered = answersOf(transport);
  const settled = async () => void (await Promise.allSettled(state.running));
  let close: () => void = () => {};
  const asked = new Promise<void>((resolve) => {
    close = resolve;
  });
  return {
    closed: Promise.race([gone, asked])
      .then(() => handle.close())
      .then(settled)
      .finally(release),
    close: async () => {
      close();
      await handle.close();
      await settled();
    },
  };
}

/** The MCP handler for an HTTP server, which must admit the caller and bound the body before it asks. */
export function createMcpHttp(
  deps: SurfaceDeps,
  options: Omit<McpOptions, "credential"> & { bodyBytes?: number },
): { fetch(request: Request, peer?: { remote: boolean }): Promise<Response>; close(): Promise<void> } {
  const state = createMcpState(deps, options);
  const handlerOf = (remote: boolean) =>
    createMcpHandler(() => createMcpServer({ ...state, remote }), {
      maxRequestBodySize: options.bodyBytes ?? 8 * 1024 * 1024,
      onerror: (error) => deps.log(`mcp: ${error.message}`),
    });
  // A handler keeps nothing between two requests, so who asks from where can be told by which is asked.
  const [near, far] = [handlerOf(false), handlerOf(true)];
  return {
    fetch: (request, peer) => (peer?.remote ? far : near).fetch(request),
    close: async () => void (await Promise.all([near.close(), far.close()])),
  };
}
