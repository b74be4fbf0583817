import * as z from "zod";
import { capability } from "../../contract/index.ts";
import { mcpConfigs } from "../mcp-config/record.ts";
import { renderConfigChange } from "../mcp-config/render.ts";
import { clientInput, configOutput } from "../mcp-config/schema.ts";

export default capability({
  id: "mcp.install",
  summary: "Add this workspace's MCP server to an agent client's configuration.",
  description:
    "Writes one entry into the client's own file in this workspace and leaves every other byte of it as it is. " +
    "A file that cannot be read as its format is refused and not touched. --dry-run shows the entry and where it would stand.",
  input: z.object({ client: clientInput }),
  output: () => z.object(configOutput),
  need: { effect: "local", network: "never", workspace: "required" },
  commits: mcpConfigs,
  undo: "mcp.uninstall",
  errors: ["E_UNKNOWN_CLIENT", "E_EXISTS", "DATA_ERROR", "E_UNSAFE_LINK", "E_LIMIT", "E_STORE_LOCKED"],
  examples: [
    { title: "Claude Code", input: { client: "claude-code" } },
    { title: "See what would be written for VS Code", input: { client: "vscode", dry_run: true } },
  ],
  related: ["mcp", "mcp uninstall"],
  run: async (ctx, { client }) => ({
    ...(await (await import("../mcp-config/change.ts")).installClient(ctx, client)),
  }),
  render: (data, style) => renderConfigChange(data, style),
});
