import { dirname, join } from "node:path";
import type { Registered, Slots, Warning } from "../../contract/index.ts";
import { makeFolder, readOrNull, sha256Hex, writeAtomic } from "../../platform/index.ts";
import type { Lock } from "../declare/model/lock.ts";
import type { Manifest } from "../declare/model/manifest.ts";
import type { Sources } from "../sources/open-sources.ts";

/** What the meaning of workspace.yml depends on besides its bytes. */
export interface InputSettings {
  base: string;
  protocols: readonly string[];
  /** Who owns the blocks of other parts. */
  slots: Slots;
  /** Which Writ reads. */
  version: string;
  /** The cache folder; without it everything is read anew. */
  folder?: string;
}

/** What a call's sources and parts say of it. */
export function inputSettings(
  sources: Sources,
  registered: Pick<Registered, "slots" | "version">,
): InputSettings {
  return { ...anew(sources, registered), folder: sources.cache.folder };
}

/** The same for a reading that nothing kept stands in for. */
export function anew(
  { base, protocols }: Sources,
  { slots, version }: Pick<Registered, "slots" | "version">,
): Omit<InputSettings, "folder"> {
  return { base, protocols, slots, version };
}

export interface DeclaredFiles {
  manifest: Buffer;
  manifestHash: string;
  lock: Buffer | null;
  lockHash: string | null;
}

export interface Declared {
  /** Without places when it was kept: whoever has something to say of one asks for `whole`. */
  manifest: Manifest;
  lock?: Lock;
  upgraded: boolean;
  warnings: Warning[];
  /** The manifest with the places of what it says. */
  whole(): Promise<Manifest>;
}

type KeptReading = Omit<Declared, "whole">;

// Moves when the same bytes would be read as something else, so that nothing is taken for what it no longer is.
const readFormat = "2";
const maxKeptBytes = 16 * 1024 * 1024;

/**
 * What workspace.yml and lock say. Reading YAML and holding it against its schema is most of what a status costs,
 * so what the same bytes were read as is kept: in the cache of this user, where no repository can put it.
 */
export async function readDeclared(
  root: string,
  files: DeclaredFiles,
  { folder, base, protocols, slots, version }: InputSettings,
): Promise<Declared> {
  const key = JSON.stringify([readFormat, version, files.manifestHash, files.lockHash, base, protocols]);
  const path = folder === undefined ? undefined : join(folder, "read", `${sha256Hex(root)}.json`);
  const parse = async () => {
    const { parseManifest } = await import("../declare/manifest.ts");
    return parseManifest(files.manifest, { base, protocols, slots });
  };
  const kept = path && (await readKept(path, key));
  if (kept) return { ...kept, whole: async () => (await parse()).manifest };
  const { manifest, warnings } = await parse();
  const parsed = files.lock && (await import("../declare/lock.ts")).parseLock(files.lock);
  const declared: KeptReading = {
    manifest,
    ...(parsed && { lock: parsed.lock }),
    upgraded: parsed?.upgraded ?? false,
    warnings,
  };
  if (path) await keep(path, { key, declared });
  return { ...declared, whole: async () => manifest };
}

async function readKept(path: string, key: string): Promise<KeptReading | undefined> {
  try {
    const bytes = await readOrNull(path, maxKeptBytes);
    const kept = bytes && (JSON.parse(bytes.toString("utf8")) as { key?: unknown; declared: KeptReading });
    if (!kept || kept.key !== key) return undefined;
    const { declared } = kept;
    return { ...declared, manifest: { ...declared.manifest, locate: placeless } };
  } catch {
    // Whatever is wrong with it, the files themselves are there to be read.
    return undefined;
  }
}

async function keep(path: string, reading: { key: string; declared: KeptReading }): Promise<void> {
  // A cache that cannot be written, and a number that JSON does not have, cost time only.
  try {
    await makeFolder(dirname(path), 0o700);
    await writeAtomic(path, `${JSON.stringify(reading, refuseStrange)}\n`, { mode: 0o600, sync: false });
  } catch {}
}

function refuseStrange(_key: string, value: unknown): unknown {
  if (typeof value === "number" && !Number.isFinite(value)) throw new TypeError(`JSON has no ${value}`);
  return value;
}

function placeless(): never {
  throw new TypeError("a kept reading knows no places; ask for the whole one");
}
