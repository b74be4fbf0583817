import { type Adapter, AdvisorFailure } from "./adapter.ts";

const name = /^[a-z0-9][a-z0-9-]*$/;

/** The modules of the dialects, loaded when they are first needed. */
export const adapterModules: Readonly<Record<string, () => Promise<{ adapter?: unknown }>>> = {
  "openai-chat": () => import("./openai-chat.ts"),
  "anthropic-messages": () => import("./anthropic-messages.ts"),
  "ollama-chat": () => import("./ollama-chat.ts"),
  "claude-cli": () => import("./claude-cli.ts"),
  "gemini-cli": () => import("./gemini-cli.ts"),
  "codex-exec": () => import("./codex-exec.ts"),
  stdio: () => import("./stdio.ts"),
};

/** Loads a dialect. A name that is none is refused before anything is loaded. */
export async function loadAdapter(wanted: string, modules = adapterModules): Promise<Adapter> {
  if (!name.test(wanted)) throw new AdvisorFailure("error", "its adapter has no name of an adapter");
  const load = Object.hasOwn(modules, wanted) ? modules[wanted] : undefined;
  if (!load) throw new AdvisorFailure("unavailable", `the adapter ${wanted} does not exist`);
  const loaded = await load().catch(() => {
    throw new AdvisorFailure("unavailable", `the adapter ${wanted} could not be loaded`);
  });
  const found = loaded.adapter as Partial<Adapter> | undefined;
  if (typeof found?.describe === "function" && typeof found.exchange === "function") return found as Adapter;
  throw new AdvisorFailure("error", `the adapter ${wanted} lacks a function`);
}
