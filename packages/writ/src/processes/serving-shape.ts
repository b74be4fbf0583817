import * as z from "zod";

/** Where `serve` and `up` listen, as both are asked. */
export const portInput = z
  .int()
  .min(0)
  .max(65535)
  .optional()
  .meta({ env: "WRIT_PORT" })
  .describe("Port to listen on; 0 takes any free one. Default 4747.");

/** What both say while they serve, a line each. */
export const servingEvent = () => z.object({ event: z.string(), text: z.string() });

/** What both answer with once they have stopped. */
export const servedOutput = () =>
  z.object({
    url: z.string().describe("Where it served."),
    mcp_url: z.string().describe("Where it served MCP."),
    pid: z.int().describe("The process that serves."),
    already: z
      .boolean()
      .describe("True when another process serves this workspace; then nothing was started."),
  });
