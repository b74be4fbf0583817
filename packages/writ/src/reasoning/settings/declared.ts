import { join } from "node:path";
import { type Context, fail, WritError } from "../../contract/index.ts";
import { readOrNull, storing } from "../../platform/index.ts";
import { defaultSettings, shippedProfiles } from "../model/profiles.ts";
import type { ReasoningSettings } from "../model/settings.ts";

const manifest = "workspace.yml";
const maxBytes = 8 * 1024 * 1024;

/** What workspace.yml says of reasoning. */
export interface DeclaredSettings {
  settings: ReasoningSettings;
  /** Profile to mode word, the shipped ones included. */
  profiles: Readonly<Record<string, string>>;
  faults: WritError[];
}

/**
 * Reads the two blocks this part owns. A workspace.yml with problems is a fault that forbids asking, and nothing
 * else: what it withholds is not known, and records must still be there to read.
 */
export async function readDeclaredSettings(ctx: Context): Promise<DeclaredSettings> {
  try {
    if (!(await mentionsThem(ctx)))
      return { settings: defaultSettings, profiles: shippedProfiles, faults: [] };
    const { ReasoningSettings, ProfileTable } = await import("../model/settings.ts");
    const { block } = ctx.registered;
    const settings = await block(ctx, "reasoning", ReasoningSettings);
    const profiles = Object.entries((await block(ctx, "profiles", ProfileTable)) ?? {});
    return {
      settings: settings ?? defaultSettings,
      profiles: {
        ...shippedProfiles,
        ...Object.fromEntries(profiles.map(([name, one]) => [name, one.reasoning])),
      },
      faults: [],
    };
  } catch (error) {
    if (!(error instanceof WritError) || error.code === "INTERNAL_ERROR") throw error;
    return { settings: defaultSettings, profiles: shippedProfiles, faults: faultsOf(error) };
  }
}

// YAML has many ways to write a key, and an escape could hide a letter of it; a false hit only costs the reading.
const mention = /\b(?:reasoning|profiles)\b|\\/;

/** Most workspaces say nothing of it, and the schemas of what they could say are most of what a status would cost. */
async function mentionsThem({ workspace }: Context): Promise<boolean> {
  const path = join(workspace?.root ?? "", manifest);
  const bytes = await storing(manifest, () => readOrNull(path, { maxBytes, label: manifest }));
  return bytes !== null && mention.test(bytes.toString("utf8"));
}

interface Problem {
  pointer: string;
  line: number;
  message: string;
  hint?: string;
}

/** A fault for each problem of these blocks; of a file that is wrong elsewhere, one. */
function faultsOf({ failure }: WritError): WritError[] {
  const problems = (failure.details?.problems ?? []) as Problem[];
  const own = problems.filter(({ pointer }) => /^\/(?:reasoning|profiles)(?:\/|$)/.test(pointer));
  if (own.length === 0) return [invalid(manifest, failure.cause)];
  return own.map(({ pointer, line, message, hint }) => {
    const cause = `${manifest}:${line}: ${message}${hint === undefined ? "" : `; ${hint}`}`;
    return invalid(pointer.slice(1).replaceAll("/", "."), cause);
  });
}

/** The fault of a setting that cannot be used. */
export function invalid(setting: string, cause: string, known?: readonly string[]): WritError {
  return fail("E_INVALID_SETTING", {
    message: `${setting} cannot be used.`,
    cause: /[.?]$/.test(cause) ? cause : `${cause}.`,
    remediation: "Correct it, or take it away: writ reasoning check",
    details: { setting, ...(known && { known: [...known] }) },
  });
}
