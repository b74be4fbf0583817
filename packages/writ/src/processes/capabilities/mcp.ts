import * as z from "zod";
import { capability } from "../../contract/index.ts";

export default capability({
  id: "mcp",
  summary: "Serve MCP on standard input and output, for one workspace.",
  description:
    "For an agent client that starts its servers itself. It offers the tools an agent needs in any workspace, and a pair through which everything else is reached. It ends when the client goes away.",
  input: z.object({
    tools: z.array(z.string()).default([]).describe("Add a whole group of tools by its first word, or all."),
  }),
  output: () => z.object({}),
  need: { effect: "observe", network: "never", workspace: "required" },
  on: ["cli"],
  errors: [],
  examples: [
    { title: "What a client's configuration runs", input: {} },
    { title: "With every tool", input: { tools: ["all"] } },
  ],
  related: ["serve", "up"],
  async run(ctx, { tools }) {
    const { requireHost, requireWorkspace } = await import("../serving.ts");
    const token = ctx.settings.env("WRIT_TOKEN");
    await requireHost(ctx).serveMcp({
      root: requireWorkspace(ctx),
      tools,
      ...(token && { token }),
      signal: ctx.signal,
    });
    return {};
  },
});
