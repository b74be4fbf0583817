import { fail, nearest } from "../../contract/index.ts";

/** A client's own configuration of the workspace, and what Writ's entry in it looks like. */
export interface McpClient {
  id: string;
  name: string;
  /** Relative to the workspace's root; the first that exists is used, else the first. */
  files: readonly [string, ...string[]];
  format: "json" | "jsonc" | "toml";
  /** Where its servers stand in the file. */
  container: string;
  entry: Readonly<Record<string, unknown>>;
  checkedOn: string;
}

/** The name of Writ's entry, in every client. */
export const entryName = "writ";

const checkedOn = "2026-11";
// The clients of a terminal start their servers in the folder they work in, and Writ walks up from there.
const here = { command: "writ", args: ["mcp"] };
// The editors start theirs anywhere, and replace this variable by the folder that is open.
const inEditor = { command: "writ", args: ["mcp", "--workspace", "${workspaceFolder}"] };

/** The table of clients: a client is added by adding a row. */
export const mcpClients: readonly McpClient[] = [
  {
    id: "claude-code",
    name: "Claude Code",
    files: [".mcp.json"],
    format: "json",
    container: "mcpServers",
    entry: here,
    checkedOn,
  },
  {
    id: "codex",
    name: "Codex",
    files: [".codex/config.toml"],
    format: "toml",
    container: "mcp_servers",
    entry: here,
    checkedOn,
  },
  {
    id: "cursor",
    name: "Cursor",
    files: [".cursor/mcp.json"],
    format: "jsonc",
    container: "mcpServers",
    entry: inEditor,
    checkedOn,
  },
  {
    id: "gemini-cli",
    name: "Gemini CLI",
    files: [".gemini/settings.json"],
    format: "jsonc",
    container: "mcpServers",
    entry: here,
    checkedOn,
  },
  {
    id: "vscode",
    name: "VS Code",
    files: [".vscode/mcp.json"],
    format: "jsonc",
    container: "servers",
    entry: { type: "stdio", ...inEditor },
    checkedOn,
  },
  {
    id: "opencode",
    name: "OpenCode",
    files: ["opencode.json", "opencode.jsonc"],
    format: "jsonc",
    container: "mcp",
    entry: { type: "local", command: ["writ", "mcp"], enabled: true },
    checkedOn,
  },
];

/** The row of a client; throws E_UNKNOWN_CLIENT with the list. */
export function findMcpClient(id: string): McpClient {
  const known = mcpClients.map((client) => client.id);
  const found = mcpClients.find((client) => client.id === id);
  if (found) return found;
  const near = nearest(id, known);
  throw fail("E_UNKNOWN_CLIENT", {
    message: `No client is named "${id.slice(0, 80)}".`,
    cause: `Writ configures ${known.join(", ")}.`,
    remediation:
      near === undefined
        ? `Name one of them: writ mcp install --client ${known[0]}`
        : `Did you mean ${near}? writ mcp install --client ${near}`,
    details: { client: id.slice(0, 80), known, ...(near !== undefined && { nearest: near }) },
  });
}
