import * as z from "zod";
import { capability } from "../../contract/index.ts";
import { portInput, servedOutput, servingEvent } from "../serving-shape.ts";

export default capability({
  id: "serve",
  summary: "Serve this workspace over HTTP and MCP; no workers.",
  description:
    "Listens on this machine only. Callers show a token (writ token create). A host that other machines can reach needs --public, and TLS in front of it. Ctrl-C drains for ten seconds, a second one stops at once.",
  input: z.object({
    host: z
      .string()
      .max(255)
      .optional()
      .meta({ env: "WRIT_HOST" })
      .describe("Address to listen on. Default 127.0.0.1."),
    port: portInput,
    public: z.boolean().default(false).describe("Allow a host that other machines can reach."),
    allowed_host: z
      .array(z.string().max(255))
      .default([])
      .describe("Name that clients call besides its own addresses, such as that of a proxy in front of it."),
    behind_proxy: z
      .array(z.string())
      .default([])
      .describe("Address of a proxy whose X-Forwarded-* headers are believed."),
  }),
  output: servedOutput,
  events: servingEvent,
  need: { effect: "local", network: "never", workspace: "required" },
  on: ["cli"],
  errors: ["E_INVALID_VALUE", "E_PORT_IN_USE", "E_PUBLIC_REFUSED", "E_STORE_LOCKED", "E_UNSAFE_LINK"],
  examples: [
    { title: "Serve on this machine", input: {} },
    {
      title: "Behind a TLS proxy on the same machine",
      input: {
        host: "0.0.0.0",
        public: true,
        allowed_host: ["writ.example.org"],
        behind_proxy: ["127.0.0.1"],
      },
    },
  ],
  related: ["up", "mcp", "token create"],
  async run(ctx, input) {
    const [{ listenOn }, { serveWorkspace }] = await Promise.all([
      import("../listen-on.ts"),
      import("../serving.ts"),
    ]);
    const at = listenOn(ctx.settings, input);
    if (ctx.dryRun) return dryRun(at);
    const wanted = {
      ...at,
      public: input.public,
      allowedHosts: input.allowed_host,
      trustedProxies: input.behind_proxy,
    };
    const ran = await serveWorkspace(ctx, wanted, async (serving) => {
      ctx.emit({ event: "serving", text: `Address  ${serving.url}` });
      ctx.emit({ event: "serving", text: `MCP      ${serving.mcpUrl}` });
    });
    return {
      ...ran,
      changed: !ran.already,
      ...(ran.already && { reason: `A server of this workspace runs at ${ran.url}.` }),
    };
  },
  render: (data) => (data.already ? `Already serving at ${data.url} (process ${data.pid}).` : "Stopped."),
});

function dryRun(input: { host: string; port: number }) {
  const url = `http://${input.host}:${input.port}`;
  return { url, mcp_url: `${url}/mcp`, pid: 0, already: false, changed: true };
}
