import type { ClientEntry } from "../model/tables.ts";

/** Programs a session may run in. One that serves several vendors names none. */
export const shippedClients: ClientEntry[] = [
  { id: "claude-code", title: "Claude Code", vendor: "anthropic", executable: "claude" },
  { id: "codex", title: "Codex", vendor: "openai", executable: "codex" },
  { id: "gemini-cli", title: "Gemini CLI", vendor: "google", executable: "gemini" },
  { id: "antigravity", title: "Antigravity", vendor: "google", executable: "agy" },
  { id: "copilot-cli", title: "Copilot CLI", executable: "copilot" },
  { id: "cursor-agent", title: "Cursor Agent", executable: "cursor-agent" },
  { id: "opencode", title: "OpenCode", executable: "opencode" },
  { id: "generic-client", title: "Another client" },
];
