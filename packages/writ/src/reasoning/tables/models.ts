import type { ModelEntry, VendorEntry } from "../model/tables.ts";

/** Parties that serve models. */
export const shippedVendors: VendorEntry[] = [
  { id: "openai", title: "OpenAI", inference: "remote", credential_env: "OPENAI_API_KEY" },
  { id: "anthropic", title: "Anthropic", inference: "remote", credential_env: "ANTHROPIC_API_KEY" },
  { id: "google", title: "Google", inference: "remote", credential_env: "GEMINI_API_KEY" },
  {
    id: "openai-compatible",
    title: "OpenAI-compatible server",
    inference: "remote",
    credential_env: "WRIT_COMPAT_API_KEY",
  },
  { id: "ollama", title: "Ollama", inference: "local" },
  { id: "lmstudio", title: "LM Studio", inference: "local" },
  { id: "llamacpp", title: "llama.cpp", inference: "local" },
];

/** Native ids are those the vendors' own type packages list; a test compares. */
export const shippedModels: ModelEntry[] = [
  { id: "gpt", vendor: "openai", native_id: "gpt-6.1-sol", status: "available" },
  { id: "gpt-small", vendor: "openai", native_id: "gpt-6-luna", status: "available" },
  { id: "claude-opus", vendor: "anthropic", native_id: "claude-opus-5-5", status: "available" },
  { id: "claude-sonnet", vendor: "anthropic", native_id: "claude-sonnet-5-5", status: "available" },
  { id: "gpt-oss", vendor: "ollama", native_id: "gpt-oss:20b", maker: "openai", status: "available" },
];
