import { join } from "node:path";
import type { Context } from "../../contract/index.ts";
import { readOrNull, redact } from "../../platform/index.ts";
import { manifestFile } from "../declare/file-names.ts";
import { observeChangeset, type Observed } from "../run/observe-changeset.ts";
import { readFile, type FileReading } from "../declare/problems.ts";
import { isMapping, pointerOf, valueAt } from "../declare/schema-walk.ts";
import type { Place } from "./declared-at.ts";
import { notFound } from "./not-found.ts";
import { settingTable, type SettingRow } from "./setting-table.ts";

/** One place that gives a setting. */
export interface Given {
  value: unknown;
  from: "flag" | "env" | "manifest" | "lock" | "registry" | "builtin";
  declared_at?: Place;
}

/** What a setting is, who gives it, and who else does without being heard. */
export interface SettingExplained extends Given {
  key: string;
  shadowed: Given[];
}

/** Explains a setting; outside a workspace only the environment and what is built in speak. */
export async function explainSetting(ctx: Context, key: string): Promise<SettingExplained> {
  const row = settingTable.find((one) => one.key === key);
  if (!row)
    throw notFound("setting", key, {
      known: settingTable.map((one) => one.key),
      list: "writ explain --help",
    });
  const seen = ctx.workspace && (await observeChangeset(ctx, { command: "writ explain" }));
  const written = seen && (await readWritten(seen));
  const given = [
    ...fromManifest(row, written),
    ...fromLock(row, seen),
    ...fromEnvironment(row, ctx),
    ...fromRegistry(row, seen),
    { value: row.builtIn ?? null, from: "builtin" as const },
  ];
  const [first, ...shadowed] = heard(row, given, written);
  return { key, ...(first ?? { value: null, from: "builtin" as const }), shadowed };
}

async function readWritten({ root }: Observed): Promise<FileReading> {
  return readFile((await readOrNull(join(root, manifestFile))) ?? Buffer.alloc(0), manifestFile);
}

/** A block that is taken whole silences the registry, also about the keys it leaves out. */
function heard(row: SettingRow, given: readonly Given[], written: FileReading | undefined): Given[] {
  const hasBlock = row.block !== undefined && isMapping(valueAt(written?.value, [row.block]));
  if (!hasBlock) return [...given];
  return [
    ...given.filter(({ from }) => from !== "registry"),
    ...given.filter(({ from }) => from === "registry"),
  ];
}

function fromManifest({ manifest }: SettingRow, written: FileReading | undefined): Given[] {
  const value = manifest && valueAt(written?.value, manifest);
  if (!manifest || value === undefined || !written) return [];
  const declared_at = { file: manifestFile, line: written.locate(pointerOf([...manifest])).line };
  return [{ value, from: "manifest", declared_at }];
}

function fromLock({ lock }: SettingRow, seen: Observed | undefined): Given[] {
  const pinned = lock && seen?.inputs.lock?.registry;
  return pinned ? [{ value: pinned.repo, from: "lock" }] : [];
}

function fromEnvironment({ env, isSwitch, isNumber }: SettingRow, { settings, local }: Context): Given[] {
  const text = env === undefined ? undefined : settings.env(env);
  if (env === undefined || text === undefined) return [];
  const number = Number(text);
  const value = isSwitch
    ? settings.isOn(env)
    : isNumber && !Number.isNaN(number)
      ? number
      : shown(text, local);
  return [{ value, from: "env" }];
}

/** A folder of this machine is nothing for a caller that is elsewhere. */
function shown(text: string, local: boolean): string {
  const isFolder = /^(?:\/|~|file:|[A-Za-z]:[\\/])/i.test(text);
  return isFolder && !local ? "(a folder of the server)" : redact(text);
}

function fromRegistry({ registry }: SettingRow, seen: Observed | undefined): Given[] {
  const block = seen?.changeset?.registry?.manifest.agentContext;
  const value = registry && block?.[registry];
  return value === undefined ? [] : [{ value, from: "registry" }];
}
