import { modes, type Mode } from "../model/words.ts";

/** How much outside review is allowed, and who said so. `unknown` shuts every advisor out. */
export interface ResolvedMode {
  mode: Mode | "unknown";
  source: string;
  /** The word, where it is unknown. */
  word?: string;
}

/** Everything that can set the mode. */
export interface ModeSources {
  variable?: string;
  ci?: string;
  profile?: { name: string; mode: string };
  workspace?: string;
  /** Nothing may leave this machine. */
  offline: boolean;
}

const notCi = new Set(["", "false", "0", "no", "off"]);

/** The mode, and where it comes from: the first source that says anything, whether or not its word is known. */
export function resolveMode(sources: ModeSources): ResolvedMode {
  const found = firstOf(sources);
  const asks = found.mode !== "ci" && found.mode !== "offline" && found.mode !== "unknown";
  return sources.offline && asks ? { mode: "offline", source: "WRIT_OFFLINE" } : found;
}

function firstOf({ variable, ci, profile, workspace }: ModeSources): ResolvedMode {
  if (variable !== undefined && variable.trim() !== "") return read(variable, "WRIT_REASONING_MODE");
  if (ci !== undefined && !notCi.has(ci.trim().toLowerCase())) return { mode: "ci", source: "CI" };
  if (profile) return read(profile.mode, `profile ${profile.name}`);
  if (workspace !== undefined) return read(workspace, "workspace");
  return { mode: "standard", source: "default" };
}

function read(text: string, source: string): ResolvedMode {
  const word = text.trim();
  const mode = modes.find((known) => known === word);
  return mode ? { mode, source } : { mode: "unknown", source, word };
}
