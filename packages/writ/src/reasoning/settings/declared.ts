import { type Context, fail, WritError } from "../../contract/index.ts";
import { defaultSettings, shippedProfiles } from "../model/profiles.ts";
import type { ReasoningSettings } from "../model/settings.ts";

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
  const { ReasoningSettings, ProfileTable } = await import("../model/settings.ts");
  const { block } = ctx.registered;
  try {
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

/** A fault for each problem of these blocks; of a file that is wrong elsewhere, one. */
function faultsOf({ failure }: WritError): WritError[] {
  const problems = (failure.details?.problems ?? []) as { pointer: string; line: number; message: string }[];
  const own = problems.filter(({ pointer }) => /^\/(?:reasoning|profiles)(?:\/|$)/.test(pointer));
  if (own.length === 0) return [invalid("workspace.yml", failure.cause)];
  return own.map(({ pointer, line, message }) =>
    invalid(pointer.slice(1).replaceAll("/", "."), `workspace.yml:${line}: ${message}`),
  );
}

/** The fault of a setting that cannot be used. */
export function invalid(setting: string, cause: string, known?: readonly string[]): WritError {
  return fail("E_INVALID_SETTING", {
    message: `${setting} cannot be used.`,
    cause: `${cause.replace(/\.$/, "")}.`,
    remediation: "Correct it, or take it away: writ reasoning check",
    details: { setting, ...(known && { known: [...known] }) },
  });
}
