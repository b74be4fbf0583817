import { fail, type Context } from "../../contract/index.ts";
import type { Sources } from "./open-sources.ts";
import { parseSource, type Resolvable } from "../declare/sources.ts";

/** The registry of those who name none. */
export const builtInRegistry = "getGanemo/agent-stack-core-oss";

type Asking = Pick<Context, "settings" | "local">;

/** The registry outside any workspace: --registry, else WRIT_REGISTRY, else the built-in one. */
export function namedRegistry(
  ctx: Asking,
  sources: Pick<Sources, "protocols">,
  flag: string | undefined,
): Resolvable {
  if (flag !== undefined)
    return parsed(flag, { by: "--registry", protocols: sources.protocols, allowFile: ctx.local });
  return (
    registryOfEnvironment(ctx, sources) ??
    parsed(builtInRegistry, { by: "WRIT_REGISTRY", protocols: sources.protocols, allowFile: true })
  );
}

/** What WRIT_REGISTRY names, if it is set. */
export function registryOfEnvironment(
  { settings }: Pick<Context, "settings">,
  { protocols }: Pick<Sources, "protocols">,
): Resolvable | undefined {
  const text = settings.env("WRIT_REGISTRY");
  if (text === undefined) return undefined;
  return parsed(text, { by: "WRIT_REGISTRY", protocols, allowFile: true });
}

interface Named {
  by: "--registry" | "WRIT_REGISTRY";
  protocols: readonly string[];
  /** A file URL is taken only from the user of this machine. */
  allowFile: boolean;
}

function parsed(text: string, { by, ...policy }: Named): Resolvable {
  const source = parseSource(text, policy);
  if (source.fault) {
    throw fail(source.fault.kind === "unsafe_url" ? "E_UNSAFE_URL" : "E_INVALID_VALUE", {
      message: `${by} was refused: ${source.fault.message}.`,
      cause: "It names the stack registry and is held to the rules of any source.",
      remediation: "Give it as org/repo or as a git URL without credentials.",
      details: { ...source.fault.facts, input: by },
    });
  }
  if (source.value.kind !== "shortcut") return source.value;
  throw fail("E_INVALID_VALUE", {
    message: `${by} cannot be the shortcut "${source.value.name}".`,
    cause: "Shortcuts are what a registry declares, so none can name it.",
    remediation: "Give it as org/repo or as a git URL.",
    details: { input: by, registry: source.value.name },
  });
}
