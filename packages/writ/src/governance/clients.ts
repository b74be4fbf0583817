/** Variables by which agent clients mark the processes they start, and the client each one means. */
export const clientMarks: readonly { variable: string; client: string }[] = [
  { variable: "CLAUDECODE", client: "claude-code" },
  { variable: "CODEX_SANDBOX", client: "codex" },
  { variable: "CODEX_THREAD_ID", client: "codex" },
  { variable: "GEMINI_CLI", client: "gemini-cli" },
  { variable: "CURSOR_AGENT", client: "cursor" },
  { variable: "OPENCODE", client: "opencode" },
];
