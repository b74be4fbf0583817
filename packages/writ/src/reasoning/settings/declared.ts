import { join } from "node:path";
import { fail, type WritError } from "../../contract/index.ts";
import { readOrNull, readYaml, storing } from "../../platform/index.ts";
import type { ProfileSettings, ReasoningSettings } from "../model/settings.ts";
import { defaultSettings, shippedProfiles, taskName } from "../model/profiles.ts";

/** What workspace.yml says of reasoning. */
export interface DeclaredSettings {
  settings: ReasoningSettings;
  /** Profile to mode word, the shipped ones included. */
  profiles: Readonly<Record<string, string>>;
  faults: WritError[];
}

const manifest = "workspace.yml";

/** Reads the two slots this part owns. What is wrong in them is a fault that forbids asking, and nothing else. */
export async function readDeclaredSettings(root: string): Promise<DeclaredSettings> {
  const bytes = await storing(manifest, () =>
    readOrNull(join(root, manifest), { maxBytes: 4 * 1024 * 1024 }),
  );
  // Most workspaces say nothing of it, and reading YAML is most of what a status would cost.
  if (!bytes || !slotLine.test(bytes.toString("utf8")))
    return { settings: defaultSettings, profiles: shippedProfiles, faults: [] };
  const { value } = readYaml(bytes);
  const slots = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
  const faults: WritError[] = [];
  const schemas = await import("../model/settings.ts");
  const parsed = schemas.ReasoningSettings.safeParse(slots.reasoning ?? {});
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    faults.push(invalid(`reasoning.${issue?.path.map(String).join(".") ?? ""}`, issue?.message ?? ""));
  }
  const settings = parsed.data ?? defaultSettings;
  return {
    settings,
    profiles: profilesOf(slots.profiles, { faults, schema: schemas.ProfileSettings }),
    faults,
  };
}

// Quoted or within braces a key may stand anywhere; a false hit only costs the reading.
const slotLine = /["']?\b(?:reasoning|profiles)\b["']?\s*:/;

function profilesOf(
  slot: unknown,
  { faults, schema }: { faults: WritError[]; schema: typeof ProfileSettings },
): Record<string, string> {
  const profiles = { ...shippedProfiles };
  if (slot === undefined || slot === null) return profiles;
  if (typeof slot !== "object" || Array.isArray(slot)) {
    faults.push(invalid("profiles", "it is no mapping of profiles"));
    return profiles;
  }
  for (const [name, profile] of Object.entries(slot)) {
    const parsed = schema.safeParse(profile);
    if (!taskName.test(name)) faults.push(invalid(`profiles.${name}`, "the name breaks its pattern"));
    else if (parsed.success) profiles[name] = parsed.data.reasoning;
    else faults.push(invalid(`profiles.${name}.reasoning`, "every profile declares a mode"));
  }
  return profiles;
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
