import type { AdapterFacts } from "../catalogue/findings.ts";

/** Every dialect Writ speaks: what is known of it without loading it. A test holds each row against its module. */
export const adapterFacts: AdapterFacts = {
  "openai-chat": { transports: ["api", "local_runtime"], sealed: true },
  "anthropic-messages": { transports: ["api"], sealed: true },
  "ollama-chat": { transports: ["local_runtime"], sealed: true, default_address: "http://127.0.0.1:11434" },
  "claude-cli": { transports: ["cli"], sealed: true },
  "gemini-cli": { transports: ["cli"], sealed: false },
  "codex-exec": { transports: ["cli"], sealed: true },
  stdio: { transports: ["cli"], sealed: false },
};
