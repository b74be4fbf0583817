import * as z from "zod";
import { capability } from "../../contract/index.ts";
import { portInput, servedOutput, servingEvent } from "../serving-shape.ts";

export default capability({
  id: "up",
  summary: "Start everything for one workspace in one process: HTTP, MCP and the page.",
  description:
    "Listens on this machine only, on the embedded store. Prints where it is, a link that logs a browser in once, and a token that ends with this server. Run again, it says where the first one runs. Ctrl-C drains for ten seconds, a second one stops at once.",
  input: z.object({
    port: portInput,
    example: z
      .boolean()
      .default(false)
      .describe("Make a small example workspace in ./writ-example first, offline."),
    open: z
      .boolean()
      .default(true)
      .describe("Whether the page is opened in a browser, when this is a terminal on a desktop."),
  }),
  output: servedOutput,
  events: servingEvent,
  need: { effect: "local", network: "never", workspace: "optional" },
  on: ["cli"],
  errors: ["E_INVALID_VALUE", "E_NO_WORKSPACE", "E_PORT_IN_USE", "E_STORE_LOCKED", "E_UNSAFE_LINK"],
  examples: [
    { title: "Serve the workspace you stand in", input: {} },
    { title: "On another port, without opening the page", input: { port: 4800, open: false } },
    { title: "Try Writ in a small example workspace", input: { example: true } },
  ],
  related: ["serve", "status", "token create"],
  async run(ctx, input) {
    const { up } = await import("../up.ts");
    return up(ctx, input);
  },
  render: ({ already, reason, pid }) => (already ? `${reason ?? "Already up."} Process ${pid}.` : "Stopped."),
});
