import { isAbsolute, join } from "node:path";
import { lstat, stat } from "node:fs/promises";
import { readOrNull, readYaml } from "../../platform/index.ts";
import type { Changeset } from "../changeset/changeset.ts";
import { isMapping } from "../declare/schema-walk.ts";
import { type CheckRow, type Finding, ok, skipped, warn } from "./check.ts";
import { type Room, withChangeset } from "./room.ts";

const configFile = "~/.devvault/.config.yml";

/** What products of the workspace need besides files. */
export const productChecks: readonly CheckRow[] = [
  { id: "vault.config", worst: "warn", workspace: true, look: lookAtVault },
  {
    id: "governance",
    worst: "warn",
    workspace: true,
    look: () => skipped("no governance document is configured"),
  },
];

async function lookAtVault(room: Room): Promise<Finding> {
  return withChangeset(room, async (changeset) => {
    const declaring = await stacksWithSecrets(changeset);
    if (declaring.length === 0) return skipped("no stack declares secrets");
    const home = room.ctx.settings.env("HOME") ?? room.ctx.settings.env("USERPROFILE");
    const fault =
      home === undefined
        ? "there is no home folder to look in"
        : await vaultFault(join(home, ".devvault", ".config.yml"));
    if (fault === undefined) return ok("the vault is configured");
    return warn(`${declaring.join(", ")} declares secrets, and ${fault}`, {
      remediation: `Write ${configFile} with the one line: vault_path: FOLDER`,
    });
  });
}

async function stacksWithSecrets(changeset: Changeset): Promise<string[]> {
  const found: string[] = [];
  for (const { layer } of changeset.stacks) {
    const catalogue = layer.metadata.find(({ origin }) => origin.source.endsWith("devvault.yml"));
    if (!catalogue) continue;
    const key = catalogue.origin.oid ?? catalogue.origin.source;
    for await (const { bytes } of changeset.readBlobs(layer.stack, [key])) {
      const { value } = readYaml(bytes);
      const secrets = isMapping(value) ? value.secrets : undefined;
      if (isMapping(secrets) && Object.keys(secrets).length > 0) found.push(layer.stack);
    }
  }
  return found;
}

/** What is wrong with the machine's side; the vault's own path is told to nobody. */
async function vaultFault(file: string): Promise<string | undefined> {
  const bytes = await readOrNull(file, { maxBytes: 64 * 1024, label: configFile });
  if (!bytes) return `${configFile} is missing`;
  const { value, problems } = readYaml(bytes);
  if (problems.length > 0 || !isMapping(value)) return `${configFile} is not a YAML mapping`;
  const { vault_path: path, ...others } = value;
  if (typeof path !== "string") return `${configFile} has no vault_path`;
  if (Object.keys(others).length > 0) return `${configFile} has keys besides vault_path`;
  if (!isAbsolute(path)) return "its vault_path is not an absolute path";
  const there = await stat(path).catch(() => lstat(path).catch(() => undefined));
  return there?.isDirectory() ? undefined : "its vault_path is no folder";
}
