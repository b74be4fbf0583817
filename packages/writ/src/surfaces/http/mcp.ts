import type { Context, Hono } from "hono";
import { isRemote } from "./addresses.ts";
import { readBody } from "./body.ts";
import type { Http, HttpEnv } from "./options.ts";

/** Mounts the MCP handler that the composition root gave, behind the same checks and bounds as every call. */
export function mountMcp(app: Hono<HttpEnv>, http: Http): void {
  const { mcp } = http.options;
  if (!mcp) return;
  app.all("/mcp", async (c) => {
    c.set("route", "mcp");
    const request = await forwardable(c, http);
    // Taken before the call begins: a call must not be refused half way for want of a place.
    const leave = http.traffic.openStream(c.get("caller").owner);
    try {
      return whenRead(await mcp(request, { remote: isRemote(c, http.options) }), leave);
    } catch (error) {
      leave();
      throw error;
    }
  });
}

async function forwardable(c: Context<HttpEnv>, http: Http): Promise<Request> {
  const { method, headers, url, signal } = c.req.raw;
  const body = method === "POST" ? await readBody(c.req.raw, http.limits) : undefined;
  const copied = new Headers(headers);
  // Only a token passes on: a page's session is no way into MCP.
  copied.delete("cookie");
  // A subscription never ends by itself; the protocol makes every request name its method in this header.
  const watches = headers.get("mcp-method") === "subscriptions/listen";
  return new Request(url, {
    method,
    headers: copied,
    signal: AbortSignal.any([signal, watches ? http.draining.signal : http.stopping.signal]),
    ...(body && { body: new Uint8Array(body) }),
  });
}

/** The same response, which says when its last byte has been taken or its reader has left. */
function whenRead(response: Response, leave: () => void): Response {
  if (!response.body || !response.headers.get("content-type")?.startsWith("text/event-stream")) {
    leave();
    return response;
  }
  const reader = response.body.getReader();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        leave();
        throw error;
      });
      if (!done) return controller.enqueue(value);
      leave();
      controller.close();
    },
    async cancel(reason) {
      leave();
      await reader.cancel(reason);
    },
  });
  return new Response(body, { status: response.status, headers: response.headers });
}
