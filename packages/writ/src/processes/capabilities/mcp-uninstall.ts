import * as z from "zod";
import { capability } from "../../contract/index.ts";
import { mcpConfigs } from "../mcp-config/record.ts";
import { renderConfigChange } from "../mcp-config/render.ts";
import { clientInput, configOutput } from "../mcp-config/schema.ts";

export default capability({
  id: "mcp.uninstall",
  summary: "Take this workspace's MCP server out of an agent client's configuration.",
  description:
    "Removes exactly what writ mcp install added: the entry, and the file where nothing else is in it. An entry that somebody has changed is theirs, and is refused.",
  input: z.object({ client: clientInput }),
  output: () => z.object(configOutput),
  need: { effect: "local", network: "never", workspace: "required" },
  commits: mcpConfigs,
  undo: "mcp.install",
  errors: ["E_UNKNOWN_CLIENT", "E_EXISTS", "DATA_ERROR", "E_UNSAFE_LINK", "E_LIMIT", "E_STORE_LOCKED"],
  examples: [
    { title: "Claude Code", input: { client: "claude-code" } },
    { title: "See what would be taken out for Codex", input: { client: "codex", dry_run: true } },
  ],
  related: ["mcp", "mcp install"],
  run: async (ctx, { client }) => ({
    ...(await (await import("../mcp-config/change.ts")).uninstallClient(ctx, client)),
  }),
  render: (data, style) => renderConfigChange(data, style),
});
